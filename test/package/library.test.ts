/**
 * The package as others import it: packed, installed into an empty folder, type-checked and run there.
 * Needs the package fastify.
 */
import { execFile, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { startSandbox } from '../../sandbox/index.ts'
import { blocks } from '../snippets/blocks.ts'
import { isFull } from '../support/campaign-size.ts'
import { root } from '../support/deploy.ts'
import { pack } from '../support/package.ts'
import { temporaryFolder } from '../support/temporary.ts'

const execute = promisify(execFile)

/** The environment of users who run their own tests: variables that the runner of this file sets are left out. */
const userEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(VITEST|TESSERA_|NODE_OPTIONS)/.test(name)),
)

const folder = temporaryFolder()
const app = join(folder, 'app')

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 900_000 })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return stdout
}

/** What docs/library.md says has to be installed beside it, and what the programs here use themselves. */
const beside = ['graphql', '@apollo/server', 'fastify', '@types/node', 'vitest']

/** The packages that the types in a folder come from, beside those in it. */
function packagesOfTypes(folder: string): string[] {
  const packages = new Set<string>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.d\.[cm]?ts$/.test(name)) continue
    const text = readFileSync(join(folder, name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
    for (const [, from = ''] of text.matchAll(/(?:\bfrom |\bimport\(|^import )['"]([^'"]+)['"]/gm))
      if (!from.startsWith('.') && !isBuiltin(from)) packages.add(from)
  }
  return [...packages].sort()
}

beforeAll(async () => {
  const archive = await pack()
  for (const name of beside) {
    const place = join(app, 'node_modules', name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), place)
  }
  const installed = join(app, 'node_modules/tessera-graph')
  mkdirSync(installed)
  run('tar', ['-xzf', archive, '--strip-components=1', '-C', installed], folder)
  for (const name of readdirSync(join(root, 'examples/library'))) {
    if (name.endsWith('.ts')) cpSync(join(root, 'examples/library', name), join(app, name))
  }
  writeFileSync(join(app, 'package.json'), '{ "type": "module", "private": true }')
  writeFileSync(
    join(app, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'es2024',
        module: 'nodenext',
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        allowImportingTsExtensions: true,
        noEmit: true,
        types: ['node'],
        skipLibCheck: true,
      },
      include: ['*.ts'],
    }),
  )
})

test('every entry of the package has types, and what imports it type-checks', () => {
  run('npx', ['tsc', '-p', app], root)
  const entry = join(app, 'node_modules/tessera-graph')
  for (const name of [
    'gateway/index',
    'gateway/hosts/library',
    'gateway/hosts/apollo',
    'gateway/hosts/sandbox',
    'gateway/hooks/define',
    'subgraphs/kit/index',
    'subgraphs/index',
  ]) {
    expect(existsSync(join(entry, 'dist', `${name}.d.ts`)), name).toBe(true)
  }
  expect(packagesOfTypes(join(entry, 'dist'))).toEqual(['@apollo/server', 'graphql'])
})

test('what the pages and the comments of the entries show of the package type-checks', () => {
  const comments = ['index', 'hosts/handler', 'hosts/library', 'hosts/sandbox']
    .map((name) => `gateway/${name}`)
    .concat('subgraphs/kit/index')
    .flatMap((name) => {
      const text = readFileSync(join(root, `${name}.ts`), 'utf8')
      return [...text.matchAll(/^ \* ```ts\n([\s\S]*?)^ \* ```$/gm)].map(([, code = '']) =>
        code.replace(/^ \* ?/gm, ''),
      )
    })
  const pages = blocks().flatMap(({ language, text }) => (language === 'ts' ? [text] : []))
  const installed = new Set([...beside, 'tessera-graph', './books-subgraph.ts'])
  const shown = [...pages, ...comments].filter((text) => {
    const packages = [...text.matchAll(/ from '((?:@[\w-]+\/)?[^'/]+(?:\/books-subgraph.ts)?)/g)].map(
      ([, name = '']) => name,
    )
    return (
      packages.includes('tessera-graph') && packages.every((name) => installed.has(name) || isBuiltin(name))
    )
  })
  expect([comments.length, shown.length > 15]).toEqual([5, true])
  for (const [at, text] of shown.entries()) writeFileSync(join(app, `shown-${at}.ts`), `${text}\nexport {}\n`)
  try {
    run('npx', ['tsc', '-p', app], root)
  } finally {
    for (const at of shown.keys()) rmSync(join(app, `shown-${at}.ts`))
  }
})

test.skipIf(!isFull)('the types of the package are right for who checks those of libraries, too', () => {
  const entries = ['', '/engine', '/hooks', '/kit', '/sandbox', '/subgraphs']
  const imports = entries.map((name) => `export * from 'tessera-graph${name}'\n`)
  mkdirSync(join(app, 'strict'))
  for (const [at, text] of imports.entries()) writeFileSync(join(app, `strict/${at}.ts`), text)
  const compilerOptions = { skipLibCheck: false }
  writeFileSync(
    join(app, 'strict/tsconfig.json'),
    JSON.stringify({ extends: '../tsconfig.json', compilerOptions, include: ['*.ts'] }),
  )
  run('npx', ['tsc', '-p', join(app, 'strict')], root)
})

test('no entry of the package exports a name that its types do not have', () => {
  const entry = join(app, 'node_modules/tessera-graph')
  const { exports } = JSON.parse(readFileSync(join(entry, 'package.json'), 'utf8')) as {
    exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
  }
  const strange: string[] = []
  for (const [name, paths] of Object.entries(exports)) {
    if (typeof paths === 'string') continue
    const [, exported = ''] =
      /^export \{ (.+) \}(?: from "[^"]+")?;$/m.exec(readFileSync(join(entry, paths.default), 'utf8')) ?? []
    const names = exported.split(', ').map((each) => each.split(' as ').at(-1) ?? '')
    const types = readFileSync(join(entry, paths.types), 'utf8')
    const typed = [
      ...[...types.matchAll(/^export \{([^}]+)\}/gm)].flatMap(([, list = '']) => list.trim().split(/,\s*/)),
      ...[...types.matchAll(/^export declare (?:const|function) (\w+)/gm)].map(([, each]) => each),
    ]
    expect(names.length, name).toBeGreaterThan(0)
    strange.push(...names.filter((each) => !typed.includes(each)).map((each) => `${name}: ${each}`))
  }
  expect(strange).toEqual([])
})

test('a subgraph made with the kit is served as a function, in Fastify, and the own graph in Apollo Server', async () => {
  const sandbox = await startSandbox({ port: 0 })
  try {
    const { stdout: printed } = await execute(process.execPath, ['main.ts', sandbox.url], { cwd: app })
    expect(JSON.parse(printed)).toEqual({
      paged: {
        data: {
          books: {
            nodes: ['Emma', 'Ulysses', 'Dracula', 'Middlemarch'].map((title) => ({ title })),
            pageInfo: { hasNextPage: true },
            totalCount: 7,
          },
        },
      },
      looked: { data: { a: { title: 'Ulysses' }, b: { title: 'Persuasion' }, c: null } },
      lookUps: ['/books?ids=b2,b5,none'],
      refused: {
        status: 400,
        body: { errors: [expect.objectContaining({ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } })] },
      },
      videos: { data: { chartVideos: { nodes: [{ videoId: 'gpjq6LtmV2f' }] } } },
      subgraphNames: ['videos', 'agents', 'messages', 'metrics', 'nodes'],
    })
  } finally {
    await sandbox.close()
  }
})

test('the tests that docs/testing.md has for users run against the package', async () => {
  const page = readFileSync(join(root, 'docs/testing.md'), 'utf8')
  const [, written = ''] = /^```ts\n(import \{ startGraph \}[\s\S]*?)^```$/m.exec(page) ?? []
  writeFileSync(join(app, 'app.test.ts'), written)
  writeFileSync(join(app, 'vitest.config.ts'), 'export default {}')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--root', app, '--reporter', 'tap-flat', '--testTimeout', '120000']
  const { stdout } = await execute(process.execPath, args, { cwd: app, env: userEnvironment }).catch(
    (failed: { stdout: string }) => failed,
  )
  expect(stdout.match(/^(?:not )?ok .*/gm), stdout).toEqual(Array(3).fill(expect.stringMatching(/^ok /)))
})
