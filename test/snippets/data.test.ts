/** GraphQL, YAML, JSON and TypeScript of the pages: each is what its kind of file takes, and operations are executed. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, type DocumentNode, Kind, parse, validate } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { type Composition, compose } from '../../engine/supergraph/compose/index.ts'
import { readConfig } from '../../gateway/config/index.ts'
import { createHandler } from '../../gateway/hosts/library.ts'
import { subgraphNames } from '../../subgraphs/index.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import { root } from '../support/deploy.ts'
import { allScopes, type Graph, startGraph } from '../support/graph.ts'
import { temporaryFile } from '../support/temporary.ts'
import { type Block, blocks } from './blocks.ts'

const all = blocks()
const ofLanguage = (...languages: readonly string[]): (readonly [string, Block])[] =>
  all.filter(({ language }) => languages.includes(language)).map((block) => [block.place, block] as const)

/** Languages whose blocks are tried here, shell commands, and those that are pictures or output. */
const known = ['graphql', 'yaml', 'json', 'ts', 'js', 'sh', 'mermaid', 'promql', 'text', '']
const ofClients = ['tsx', 'swift', 'kotlin', 'python', 'go', 'vue', 'svelte', 'nginx', 'toml', 'html']

test('every block says its language', () => {
  const others = all.filter(({ language }) => ![...known, ...ofClients].includes(language))
  expect(others.map(({ place }) => place)).toEqual([])
  expect(all.length).toBeGreaterThan(70)
})

const isOperation = (document: DocumentNode): boolean =>
  document.definitions.every(
    ({ kind }) => kind === Kind.OPERATION_DEFINITION || kind === Kind.FRAGMENT_DEFINITION,
  )

describe('GraphQL', () => {
  let graph: Graph
  beforeAll(async () => {
    graph = await startGraph()
  })
  afterAll(() => graph[Symbol.asyncDispose]())

  test.each(ofLanguage('graphql'))('%s', async (_place, { page, text }) => {
    const document = parse(text)
    if (!isOperation(document)) return expectSubgraph(page, text)
    if (page.startsWith('examples/existing-graph')) return expectOfCatalogue(document)
    expect(validate(buildSchema(readFileSync(join(root, 'schema/api.graphql'), 'utf8')), document)).toEqual(
      [],
    )
    const [operation] = document.definitions
    const isSubscription =
      operation?.kind === Kind.OPERATION_DEFINITION && operation.operation === 'subscription'
    const { data, errors } = isSubscription
      ? await firstEvent(graph, text)
      : await graph.ask(text, {}, { scope: allScopes })
    expect(errors ?? []).toEqual([])
    expect(Object.values(data ?? {}).filter((value) => value === null)).toEqual([])
  })
})

test('ids of videos and messages on the pages are those of the sandbox', async () => {
  await using graph = await startGraph()
  const text = all.map((block) => block.text).join('\n')
  const named = (pattern: RegExp): string[] => [
    ...new Set([...text.matchAll(pattern)].map(([, id = '']) => id)),
  ]
  const videoIds = named(/"?videoId\\?"?: \\?"([\w-]{11})\\?"/g)
  const messageIds = named(/"?messageId\\?"?: \\?"(\d+)\\?"/g).filter((id) => id !== '20')
  expect(videoIds.length).toBeGreaterThan(1)
  const { data } = await graph.ask(
    'query ($videoIds: [ID!]!, $messageIds: [ID!]!) { videos(videoIds: $videoIds) { videoId } messages(messageIds: $messageIds) { messageId } }',
    { videoIds, messageIds },
  )
  expect(data.videos.map((video: { videoId: string } | null) => video?.videoId)).toEqual(videoIds)
  expect(data.messages.map((message: { messageId: string } | null) => message?.messageId)).toEqual(messageIds)
})

/** Subscribing succeeds: the stream opens, if a wrong argument would be refused with a status. */
async function firstEvent(
  graph: Graph,
  query: string,
): Promise<{ data?: object; errors?: readonly unknown[] }> {
  const left = new AbortController()
  const response = await fetch(`${graph.url}?${new URLSearchParams({ query })}`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${await graph.token(allScopes)}` },
    signal: left.signal,
  })
  const isOpen =
    response.status === 200 && response.headers.get('content-type')?.startsWith('text/event-stream')
  if (isOpen !== true) return JSON.parse(await response.text()) as { errors: unknown[] }
  left.abort()
  return {}
}

async function expectOfCatalogue(document: DocumentNode): Promise<void> {
  const theirs = readFileSync(join(root, 'examples/existing-graph/catalogue.graphql'), 'utf8')
  const { supergraph, errors } = composed('catalogue', theirs)
  expect(errors).toBeUndefined()
  const graph = createHandler({ supergraph: supergraph ?? '' })
  expect(validate(graph.schema, document)).toEqual([])
  await graph.close()
}

function composed(name: string, typeDefs: string): Composition {
  const ours = subgraphNames.map((each) => ({
    name: each,
    url: `http://127.0.0.1/${each}`,
    typeDefs: readSchemaFile(each),
  }))
  return compose([...ours, { name, url: `http://127.0.0.1/${name}`, typeDefs }])
}

/** Pages whose SDL is of several subgraphs, or of a supergraph without ours: it is parsed alone. */
const alone = ['docs/query-planner.md', 'docs/authorization.md']

function expectSubgraph(page: string, sdl: string): void {
  if (alone.includes(page)) return
  const linked = sdl.includes('@link')
    ? sdl
    : `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@shareable", "@requiresScopes", "@cost", "@listSize"])\n${sdl}`
  const whole = /type Query|extend type Query/.test(linked)
    ? linked
    : `${linked}\nextend type Query { snippet: Product }`
  expect(composed('snippet', whole).errors).toBeUndefined()
}

describe('YAML', () => {
  test.each(ofLanguage('yaml'))('%s', (_place, { text }) => {
    const document = parseYaml(text, { merge: true }) as Record<string, unknown>
    // Files of other programs: Kubernetes, Compose, CI.
    if (
      ['apiVersion', 'services', 'jobs', 'on', 'stages', 'supergraph', 'receivers'].some(
        (key) => key in document,
      )
    )
      return
    const { faults } = readConfig({
      TESSERA_CONFIG: temporaryFile('tessera.yaml', text),
      COPROCESSOR_SECRET: 'a secret',
      PRODUCTS_KEY: 'a key',
    })
    expect(faults).toBeUndefined()
  })
})

describe('JSON', () => {
  test.each(ofLanguage('json'))('%s', (_place, { text }) => {
    expect(() => JSON.parse(text)).not.toThrow()
  })
})

describe('TypeScript', () => {
  const written = ofLanguage('ts', 'tsx', 'js')
  const packageOf = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { types: string }>
  }

  test('is read by the compiler', () => {
    const folder = mkdtempSync(join(root, 'node_modules/.snippets-'))
    try {
      mkdirSync(join(folder, 'src'))
      for (const [index, [, { text, language }]] of written.entries())
        writeFileSync(join(folder, `src/${index}.${language}`), `${text}\n`)
      const { stdout } = spawnSync(
        process.execPath,
        [
          join(root, 'node_modules/typescript/bin/tsc'),
          ...['--noEmit', '--noCheck', '--allowJs', '--jsx', 'preserve', '--target', 'esnext'],
          ...['--module', 'preserve', '--noResolve', '--types', '', '--skipLibCheck'],
          ...written.map((_, index) => `src/${index}.${written[index]?.[1].language}`),
        ],
        { cwd: folder, encoding: 'utf8' },
      )
      const faults = stdout
        .split('\n')
        .filter((line) => / error TS1\d\d\d: /.test(line))
        .map((line) => line.replace(/^src\/(\d+)\.\w+/, (_all, index) => written[Number(index)]?.[0] ?? ''))
      expect(faults).toEqual([])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test.each(written)('%s imports only what there is', async (_place, { text }) => {
    for (const [, names = '', from = ''] of text.matchAll(
      /import \{([^}]+)\} from '(tessera-graph[^']*)'/g,
    )) {
      const entry = packageOf.exports[from.replace('tessera-graph', '.')]
      expect(entry, from).toBeDefined()
      const types = typeof entry === 'string' ? entry : (entry?.types ?? '')
      const source = join(root, types.replace('./dist/', './').replace(/\.d\.ts$/, '.ts'))
      const exported = readFileSync(source, 'utf8')
      for (const name of names.split(',').map(
        (each) =>
          each
            .trim()
            .replace(/^type /, '')
            .split(' as ')[0] ?? '',
      ))
        if (name !== '') expect(exported, `${name} of ${from}`).toMatch(new RegExp(`\\b${name}\\b`))
    }
  })
})
