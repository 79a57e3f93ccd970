/** The commands, each with what it prints and leaves: real processes. */
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../support/deploy.ts'
import { answerFrom } from '../../support/graph.ts'
import { runInProcess as run, startInProcess } from '../../support/in-process-command.ts'
import { listen } from '../../support/listen.ts'
import { postJson } from '../../support/post-json.ts'
import { environment, main } from '../../support/process.ts'
import { supergraphOf } from '../../support/router.ts'
import { temporaryFile, temporaryFolder } from '../../support/temporary.ts'
import { until } from '../../support/wait.ts'
import { folder, runApart, standInFolder, start } from './command-line.ts'

standInFolder()

describe('tessera', () => {
  test('lists its commands, each with an example', async () => {
    const { code, out } = await run(['--help'])
    expect(code).toBe(0)
    const names = [...out.matchAll(/^ {2}(\w+) {2,}/gm)].map(([, name]) => name ?? '')
    const known =
      'check completion compose contract diff health init mcp new persist plan sandbox scopes serve subgraph supergraph token upload usage'
    expect([...names].sort().join(' ')).toBe(known)
    for (const name of names) {
      const help = await run([name, '--help'])
      expect([help.code, help.out]).toEqual([0, expect.stringMatching(/Example:\n {2}.*\btessera /)])
      expect(help.out).toMatch(/^Exit codes: 0 success, 1 .+, 2 .+\.$/m)
    }
  })

  test('describes itself and its commands in lines that a terminal of 80 columns does not break', async () => {
    for (const command of [[], ['serve'], ['check'], ['supergraph']]) {
      const { out } = await run([...command, '--help'])
      const [described] = out.split('\nExample:')
      expect(described?.split('\n').filter((line) => line.length > 80)).toEqual([])
    }
    expect((await run(['serve', '--help'])).out).toContain(
      '[--supergraph FILE|URL]\n              [--sandbox URL]',
    )
  })
})

/** `script` lends a command a terminal. */
const lender = spawnSync('script', ['--version'], { stdio: 'ignore' }).status === 0
if (!lender && process.env.CI === 'true')
  throw new Error('colour: no script on the PATH, and CI=true wants one')
if (!lender)
  process.stdout.write('skipped: colour (no script on the PATH; Debian\'s package is "bsdutils")\n')

test.skipIf(!lender)('output is coloured at a terminal only, and not if NO_COLOR is set', async () => {
  const check = (through: 'terminal' | 'pipe', env: Record<string, string>): Promise<string> =>
    new Promise((resolve) => {
      const command = [process.execPath, main, 'check']
      const [name = '', ...args] =
        through === 'pipe' ? command : ['script', '-qec', command.join(' '), '/dev/null']
      const child = spawn(name, args, { cwd: folder, env: { ...environment(), ...env } })
      let out = ''
      child.stdout.on('data', (text) => {
        out += text
      })
      child.on('close', () => resolve(out))
    })
  const painted = '\u001b['
  expect(await check('terminal', { TERM: 'xterm-256color' })).toContain(`${painted}32mok      videos`)
  const plain = await Promise.all([
    check('terminal', { TERM: 'xterm-256color', NO_COLOR: '1' }),
    check('terminal', { TERM: 'dumb' }),
    check('pipe', { TERM: 'xterm-256color' }),
  ])
  for (const out of plain) {
    expect(out).toMatch(/^ok +videos +sandbox /m)
    expect(out).not.toContain(painted)
  }
})

test('tessera plan prints how an operation is fetched', async () => {
  const file = temporaryFile('plan.graphql', '{ video(videoId: "1") { videoId } } ')
  const supergraph = join(root, 'schema/supergraph.graphql')
  const plan = { code: 0, out: 'fetch videos\n  { video(videoId: "1") { videoId } }\n', err: '' }
  expect(await run(['plan', file, '--supergraph', supergraph])).toEqual(plan)
  expect(await run(['plan', file])).toEqual(plan)
  writeFileSync(file, '{ nowhere video(videoId: "1") { title } }')
  const refused = await run(['plan', file, '--supergraph', supergraph])
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Cannot query field "nowhere"')])
  expect(refused.err).toContain('Did you mean "snippet { title }" or ')
  for (const [text, args, names] of [
    ['query A { __typename } query B { __typename }', [], 'A, B'],
    ['query A { __typename }', ['--operation', 'C'], 'A'],
  ] as const) {
    writeFileSync(file, text)
    const { code, err } = await run(['plan', file, '--supergraph', supergraph, ...args])
    const said = `--operation has to name an operation of ${file}: ${names}`
    expect([code, err]).toEqual([2, expect.stringContaining(said)])
  }
  expect((await run(['plan'])).code).toBe(2)
  expect((await run(['plan', file, '--supergraph', file])).code).toBe(1)
})

test('tessera persist takes operations of another supergraph', async () => {
  const shop = { name: 'shop', url: 'http://127.0.0.1:1', sdl: 'type Query { items: [Int!] }' }
  const supergraph = temporaryFile('supergraph.graphql', supergraphOf([shop]))
  const operations = temporaryFolder()
  writeFileSync(join(operations, 'items.graphql'), 'query items { items }')
  const { code, out } = await run(['persist', operations, '--supergraph', supergraph])
  expect([code, JSON.parse(out).operations.map(({ name }: { name: string }) => name)]).toEqual([0, ['items']])
})

test('tessera persist makes a manifest that a gateway of trusted operations executes', async () => {
  const manifest = join(folder, 'manifest.json')
  const operationsFolder = join(folder, 'operations')
  mkdirSync(operationsFolder)
  copyFileSync(join(root, 'examples/first-query.graphql'), join(operationsFolder, 'first-query.graphql'))
  const made = await run(['persist', operationsFolder, '--out', manifest])
  expect(made).toMatchObject({ code: 0, out: '' })
  const { operations } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    operations: { id: string; name: string }[]
  }
  const operation = operations.find(({ name }) => name === 'FirstSteps')
  await using serve = startInProcess(['serve', '--port', '0'], {
    TESSERA_PERSISTED: 'trusted',
    TESSERA_PERSISTED_MANIFEST: manifest,
  })
  const url = await serve.said('graph')
  const ask = async (body: unknown) => answerFrom(await postJson(url, body))
  const extensions = { persistedQuery: { version: 1, sha256Hash: operation?.id } }
  expect((await ask({ extensions })).data).toBeDefined()
  expect((await ask({ query: '{ __typename }' })).errors[0]?.extensions.code).toBe('PERSISTED_QUERY_ONLY')
})

test('tessera compose adds a foreign subgraph, and names clashes with their cure', async () => {
  const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])\n'
  const file = temporaryFile(
    'products.graphql',
    `${link}type Query { products: [Product!]! } type Product { sku: ID! video: Video } type Video @key(fields: "videoId", resolvable: false) { videoId: ID! }`,
  )
  const joined = await run(['compose', '--with', file])
  expect(joined.code).toBe(0)
  expect(joined.out).toContain('PRODUCTS @join__graph(name: "products"')
  writeFileSync(file, `${link}type Query { chartVideos: Int }`)
  const clash = await run(['compose', '--with', file])
  expect(clash.code).toBe(1)
  expect(clash.err).toMatch(/chartVideos/)
})

test('tessera upload sends a file, and continues after an interruption', async () => {
  const film = temporaryFile('walk.mp4', Buffer.alloc(40 * 1024 * 1024, 7))
  await using serve = startInProcess(['serve', '--port', '0'])
  const url = await serve.said('graph')
  const args = ['upload', film, '--title', 'A long walk', '--url', url]
  const first = start(args)
  const memory = join(folder, '.tessera', 'uploads')
  while (!existsSync(memory) || readdirSync(memory).length === 0)
    await new Promise((resolve) => setTimeout(resolve, 5))
  first.child.kill('SIGINT')
  const interrupted = await first.ended
  const second = await run(args)
  expect(second.code).toBe(0)
  expect(second.out).toMatch(/^id {4}\S+$/m)
  if (interrupted.code !== 0) {
    expect(interrupted.err).toMatch(/the same command continues/)
    expect(second.out).toMatch(/continuing/)
  }
  expect(second.out).toMatch(/^41\.9 of 41\.9 MB \(100 %\)$/m)
  expect(second.out).toMatch(/^uploaded 41943040 bytes$/m)
  const video = /^video (\S+)$/m.exec(second.out)?.[1]
  const third = await run(args)
  expect(third.code).toBe(0)
  expect(third.out).toMatch(/already uploaded/)
  expect(/^video (\S+)$/m.exec(third.out)?.[1]).toBe(video)
  const again = await run([...args, '--again'])
  expect(again.code).toBe(0)
  expect(/^video (\S+)$/m.exec(again.out)?.[1]).not.toBe(video)
})

test('prints its version, and describes a command by help as by --help', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  for (const name of ['--version', '-v'])
    expect(await runApart([name])).toEqual({ code: 0, out: `${version}\n`, err: '' })
  expect(await run(['help', 'token'])).toEqual(await run(['token', '--help']))
  expect((await runApart(['help', 'nothing'])).code).toBe(2)
})

test.each([
  ['no GraphQL', 'garbage {{{'],
  ['another schema', 'type Query { a: Int }'],
])('a supergraph that is %s is reported in one sentence without a stack', async (_what, text) => {
  const file = temporaryFile('other.graphql', text)
  const { code, err } = await run(['serve', '--supergraph', file], { PORT: '0' })
  expect([code, err.trim().split('\n').length]).toEqual([1, 1])
  expect(err).toContain(file)
  expect(err).not.toMatch(/ at .*\.ts/)
})

test.each(['no JSON', '[]', '{"operations":[{"id":"a"}]}'])(
  'a manifest that holds %s is reported in one sentence without a stack',
  async (text) => {
    const file = temporaryFile('manifest-garbage.json', text)
    const { code, err } = await run(['serve', '--port', '0'], {
      TESSERA_PERSISTED: 'trusted',
      TESSERA_PERSISTED_MANIFEST: file,
    })
    expect([code, err.trim().split('\n').length]).toEqual([1, 1])
    expect(err).not.toMatch(/ at .*\.ts/)
  },
)

test.each([
  ['a real service', { TESSERA_METRICS_URL: 'http://127.0.0.1:9' }, [], /real services: metrics; no key/],
  [
    'a supergraph',
    {},
    ['--supergraph', join(root, 'schema/supergraph.graphql')],
    /subgraphs are remote.*no key/,
  ],
])(
  'with %s and no key, serve names the scopes that are closed and how to open them',
  async (_, env, more, because) => {
    await using serve = startInProcess(['serve', '--port', '0', ...more], env)
    await expect.poll(serve.output).toMatch(/TESSERA_JWT_SECRET/)
    const out = serve.output()
    expect(out).toMatch(/^scopes +closed: .*metrics\.read/m)
    expect(out).toMatch(because)
  },
)

test('tessera compose writes the addresses that are given, and ends with a newline', async () => {
  const { code, out } = await run(['compose', '--url', 'videos=http://videos.example/graphql'], {
    TESSERA_METRICS_SUBGRAPH_URL: 'http://metrics.example/graphql',
    TESSERA_SUBGRAPH_SECRET: 'the secret of gateways',
  })
  expect(code).toBe(0)
  expect(out).toMatch(/@join__graph\(name: "videos", url: "http:\/\/videos\.example\/graphql"\)/)
  expect(out).toMatch(/url: "http:\/\/metrics\.example\/graphql"/)
  expect(out).toMatch(/url: "http:\/\/127\.0\.0\.1:4002\/graphql"/)
  expect(out.endsWith('}\n')).toBe(true)
  expect((await run(['compose', '--url', 'nobody=http://a'])).code).toBe(2)
  const file = temporaryFile('books.graphql', 'type Query { books: [String!]! }')
  const books = 'http://books.example/graphql'
  const both = await run(['compose', '--with', `books=${file}`, '--url', `books=${books}`])
  expect([both.code, both.out]).toEqual([0, expect.stringContaining(`name: "books", url: "${books}"`)])
})

test('tessera sandbox prints what it holds, with addresses that answer; --list prints only that', async () => {
  await using sandbox = startInProcess(['sandbox', '--port', '0'])
  const url = await sandbox.said('sandbox')
  await sandbox.said('metrics')
  const out = sandbox.output()
  for (const sample of [
    '1780054525952000000',
    'u62wyH56M7e',
    'projects/demo/agent/intents/',
    `${url}/media/v3`,
  ])
    expect(out).toContain(sample)
  const listed = await run(['sandbox', '--list', '--namespace', 'youtube'])
  expect(listed).toMatchObject({ code: 0, err: '' })
  expect(listed.out).toMatch(/^videos at \/youtube\/v3$/m)
})

test('tessera sandbox --control lets its clients change its data; without it they cannot', async () => {
  const changed = async (args: readonly string[]) => {
    await using sandbox = startInProcess(['sandbox', '--port', '0', ...args])
    const url = await sandbox.said('sandbox')
    const { status } = await fetch(`${url}/__control/change`, {
      method: 'POST',
      body: JSON.stringify({ service: 'videos', videoId: 'u62wyH56M7e', comment: 'Nice' }),
    })
    const threads = await fetch(`${url}/media/v3/commentThreads?part=snippet&videoId=u62wyH56M7e`)
    const text = await threads.text()
    return { status, isThere: text.includes('"Nice"') }
  }
  expect(await changed([])).toEqual({ status: 404, isThere: false })
  expect(await changed(['--control'])).toEqual({ status: 204, isThere: true })
})

test('a subgraph service warns if it leaves scopes to the router in front', async () => {
  const startOf = async (name: string, env: Record<string, string>): Promise<string> => {
    const subgraph = startInProcess(['subgraph', name, '--port', '0'], env)
    await subgraph.said(name)
    await subgraph[Symbol.asyncDispose]()
    return subgraph.output()
  }
  const secret = { TESSERA_SUBGRAPH_SECRET: 'the secret of gateways' }
  expect(await startOf('metrics', secret)).toMatch(
    /^WARNING +scopes are not checked here: every router that has TESSERA_SUBGRAPH_SECRET .*TESSERA_SUBGRAPH_SCOPES=true/m,
  )
  expect(await startOf('metrics', {})).toMatch(/^WARNING .*everybody who reaches this port/m)
  expect(await startOf('metrics', { ...secret, TESSERA_SUBGRAPH_SCOPES: 'true' })).not.toContain('WARNING')
  expect(await startOf('nodes', secret)).not.toContain('WARNING')
})

test('a subgraph service that has ended leaves no connection to the key set by which it checked callers', async () => {
  // The connection would be kept for minutes.
  await using keys = await listen(
    createServer({ keepAliveTimeout: 0 }, (_, response) =>
      response.setHeader('keep-alive', 'timeout=600').end('{"keys":[]}'),
    ),
  )
  const header = { alg: 'ES256', kid: 'one' }
  const token = [header, { sub: 'demo' }, {}]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  {
    await using subgraph = startInProcess(['subgraph', 'metrics', '--port', '0'], {
      TESSERA_SUBGRAPH_SCOPES: 'true',
      TESSERA_JWT_JWKS_URL: `${keys.url}/keys`,
    })
    const url = await subgraph.said('metrics')
    await postJson(url, { query: '{ __typename }' }, { authorization: `Bearer ${token}` })
    expect(keys.sockets.size).toBe(1)
  }
  await until(() => keys.sockets.size === 0, 'the end of the connection')
})
