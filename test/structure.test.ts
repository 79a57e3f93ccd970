/**
 * The structure of the source, held as rules: the direction of imports, what a module's surface is, if the
 * environment is read, who speaks HTTP, and what is shipped. Each rule says in words what was broken.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pieceNames } from '../bench/fast.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))
}

const importPattern = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g

/** Files of the repository that a file imports (types included), relative to the root. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(importPattern)].map(([, path]) =>
    relative(root, normalize(join(root, dirname(file), path ?? ''))),
  )
}

const sources = ['shared', 'engine', 'explorer', 'fast', 'gateway', 'subgraphs', 'sandbox'].flatMap(sourcesIn)
const graph = new Map(sources.map((file) => [file, importsOf(file)]))
const breaches = (rule: string, breaks: (file: string, imported: string) => boolean): string[] =>
  [...graph].flatMap(([file, imports]) =>
    imports
      .filter((imported) => breaks(file, imported))
      .map((imported) => `${file} imports ${imported}: ${rule}`),
  )
const serviceOf = (file: string): string | undefined => /^subgraphs\/(?!kit\/)([^/]+)\//.exec(file)?.[1]

test('shared/ imports nothing but itself', () => {
  expect(
    breaches(
      'shared/ is what engine, kit and gateway share, so it may depend on none of them',
      (file, imported) => file.startsWith('shared/') && !imported.startsWith('shared/'),
    ),
  ).toEqual([])
})

test('the kit knows no service, and neither kit nor services know the gateway', () => {
  expect(
    breaches(
      'the kit imports shared/ alone',
      (file, imported) => file.startsWith('subgraphs/kit/') && !/^(subgraphs\/kit|shared)\//.test(imported),
    ),
  ).toEqual([])
  expect(
    breaches('a subgraph imports the kit and shared/, never the gateway', (file, imported) => {
      return file.startsWith('subgraphs/') && imported.startsWith('gateway/')
    }),
  ).toEqual([])
})

test('a subgraph imports no other subgraph, and only its index.ts is imported', () => {
  expect(
    breaches(
      "a service's parts are imported by that service alone; others use its index.ts",
      (file, imported) => {
        const [from, to] = [serviceOf(file), serviceOf(imported)]
        if (to === undefined || from === to) return false
        return from !== undefined || !imported.endsWith(`${to}/index.ts`)
      },
    ),
  ).toEqual([])
})

/** The files that each service has, and nodes as far as it has a counterpart. */
const filesOfEach = [
  'client',
  'context',
  'failure',
  'index',
  'live',
  'model',
  'operations',
  'resolvers',
  'types.generated',
]
/** The files beside them, each for what only its service has. */
const filesOfTheirOwn: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  videos: {
    ids: 'ids in arguments, and the names of lists in cursors',
    'earlier-attempt': 'what became of a comment thread whose insertion was not answered',
    parts: 'the groups of fields that the service returns together, as sets',
    'quota-usage': 'the share of the day’s units that is spent, for how long lookups wait for each other',
    update: 'the input of writes, checked and put into the form of the service',
    upload: 'sessions, sealed addresses, and the bytes that go through them',
  },
  agents: {
    'earlier-attempt': 'what became of writes that were not answered',
    input: 'the rules of input objects, which the service states for each field',
    readers: 'its JSON leaves out what has its default, in every field',
    'resource-names': 'projects/… paths, by which everything of the service is named',
  },
  messages: {
    facets: 'the parts of a message that change independently, for subscriptions',
    readers: 'its JSON has two vocabularies, in every field',
    'requested-fields': 'the parameters that say which fields a response has',
    response: 'included objects and partial errors, which stand beside the data of a response',
  },
  metrics: {
    arguments: 'times, durations and steps in the forms of the Prometheus API',
    envelope: 'the object around the data of every response, and the ways to read it',
    rules: 'rule groups, rules and alerts',
    'server-kind': 'the kinds of server that speak the Prometheus API, and what follows from them',
    values: 'numbers, labels and times of its JSON',
  },
  nodes: { stubs: 'the generated part of its SDL' },
}

test('subgraphs have the same files, and others only for what is named here', () => {
  const folders = readdirSync(join(root, 'subgraphs'), { withFileTypes: true })
  const found = Object.fromEntries(
    folders
      .filter((entry) => entry.isDirectory() && entry.name !== 'kit')
      .map(({ name }) => [
        name,
        readdirSync(join(root, 'subgraphs', name))
          .map((file) => file.replace(/\.ts$/, ''))
          .sort(),
      ]),
  )
  // nodes has no service: nothing is called, and nothing fails.
  const withoutService = ['client', 'failure', 'live', 'operations']
  const expected = Object.fromEntries(
    Object.keys(found).map((name) => [
      name,
      [
        ...filesOfEach.filter((file) => name !== 'nodes' || !withoutService.includes(file)),
        ...Object.keys(filesOfTheirOwn[name] ?? {}),
      ].sort(),
    ]),
  )
  expect(found, 'a subgraph is known by knowing another one: name here what a new file is for').toEqual(
    expected,
  )
})

test('subgraphs make their parts by functions of the same names', () => {
  for (const name of Object.keys(filesOfTheirOwn)) {
    const exported = (file: string): string =>
      readFileSync(join(root, 'subgraphs', name, `${file}.ts`), 'utf8')
    expect(exported('resolvers'), name).toMatch(/^export function createResolvers\(/m)
    expect(exported('context'), name).toMatch(/^export function createContexts\(/m)
    expect(exported('index'), name).toMatch(/^export function create[A-Z]\w+Subgraph\(/m)
    if (name === 'nodes') continue
    expect(exported('failure'), name).toMatch(/^export function createFailureReader\(/m)
    expect(exported('client'), name).toMatch(
      /^export (?:function create[A-Z]\w+Client\(|class [A-Z]\w+Client )/m,
    )
    expect(exported('index'), name).toMatch(/^export const \w+ = describeService\(/m)
  }
})

/** The modules of the gateway from the lowest up: a module imports only those below it. */
const gatewayModules = [
  'settings',
  'headers',
  'telemetry',
  'stores',
  'response-cache',
  'auth',
  'costs',
  'hooks',
  'overload',
  'pipeline',
  'graphql-http',
  'subscriptions',
  'server',
  'mcp',
]
/** The root of the program, and the functions by which each module is made from the configuration. */
const isComposition = (file: string): boolean =>
  /^gateway\/[^/]+\.ts$/.test(file) || file.endsWith('/from-config.ts')
const rankOf = (file: string): number => {
  if (isComposition(file)) return gatewayModules.length
  const module = /^gateway\/([^/]+)/.exec(file)?.[1] ?? ''
  const rank = gatewayModules.indexOf(module)
  return rank === -1 ? gatewayModules.length : rank
}

test('features keep what they keep through stores/, and know no Redis', () => {
  expect(
    breaches(
      'a feature describes its kind and its steps: gateway/stores/ runs them',
      (file, imported) =>
        imported.startsWith('gateway/stores/redis/') &&
        !file.startsWith('gateway/stores/') &&
        // It follows a stream of changes, and may use a cluster.
        file !== 'gateway/response-cache/redis-cache.ts' &&
        file !== 'gateway/cli/check/redis.ts',
    ),
  ).toEqual([])
  const clients = sources.filter((file) => /from 'ioredis'/.test(readFileSync(join(root, file), 'utf8')))
  expect(clients.filter((file) => !file.startsWith('gateway/stores/redis/'))).toEqual([])
})

test('the engine knows no service, no gateway and no HTTP server', () => {
  expect(
    breaches(
      'the engine imports shared/ alone',
      (file, imported) => file.startsWith('engine/') && !/^(engine|shared)\//.test(imported),
    ),
  ).toEqual([])
})

test('the explorer is known only to the module that puts the program together', () => {
  expect(
    breaches(
      'the explorer is a page beside the graph: the root of the program, our server and cli/ add it',
      (file, imported) =>
        imported.startsWith('explorer/') &&
        !file.startsWith('explorer/') &&
        !isComposition(file) &&
        file !== 'gateway/hosts/server.ts' &&
        !file.startsWith('gateway/cli/'),
    ),
  ).toEqual([])
})

test('modules of the gateway import only modules below them', () => {
  expect(
    breaches(`the order is ${gatewayModules.join(' < ')}`, (file, imported) => {
      if (!file.startsWith('gateway/') || !imported.startsWith('gateway/')) return false
      return rankOf(imported) > rankOf(file) && !openImports.has(`${file} imports ${imported}`)
    }),
  ).toEqual([])
})

test('only the root of the program, the configuration and the command line know that there are services', () => {
  expect(
    breaches(
      'gateway modules know SDL, plans and transports; subgraphs/ is for app.ts, from-config.ts, transports/, config/ and cli/',
      (file, imported) => {
        if (!imported.startsWith('subgraphs/') || !file.startsWith('gateway/')) return false
        return (
          !isComposition(file) &&
          !/^gateway\/(transports|config|cli)\//.test(file) &&
          !openImports.has(`${file} imports ${imported}`)
        )
      },
    ),
  ).toEqual([])
})

test('modules get options: the configuration is read where the program is put together', () => {
  expect(
    breaches(
      'only the root of the program, from-config.ts, transports/, reload/, hosts/ and cli/ read the configuration',
      (file, imported) =>
        imported.startsWith('gateway/config/') &&
        !isComposition(file) &&
        !/^gateway\/(config|transports|reload|hosts|cli)\//.test(file),
    ),
  ).toEqual([])
})

/** Imports against the rules that are still to be removed. */
const openImports = new Set<string>([])

test('the sandbox imports nothing of the product, and only the command line and the entry for tests import it', () => {
  expect(
    breaches(
      'a stand-in that shares our types can only agree with our mistakes',
      (file, imported) => file.startsWith('sandbox/') && !imported.startsWith('sandbox/'),
    ),
  ).toEqual([])
  expect(
    breaches(
      'the sandbox is started by the command line, and by users’ tests through tessera-graph/sandbox',
      (file, imported) =>
        imported.startsWith('sandbox/') &&
        !/^sandbox\/|^gateway\/cli\//.test(file) &&
        file !== 'gateway/hosts/sandbox.ts',
    ),
  ).toEqual([])
  expect(
    breaches(
      'nothing of the product imports its entry for tests',
      (_file, imported) => imported === 'gateway/hosts/sandbox.ts',
    ),
  ).toEqual([])
})

/** Sets of files that import each other in a circle, each named by its first file. */
function circles(): string[] {
  const found: string[] = []
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const visit = (file: string): void => {
    index.set(file, index.size)
    low.set(file, index.size - 1)
    stack.push(file)
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(file, Math.min(low.get(file) ?? 0, low.get(next) ?? 0))
    }
    if (low.get(file) !== index.get(file)) return
    const circle = stack.splice(stack.indexOf(file)).sort()
    if (circle.length > 1) found.push(circle.join(' <-> '))
  }
  for (const file of graph.keys()) if (!index.has(file)) visit(file)
  return found.sort()
}

test('no files import each other in a circle, types included', () => {
  expect(circles(), 'put the shared types into a file of their own').toEqual([])
})

test('a test is in the folder under test/ that its source has', () => {
  const folders = new Set(['fast', ...sources.map((file) => dirname(file))])
  const tests = ['engine', 'explorer', 'fast', 'gateway', 'shared', 'subgraphs'].flatMap((folder) => {
    return sourcesIn(join('test', folder)).filter((name) => name.endsWith('.test.ts'))
  })
  const foldersOfTests = [...new Set(tests.map((file) => relative('test', dirname(file))))]
  expect(foldersOfTests.filter((folder) => !folders.has(folder))).toEqual([])
  const astray = tests.filter((file) => {
    const name = relative('test', file).replace(/\.test\.ts$/, '.ts')
    const namesakes = sources.filter((source) => basename(source) === basename(name))
    const below = namesakes.filter((source) => source.startsWith(`${dirname(name)}/`))
    return (
      below.length === 1 && dirname(below[0] as string) !== dirname(name) && !folders.has(name.slice(0, -3))
    )
  })
  expect(astray).toEqual([])
})

/**
 * Exported although no other file names it: public types, generated ones, the text of a new subgraph's files, and types
 * that the package's declarations name.
 */
const exportedForOthers =
  /\.generated\.ts |^gateway\/hooks\/define\.ts |^gateway\/cli\/new-subgraph\/|^subgraphs\/index\.ts | (GaugeValue|Rated)$/

test('what a file exports is named by another file', () => {
  const users = ['bench', 'bin', 'deploy', 'docs', 'examples', 'test'].flatMap(sourcesIn)
  const files = new Map<string, number>()
  for (const file of [...sources, ...users, 'codegen.ts'])
    for (const word of new Set(readFileSync(join(root, file), 'utf8').match(/\w+/g)))
      files.set(word, (files.get(word) ?? 0) + 1)
  const declared = /^export (?:async )?(?:abstract )?(?:function\*?|const|class|interface|type) (\w+)/gm
  const unused = sources.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(declared)]
      .filter(([, name = '']) => files.get(name) === 1)
      .map(([, name]) => `${file} ${name}`),
  )
  expect(unused.filter((name) => !exportedForOthers.test(name))).toEqual([])
})

test('no file is next to a folder of the same name', () => {
  const pairs = sources.filter(
    (file) => /\.tsx?$/.test(file) && existsSync(join(root, file.replace(/\.tsx?$/, ''))),
  )
  expect(
    pairs.filter((file) => !file.startsWith('sandbox/')),
    'a folder is a module and index.ts is its surface: move the file into it',
  ).toEqual([])
})

const pieceOf = (file: string): string | undefined => /^fast\/([^/]+)\//.exec(file)?.[1]

test('code that exists only for speed is plugged in at one place, and knows only surfaces', () => {
  expect(
    breaches(
      'a piece implements an interface that a plain implementation has too: gateway/fast.ts hands it in',
      (file, imported) =>
        pieceOf(imported) !== undefined &&
        pieceOf(file) === undefined &&
        (file !== 'gateway/fast.ts' || !imported.endsWith('/index.ts')),
    ),
  ).toEqual([])
  const isSurface = (file: string): boolean =>
    file.startsWith('shared/') ||
    /^engine\/[^/]+\.ts$/.test(file) ||
    file.endsWith('/index.ts') ||
    /^gateway\/[^/]+\/[^/]+\.ts$/.test(file)
  expect(
    breaches('a piece imports surfaces alone, and its own folder', (file, imported) => {
      if (pieceOf(file) === undefined) return false
      if (pieceOf(imported) !== undefined) return pieceOf(imported) !== pieceOf(file)
      return !isSurface(imported)
    }),
  ).toEqual([])
})

test('each piece that exists only for speed has a page, a measurement and tests', () => {
  const names = readdirSync(join(root, 'fast'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  expect(names.length).toBeGreaterThan(0)
  expect([...pieceNames].sort(), 'bench/fast.ts measures each of them').toEqual(names.sort())
  const list = readFileSync(join(root, 'fast/README.md'), 'utf8')
  const tests = sourcesIn('test/fast')
  for (const name of names) {
    expect(list, 'fast/README.md lists the pieces').toContain(`(${name}/README.md)`)
    const page = readFileSync(join(root, 'fast', name, 'README.md'), 'utf8')
    for (const part of ['## What it does', '## What it gains', '## When it can go'])
      expect(page, `fast/${name}/README.md`).toContain(part)
    expect(page, `fast/${name}/README.md`).toContain(`npm run bench -- --fast --only ${name}`)
    expect(
      tests.filter((file) => file.startsWith(`test/fast/${name}/`) || file === `test/fast/${name}.test.ts`),
      `${name} has no test beside its plain implementation`,
    ).not.toEqual([])
  }
})

test('the environment is read only at the edge of the process', () => {
  const readers = sources.filter((file) => /process\.env/.test(readFileSync(join(root, file), 'utf8')))
  expect(readers).toEqual(['gateway/main.ts'])
})

test('no private field of Node or of a library is used', () => {
  // Fields of Federation and of MCP begin with an underscore, too.
  const known = new Set(['_meta', '_service', '_entities'])
  const fields = /(?:\.|\{ ?)(_[a-zA-Z]\w*)(?=\??[:.(,;) ])/g
  const users = sources.flatMap((file) => {
    const code = readFileSync(join(root, file), 'utf8').replaceAll(/'[^'\n]*'|`[^`]*`|\/\*[\s\S]*?\*\//g, '')
    return [...code.matchAll(fields)]
      .filter(([, name = '']) => !known.has(name))
      .map(([, name]) => `${file} ${name}`)
  })
  expect(users).toEqual([])
})

test('HTTP clients are made in one place', () => {
  const makers = sources.filter(
    (file) => !file.startsWith('sandbox/') && /from 'undici'/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(makers.sort()).toEqual(['shared/http/client.ts', 'shared/http/dispatch-request.ts'])
})

test('only types of node:http are imported, because an import of its values loads a client that nothing uses', () => {
  const importers = sources.filter((file) =>
    /^import (?!type )[^;\n]* from 'node:http'/m.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(importers, 'take them from shared/http/node-http.ts').toEqual([
    // The file that it writes for a new subgraph.
    'gateway/cli/new-subgraph/files.ts',
  ])
})

test('metrics are kept by one library, and sent by another, in a module each', () => {
  const users = (name: RegExp): string[] =>
    sources.filter((file) => name.test(readFileSync(join(root, file), 'utf8')))
  expect(users(/from 'prom-client'/)).toEqual(['gateway/telemetry/metrics/registry.ts'])
  expect(users(/from '@opentelemetry\/sdk-metrics'/)).toEqual(['gateway/telemetry/metrics/otlp.ts'])
})

/** The longest a function may be, in lines. */
const mostLines = 100

const indentOf = (line: string): number => line.length - line.trimStart().length
const isBlock =
  /^(?:\} )?(?:if|else|for|while|switch|case|try|catch|finally|do|class|interface|export (?:abstract )?(?:class|interface|type)|return \{)\b/

/**
 * The functions of a file that are longer than that, by name. The formatter puts the end of a function under its
 * beginning, so that no parser is needed.
 */
function longFunctions(file: string): string[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  return lines.flatMap((line, at) => {
    const text = line.trim()
    const isHead = /(?:\)|\w|>|\]|\})(?::.*)? \{$|=> (?:\(?\{|\(|\[)$/.test(text) && !isBlock.test(text)
    if (!isHead || /(?:^|[^=>]) ?= \{$|^(?:readonly )?[\w#]+: \{$|^(?:abstract )?class\b/.test(text))
      return []
    const indent = indentOf(line)
    const end = lines.findIndex((each, i) => i > at && indentOf(each) === indent && /^\s*[})\]]/.test(each))
    // Parameters on lines of their own stand between the name and this line.
    const begin = text.startsWith(')')
      ? lines.findLastIndex((each, i) => i < at && indentOf(each) === indent && each.trim() !== '')
      : at
    if (end - begin + 1 <= mostLines) return []
    const head = lines[begin] ?? ''
    const [, name] = /([\w#]+)(?:<.*>)?(?: = .*)?\(/.exec(head) ?? /([\w#]+)\s*(?:=|:)/.exec(head) ?? []
    return [`${file} ${name ?? head.trim()}`]
  })
}

test(`no function has more than ${mostLines} lines`, () => {
  expect(sources.flatMap(longFunctions).sort(), 'a long function is two ideas: divide it').toEqual([])
})
