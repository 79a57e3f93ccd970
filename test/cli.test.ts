/** The command line as its user meets it: real processes, their output and their exit codes. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tessera-cli-'))

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

function start(args: readonly string[], env: Record<string, string> = {}, cwd = folder) {
  const child = spawn(process.execPath, [join(root, 'gateway/main.ts'), ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', NO_COLOR: '1', ...env },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (text) => {
    out += text
  })
  child.stderr.on('data', (text) => {
    err += text
  })
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, out, err })))
  /** Resolves with what a line of the output says behind a word. */
  const said = (word: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = new RegExp(`^${word}\\s+(\\S+)`, 'm').exec(out)?.[1]
        if (found !== undefined) resolve(found)
      }
      child.stdout.on('data', look)
      child.on('close', () => reject(new Error(`ended without saying ${word}: ${out}${err}`)))
      look()
    })
  return { child, ended, said }
}

const run = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  start(args, env).ended

describe('tessera', () => {
  test('tells its commands, each with an example', async () => {
    const { code, out } = await run(['--help'])
    expect(code).toBe(0)
    const names = [...out.matchAll(/^ {2}(\w+) {2,}/gm)].map(([, name]) => name ?? '')
    expect(names).toEqual(['serve', 'subgraph', 'sandbox', 'compose', 'check', 'token', 'upload', 'persist'])
    for (const name of names) {
      const help = await run([name, '--help'])
      expect([help.code, help.out]).toEqual([0, expect.stringMatching(/Example:\n {2}.*\btessera /)])
      expect(help.out).toMatch(/^Exit codes: 0 done, 1 .+, 2 .+\.$/m)
    }
  }, 60_000)

  test('takes no command that there is not', async () => {
    expect(await run(['sevre'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/no such command: sevre/),
    })
    expect((await run(['serve', '--prot', '1'])).code).toBe(2)
  })
})

describe('exit codes', () => {
  test.each([
    [],
    ['serve', 'extra'],
    ['subgraph'],
    ['subgraph', 'nobody'],
    ['sandbox', '--port', '65536'],
    ['compose', '--with'],
    ['check', '--colour'],
    ['token'],
    ['token', '--scope', 'a', '--expires', 'soon'],
    ['upload', 'walk.mp4'],
    ['upload', 'walk.mp4', '--title', 'A', 'long', 'walk'],
    ['persist'],
  ])('2 for wrong usage, with the usage: %s %s %s %s %s', async (...args) => {
    const { code, out, err } = await run(args.filter((arg) => arg !== undefined))
    expect(code).toBe(2)
    if (args[0] === undefined) expect(out).toContain('Commands:')
    else
      expect([out, err]).toEqual([
        '',
        expect.stringMatching(`^tessera ${args[0]}: .+\nUsage: tessera ${args[0]}`),
      ])
  })

  test.each(['serve', 'subgraph', 'check', 'token'])('2 for a wrong configuration: %s', async (name) => {
    const args = { serve: [], subgraph: ['videos'], check: [], token: ['--scope', 'a'] }[name] ?? []
    const { code, out, err } = await run([name, ...args], { TESSERA_MAX_DEPTH: 'deep' })
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^tessera.*(\n {2})?TESSERA_MAX_DEPTH: expected a whole number/)
  })

  test.each([
    ['serve', '--supergraph', 'nowhere.graphql', '--port', '0'],
    ['compose', '--with', 'nowhere.graphql'],
    ['upload', 'nowhere.mp4', '--title', 'a'],
    ['persist', 'nowhere'],
  ])('1 where it did not work out, with the reason in one line: %s', async (...args) => {
    const { code, out, err } = await run(args)
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(new RegExp(`^tessera ${args[0]}: .*nowhere.*\n$`))
  })

  test('1 for operations that do not fit the schema, each named with its file', async () => {
    const operations = mkdtempSync(join(tmpdir(), 'tessera-operations-'))
    writeFileSync(join(operations, 'a.graphql'), 'query A { vdeo { id } }')
    writeFileSync(join(operations, 'b.graphql'), 'query B {')
    const { code, out, err } = await run(['persist', operations])
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/a\.graphql: A: .*vdeo/)
    expect(err).toMatch(/b\.graphql: Syntax Error/)
  })

  test.each([['subgraph', 'metrics'], ['sandbox']])(
    '0 for %s that answers until it is told to stop, 1 where its port is in use',
    async (...args) => {
      const { child, said, ended } = start([...args, '--port', '0'])
      const url = await said(args.at(-1) ?? '')
      const { port, origin } = new URL(url)
      const answer =
        args[0] === 'sandbox'
          ? fetch(`${origin}/api/v1/status/buildinfo`)
          : fetch(url, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: '{"query":"{ metrics { buildInfo { version } } }"}',
            })
      expect(await (await answer).text()).toMatch(/"version":"/)
      const second = await run([...args, '--port', port])
      expect(second.code).toBe(1)
      expect(second.err).toMatch(/port.* in use/)
      child.kill('SIGTERM')
      expect((await ended).code).toBe(0)
    },
  )
})

/** `script` lends a command a terminal. */
const lender = spawnSync('script', ['--version'], { stdio: 'ignore' }).status === 0
if (!lender && process.env.CI === 'true')
  throw new Error('colour: no script on the PATH, and CI=true wants one')
if (!lender)
  process.stdout.write('skipped: colour (no script on the PATH; Debian\'s package is "bsdutils")\n')

test.skipIf(!lender)('colour is for terminals, and for nobody who set NO_COLOR', async () => {
  const check = (through: 'terminal' | 'pipe', env: Record<string, string>): Promise<string> =>
    new Promise((resolve) => {
      const command = [process.execPath, join(root, 'gateway/main.ts'), 'check']
      const [name = '', ...args] =
        through === 'pipe' ? command : ['script', '-qec', command.join(' '), '/dev/null']
      const child = spawn(name, args, { cwd: folder, env: { PATH: process.env.PATH ?? '', ...env } })
      let out = ''
      child.stdout.on('data', (text) => {
        out += text
      })
      child.on('close', () => resolve(out))
    })
  const painted = '\u001b['
  expect(await check('terminal', { TERM: 'xterm-256color' })).toContain(`${painted}32mvideos`)
  const plain = await Promise.all([
    check('terminal', { TERM: 'xterm-256color', NO_COLOR: '1' }),
    check('terminal', { TERM: 'dumb' }),
    check('pipe', { TERM: 'xterm-256color' }),
  ])
  for (const out of plain) {
    expect(out).toMatch(/^videos +sandbox +yes/m)
    expect(out).not.toContain(painted)
  }
})

describe('tessera serve', () => {
  test('says where everything is, answers, and ends well when told to', async () => {
    const { child, said, ended } = start(['serve', '--port', '0'])
    const url = await said('graph')
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ chartVideos(chart: MOST_POPULAR, first: 1) { totalCount } }"}',
    })
    expect(await response.json()).toEqual({ data: { chartVideos: { totalCount: 120 } } })
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  })

  test('names every wrong key and exits with 2', async () => {
    const { code, err } = await run(['serve'], {
      PORT: 'x',
      TESSERA_VIDEOS_URL: 'nowhere',
      TESSERA_TYPO: '1',
    })
    expect(code).toBe(2)
    for (const name of ['PORT', 'TESSERA_VIDEOS_URL', 'TESSERA_TYPO']) expect(err).toContain(name)
  })

  test('says in one line that a port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as { port: number }
    const { code, err } = await run(['serve', '--port', String(port)])
    taken.close()
    expect(code).toBe(1)
    expect(
      err
        .replace(/\(node.*\n/g, '')
        .trim()
        .split('\n'),
    ).toEqual([expect.stringContaining(`port ${port}`)])
  })

  test('refuses what is no supergraph', async () => {
    const file = join(folder, 'not-a-supergraph.graphql')
    writeFileSync(file, 'type Query { a: Int }')
    const { code, err } = await run(['serve', '--supergraph', file, '--port', '0'])
    expect(code).toBe(1)
    expect(err).toMatch(/supergraph/)
  })
})

describe('tessera token', () => {
  test('opens a refused field in the sandbox that shares its folder', async () => {
    const { child, said, ended } = start(['serve', '--port', '0'])
    const url = await said('graph')
    const { out } = await run(['token', '--scope', 'metrics.read'])
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${out.trim()}` },
      body: '{"query":"{ metrics { buildInfo { version } } }"}',
    })
    expect(await response.json()).toMatchObject({
      data: { metrics: { buildInfo: { version: expect.any(String) } } },
    })
    child.kill('SIGTERM')
    await ended
  })

  test('mints nothing as soon as one service is real', async () => {
    const { code, out, err } = await run(['token', '--scope', 'a'], {
      TESSERA_METRICS_URL: 'http://127.0.0.1:9090',
    })
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/only where every service is the sandbox/)
  })
})

test('tessera check tells each service, and fails where one cannot be reached', async () => {
  const good = await run(['check'])
  expect(good.code).toBe(0)
  expect(good.out).toMatch(/metrics +sandbox +yes +yes +\S+ +\d+ ms/)
  const bad = await run(['check'], { TESSERA_MESSAGES_URL: 'http://127.0.0.1:1' })
  expect(bad.code).toBe(1)
  expect(bad.out).toMatch(/messages +configured +no/)
})

test('tessera persist makes a manifest that a gateway of trusted operations executes', async () => {
  const manifest = join(folder, 'manifest.json')
  const made = await run(['persist', join(root, 'examples'), '--out', manifest])
  expect(made).toMatchObject({ code: 0, out: '' })
  const { operations } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    operations: { id: string; name: string }[]
  }
  const operation = operations.find(({ name }) => name === 'FirstSteps')
  const { child, said, ended } = start(['serve', '--port', '0'], {
    TESSERA_PERSISTED: 'trusted',
    TESSERA_PERSISTED_MANIFEST: manifest,
  })
  const url = await said('graph')
  const ask = async (
    body: unknown,
  ): Promise<{ data?: unknown; errors?: { extensions: { code: string } }[] }> =>
    (
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json() as never
  expect(
    (await ask({ extensions: { persistedQuery: { version: 1, sha256Hash: operation?.id } } })).data,
  ).toBeDefined()
  expect((await ask({ query: '{ __typename }' })).errors?.[0]?.extensions.code).toBe('PERSISTED_QUERY_ONLY')
  child.kill('SIGTERM')
  await ended
})

test('tessera compose joins a subgraph of somebody else, and names clashes with the cure', async () => {
  const file = join(folder, 'products.graphql')
  const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])\n'
  writeFileSync(
    file,
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

test('tessera upload sends a file, and goes on after it was interrupted', async () => {
  const film = join(folder, 'walk.mp4')
  const size = 40 * 1024 * 1024
  writeFileSync(film, Buffer.alloc(size, 7))
  const { child, said, ended } = start(['serve', '--port', '0'])
  const url = await said('graph')
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
    expect(interrupted.err).toMatch(/the same command goes on/)
    expect(second.out).toMatch(/going on/)
  }
  expect(readdirSync(memory)).toEqual([])
  child.kill('SIGTERM')
  await ended
}, 60_000)
