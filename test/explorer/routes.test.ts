/** The HTTP responses of the explorer, with a small page of the test instead of the built one. */
import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadSupergraph } from '../../engine/supergraph/index.ts'
import { openBundle } from '../../explorer/bundle.ts'
import { type ExplorerOptions, explorerRoutes } from '../../explorer/index.ts'
import { typeOwners } from '../../explorer/type-owners.ts'
import { scopesOf } from '../../gateway/auth/scope-offers.ts'
import { createHostCheck } from '../../gateway/server/host-check.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import { allScopes, startGraph } from '../support/graph.ts'
import { postJson } from '../support/post-json.ts'
import { serveRoutes } from '../support/routes.ts'
import { temporaryFolder } from '../support/temporary.ts'

const script = 'document.title = "built"\n'
let folder = ''
beforeAll(async () => {
  folder = temporaryFolder()
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<script type="application/json" id="settings">{}</script>')
  await writeFile(join(folder, 'secret.js'), 'outside of assets')
  await writeFile(join(folder, 'assets/page-1.js'), script)
  await writeFile(join(folder, 'assets/page-1.js.br'), brotliCompressSync(script))
  await writeFile(join(folder, 'assets/page-1.js.gz'), gzipSync(script))
  await writeFile(join(folder, 'assets/notes.txt'), 'of no known type')
})

const scopes = [
  { name: 'media.owner', opens: ['Video.fileDetails'], services: ['videos'] },
  { name: '</script>', opens: [], services: [] },
]
const examples = [{ id: 'one', title: 'One', note: '</script>', document: '{ one }' }]
const minted: string[] = []
const mint: ExplorerOptions['mint'] = async (scope) => {
  minted.push(scope)
  return { token: 'a-token', expiresIn: 60 }
}

const front = (options: Partial<ExplorerOptions> = {}) =>
  serveRoutes(
    explorerRoutes({
      mode: 'auto',
      scopes: () => scopes,
      examples: () => examples,
      isOwnHost: createHostCheck([]),
      bundle: () => openBundle(pathToFileURL(`${folder}/`)),
      ...options,
    }),
  )
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

test('a browser gets the page with its settings, which can end no element of it', async () => {
  const { status, headers, text } = await (await front({ mint })).ask('/', { headers: browser })
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['x-frame-options']).toBe('DENY')
  expect(headers.vary).toBe('accept')
  const [, settings = ''] = /id="settings">(.*)<\/script>$/.exec(text) ?? []
  expect(settings).not.toContain('<')
  expect(JSON.parse(settings)).toEqual({ mode: 'auto', minting: true, scopes, examples })
})

test('if the page signs in, it may call the issuer, and knows its client id', async () => {
  const signIn = { issuer: 'https://id.example.com/realms/a', clientId: 'page', resource: undefined }
  const { headers, text } = await (await front({ signIn })).ask('/', { headers: browser })
  const policy = String(headers['content-security-policy']).split('; ')
  expect(policy).toContain("connect-src 'self' https://id.example.com")
  const [, settings = ''] = /id="settings">(.*)<\/script>$/.exec(text) ?? []
  expect(JSON.parse(settings).signIn).toEqual({ issuer: signIn.issuer, clientId: 'page' })
})

test("the page loads only from itself; from Apollo's two hosts only at the address that shows Sandbox", async () => {
  const policyOf = async (mode: ExplorerOptions['mode'], path = '/') => {
    const { headers } = await (await front({ mode })).ask(path, { headers: browser })
    return String(headers['content-security-policy']).split('; ')
  }
  const sandbox = '/?editor=sandbox'
  for (const policy of [await policyOf('auto', sandbox), await policyOf('sandbox')]) {
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self' https://embeddable-sandbox.cdn.apollographql.com")
    expect(policy).toContain('frame-src https://sandbox.embed.apollographql.com')
    expect(policy).toContain("connect-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy.join().match(/https?:/g)?.length).toBe(2)
  }
  for (const policy of [
    await policyOf('auto'),
    await policyOf('auto', '/?editor=built-in&x=editor=sandbox'),
    await policyOf('built-in', sandbox),
  ])
    expect(policy.join()).not.toMatch(/https?:/)
})

test('the services that own the types are listed, but not if clients may not read the schema', async () => {
  const owners = { types: { Video: ['videos'] }, fields: {} }
  const told = await (await front({ owners: () => owners })).ask('/explorer/owners')
  expect([told.status, JSON.parse(told.text)]).toEqual([200, owners])
  expect((await (await front({ owners: undefined })).ask('/explorer/owners')).status).toBe(404)
})

test('each type and field of our own graph that clients see has its owners, each scope its services', () => {
  const supergraph = loadSupergraph(readSchemaFile('supergraph'))
  const { types, fields } = typeOwners(supergraph, supergraph.apiSchema)
  expect(types.Query).toEqual(['agents', 'messages', 'metrics', 'nodes', 'videos'])
  expect(fields['Query.video']).toEqual(['videos'])
  expect(fields['Query.node']).toEqual(['nodes'])
  expect(types.MetricsSeries ?? types.Metrics).toEqual(['metrics'])
  const services = new Map(
    scopesOf(supergraph, supergraph.apiSchema).map((scope) => [scope.name, scope.services]),
  )
  expect(services.get('media.owner')).toEqual(['videos'])
  expect(services.get('tweet.read')).toEqual(['messages'])
  expect([...services.values()].every((list) => list.length > 0)).toBe(true)
})

test('a client that does not ask for HTML gets a few lines with the paths that are served', async () => {
  for (const headers of [
    {},
    { accept: '*/*' },
    { accept: 'application/json' },
    { accept: 'text/html;q=0, */*' },
  ]) {
    const { status, headers: got, text } = await (await front()).ask('/', { headers })
    expect([status, got['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(text).toContain('/graphql')
    expect(text).toContain('/health/ready')
  }
})

test('switched off there is no page, no file of it and no token, only the lines', async () => {
  const app = await front({ mode: 'off', mint })
  expect((await app.ask('/', { headers: browser })).headers['content-type']).toMatch(/^text\/plain/)
  expect((await app.ask('/explorer/assets/page-1.js')).status).toBe(404)
  const asked = await app.ask('/explorer/token', { method: 'POST', body: '{"scope":""}' })
  expect(asked.status).toBe(404)
})

test('if the page is not built, the lines say what to run', async () => {
  const app = await front({ bundle: () => openBundle(new URL('file:///nowhere/at/all/')) })
  const { status, text } = await app.ask('/', { headers: browser })
  expect(status).toBe(200)
  expect(text).toContain('npm run prepare')
})

test('if there is nothing to build with, building says so and fails nothing', async () => {
  const elsewhere = join(folder, 'build.ts')
  for (const name of ['build.ts', 'take-place.ts'])
    await copyFile(new URL(`../../explorer/${name}`, import.meta.url), join(folder, name))
  const { status, stdout } = spawnSync(process.execPath, [elsewhere], { encoding: 'utf8', cwd: folder })
  expect([status, stdout]).toEqual([0, expect.stringContaining('development dependencies are not installed')])
})

test('files are sent in an encoding that the browser accepts, and cached forever', async () => {
  const app = await front()
  const get = (encodings?: string) =>
    app.ask('/explorer/assets/page-1.js', {
      headers: encodings === undefined ? {} : { 'accept-encoding': encodings },
    })
  const [plain, gzip, brotli, refused] = await Promise.all([
    get(),
    get('gzip, deflate'),
    get('gzip, br'),
    get('br;q=0'),
  ])
  expect(plain.text).toBe(script)
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(gzip.headers['content-encoding']).toBe('gzip')
  expect(brotli.headers['content-encoding']).toBe('br')
  expect(brotli.bytes).toEqual(brotliCompressSync(script))
  expect(refused.text).toBe(script)
  expect(brotli.headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect(brotli.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(brotli.headers.vary).toBe('accept-encoding')
  expect(brotli.headers['content-security-policy']).toBe("default-src 'none'; script-src 'self'")
})

test('a name that the build did not make is no file', async () => {
  const app = await front()
  for (const name of [
    'nothing.js',
    'notes.txt',
    'page-1.js.br',
    '..%2Fsecret.js',
    '..%2Findex.html',
    '%2e%2e%2fsecret.js',
    '__proto__.js',
  ]) {
    const { status } = await app.ask(`/explorer/assets/${name}`)
    expect([name, status]).toEqual([name, 404])
  }
})

describe('a token', () => {
  const ask = async (headers: Record<string, string>, payload: unknown = { scope: 'media.owner' }) =>
    (await front({ mint, isOwnHost: createHostCheck(['graph.example']) })).ask('/explorer/token', {
      method: 'POST',
      headers: { host: 'graph.example:4000', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(payload),
    })

  test('is made for the page itself, and is not kept by anything on the way', async () => {
    const { status, headers, text } = await ask({
      origin: 'http://graph.example:4000',
      'sec-fetch-site': 'same-origin',
    })
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual({ token: 'a-token', expiresIn: 60 })
    expect(headers['cache-control']).toBe('no-store')
    expect(minted.at(-1)).toBe('media.owner')
  })

  test('is refused to pages of other origins, whatever CORS allows', async () => {
    const before = minted.length
    for (const headers of [
      { origin: 'https://studio.apollographql.com' },
      { origin: 'http://graph.example:4001' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'http://graph.example:4000' },
      { 'sec-fetch-site': 'none' },
    ])
      expect([headers, (await ask(headers)).status]).toEqual([headers, 403])
    expect(minted.length).toBe(before)
  })

  test('holds scopes of this graph and no others', async () => {
    const before = minted.length
    for (const payload of [
      {},
      { scope: 'root' },
      { scope: 'media.owner root' },
      { scope: ['media.owner'] },
      { scope: 'media.owner', subject: 'admin' },
      { scope: 'media.owner', expires: '365d' },
      null,
    ])
      expect([payload, (await ask({}, payload)).status]).toEqual([payload, 400])
    // The types that a browser sends for a page of another site without asking first.
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect([type, (await ask({ 'content-type': type })).status]).toEqual([type, 415])
    expect(minted.length).toBe(before)
  })
})

test('the gateway makes tokens if all services are the sandbox; with its own key it makes none', async () => {
  await using graph = await startGraph()
  const { origin } = new URL(graph.url)
  const ask = (url: string) => postJson(`${url}/explorer/token`, { scope: 'metrics.read' })
  const { token } = (await (await ask(origin)).json()) as { token: string }
  const query = '{ metrics { buildInfo { version } ruleGroups { name } } }'
  const { data, errors } = await graph.ask(
    query,
    {},
    { scope: null, headers: { authorization: `Bearer ${token}` } },
  )
  expect(data.metrics.buildInfo.version).toEqual(expect.any(String))
  expect(errors.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHORIZED_FIELD_OR_TYPE'])

  await using guarded = await startGraph({ env: { TESSERA_JWT_SECRET: 'x'.repeat(32) } })
  const { origin: elsewhere } = new URL(guarded.url)
  expect((await ask(elsewhere)).status).toBe(404)
})

test('every scope that the graph knows is offered, with fields that ask for it', () => {
  const supergraph = loadSupergraph(readSchemaFile('supergraph'))
  const offered = scopesOf(supergraph, supergraph.apiSchema)
  expect(offered.map(({ name }) => name)).toEqual(allScopes.split(' ').sort())
  expect(offered.find(({ name }) => name === 'media.owner')?.opens).toContain('Video.fileDetails')
  for (const { opens } of offered) expect(opens.length).toBeGreaterThan(0)
})

/** Asks for a token as a page would that reaches this server by this name. */
const askAs = async (host: string, ownHosts: readonly string[]) =>
  (await front({ mint, isOwnHost: createHostCheck(ownHosts) })).ask('/explorer/token', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      host,
      origin: `http://${host}`,
      'sec-fetch-site': 'same-origin',
    },
    body: JSON.stringify({ scope: 'media.owner' }),
  })

test.each(['rebound.example', 'rebound.example:4000', '127.0.0.1.rebound.example', '[::1', ''])(
  'no token is made for a page that reaches this server as %j',
  async (host) => {
    minted.length = 0
    const { status } = await askAs(host, [])
    expect([status, minted]).toEqual([403, []])
  },
)

test.each(['localhost:4000', '127.0.0.1:4000', '[::1]:4000', 'graph.example'])(
  'a token is made if this server is reached as %s, one of its own names',
  async (host) => {
    expect((await askAs(host, ['Graph.example'])).status).toBe(200)
  },
)
