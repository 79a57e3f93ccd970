/** Supergraphs as artifacts of a registry, against Debian's `docker-registry`. */
import { createHash, X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importPKCS8, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { makeCertificate } from '../../support/certificate.ts'
import { raw, type Script, startFaultyServer } from '../../support/faulty-server.ts'
import { runInProcess } from '../../support/in-process-command.ts'
import { startRegistry, withRegistry } from '../../support/registry.ts'
import { shop, supergraphOf } from '../../support/router.ts'
import { testSources, textOrReason } from '../../support/sources.ts'
import { temporaryFiles } from '../../support/temporary.ts'

const { folder, file } = temporaryFiles()
const supergraph = supergraphOf([{ name: 'products', sdl: shop.products.sdl, url: 'http://127.0.0.1:1/g' }])
const other = supergraphOf([{ name: 'reviews', sdl: shop.reviews.sdl, url: 'http://127.0.0.1:1/g' }])
const good = file('supergraph.graphql', supergraph)
const next = file('other.graphql', other)

const push = (path: string, to: string, env = {}) => runInProcess(['supergraph', 'push', path, to], env)
const digestIn = (out: string): string => /sha256:[0-9a-f]{64}/.exec(out)?.[0] ?? ''
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const login = (host: string, password: string): string =>
  file(
    `config-${password}.json`,
    JSON.stringify({ auths: { [host]: { auth: Buffer.from(`reader:${password}`).toString('base64') } } }),
  )

describe.runIf(withRegistry('artifacts of a registry'))('a registry', () => {
  test('gives by tag and by digest what was pushed to it, and the other text once the tag has moved', async () => {
    await using registry = await startRegistry()
    const tagged = `oci://${registry.host}/graphs/shop:production`
    const pushed = await push(good, tagged)
    expect([pushed.code, pushed.err]).toEqual([0, ''])
    const byTag = testSources(tagged)
    const byDigest = testSources(`oci://${registry.host}/graphs/shop@${digestIn(pushed.out)}`)
    expect(await textOrReason(byTag.chain)).toBe(supergraph)
    expect(await textOrReason(byDigest.chain)).toBe(supergraph)
    expect(await byTag.chain.poll()).toBe(false)
    expect((await push(next, tagged)).code).toBe(0)
    expect(await byTag.chain.poll()).toBe(true)
    expect(await byDigest.chain.poll()).toBe(false)
    expect(await textOrReason(byTag.chain)).toBe(other)
    const fetched = await runInProcess(['supergraph', 'fetch', tagged])
    expect([fetched.code, fetched.out]).toEqual([0, other])
  })

  test('says that an unknown artifact does not exist, and gets nothing pushed that is no supergraph', async () => {
    await using registry = await startRegistry()
    const { chain } = testSources(`oci://${registry.host}/graphs/shop`)
    expect(await textOrReason(chain)).toContain('the registry has no such artifact')
    const wrong = await push(file('wrong.graphql', 'type Query { a: Int }'), `oci://${registry.host}/a:b`)
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('not a supergraph')])
    expect(readdirSync(join(registry.folder, 'data'))).toEqual([])
  })

  test('with names and passwords is called only with those of the file, and no message has them', async () => {
    const users = 'reader:$2b$04$VfIBLOtiYZ5GfGkgvkndqeJaoLvd1fqJ.DtvmtpbH7RTJw1FI15sq\n'
    await using registry = await startRegistry({ users })
    const to = `oci://${registry.host}/shop:v1`
    expect((await push(good, to)).err).toContain('TESSERA_OCI_CONFIG has none for it')
    const wrong = await push(good, to, { TESSERA_OCI_CONFIG: login(registry.host, 'hunter3') })
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('answered 401')])
    expect(wrong.err).not.toMatch(/hunter|cmVhZGVy/)
    const right = login(registry.host, 'hunter2')
    expect((await push(good, to, { TESSERA_OCI_CONFIG: right })).code).toBe(0)
    expect(await textOrReason(testSources(to, { ociCredentials: right }).chain)).toBe(supergraph)
    expect(await textOrReason(testSources(to, { ociCredentials: file('none.json', '{}') }).chain)).toContain(
      'expected JSON with `auths`',
    )
  })

  test('with tokens is asked with one of its token service, which gets the name and the password', async () => {
    makeCertificate(folder, 'tokens')
    const key = await importPKCS8(readFileSync(join(folder, 'tokens.key'), 'utf8'), 'ES256')
    const certificate = new X509Certificate(readFileSync(join(folder, 'tokens.pem')))
    const asked: { readonly scope: string | null; readonly authorization: string | undefined }[] = []
    await using service = await serving(async (response, { url, headers }) => {
      const scope = new URL(url, 'http://a').searchParams.get('scope')
      asked.push({ scope, authorization: headers.authorization })
      const [type, name, actions = ''] = scope?.split(':') ?? []
      const token = await new SignJWT({ access: [{ type, name, actions: actions.split(',') }] })
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT', x5c: [certificate.raw.toString('base64')] })
        .setIssuer('tests')
        .setAudience('the registry')
        .setSubject('reader')
        .setIssuedAt()
        .setNotBefore('-10s')
        .setExpirationTime('5m')
        .sign(key)
      response.end(JSON.stringify({ token, expires_in: 300 }))
    })
    const rootcertbundle = join(folder, 'tokens.pem')
    const token = { realm: `${service.url}/token`, service: 'the registry', issuer: 'tests', rootcertbundle }
    await using registry = await startRegistry({ token })
    const to = `oci://${registry.host}/graphs/shop:v1`
    const ociCredentials = login(registry.host, 'hunter2')
    const pushed = await push(good, to, { TESSERA_OCI_CONFIG: ociCredentials })
    expect([pushed.code, pushed.err]).toEqual([0, ''])
    const { chain } = testSources(to, { ociCredentials })
    expect(await textOrReason(chain)).toBe(supergraph)
    expect(await chain.poll()).toBe(false)
    const authorization = `Basic ${Buffer.from('reader:hunter2').toString('base64')}`
    expect(asked).toEqual([
      { scope: 'repository:graphs/shop:pull,push', authorization },
      { scope: 'repository:graphs/shop:pull', authorization },
    ])
  })

  test("with a changed layer is refused: its digest differs from the manifest's", async () => {
    await using registry = await startRegistry()
    const to = `oci://${registry.host}/shop:v1`
    await push(good, to)
    const digest = sha256(supergraph)
    const path = `docker/registry/v2/blobs/sha256/${digest.slice(0, 2)}/${digest}/data`
    writeFileSync(join(registry.folder, 'data', path), supergraph.replace('Product', 'Prodoct'))
    const { chain, notes } = testSources(to)
    expect(await textOrReason(chain)).toContain('differs from the one in the manifest')
    expect(notes).toMatchObject([{ result: 'refused' }])
  })
})

async function serving(script: Script) {
  const server = await startFaultyServer(script)
  return { ...server, host: new URL(server.url).host }
}

const layer = (text: string, more = {}) => ({
  mediaType: 'application/apollo.schema',
  digest: `sha256:${sha256(text)}`,
  size: Buffer.byteLength(text),
  ...more,
})

test('a blob that lies elsewhere is fetched there without the proof for the registry', async () => {
  await using store = await serving(raw('the text', {}))
  await using registry = await serving((response, { url, headers }) => {
    if (headers.authorization === undefined)
      response.writeHead(401, { 'www-authenticate': 'Basic realm="a"' }).end()
    else if (url.includes('/blobs/')) response.writeHead(307, { location: `${store.url}/blob` }).end()
    else response.end(JSON.stringify({ layers: [layer('the text')] }))
  })
  const ociCredentials = login(registry.host, 'hunter2')
  const { chain } = testSources(`oci://${registry.host}/shop:v1`, { ociCredentials })
  expect(await textOrReason(chain)).toBe('the text')
  expect(registry.arrived.at(-1)?.headers.authorization).toMatch(/^Basic /)
  expect(store.arrived.map(({ headers }) => headers.authorization)).toEqual([undefined])
})

test.each<[string, object, RegExp]>([
  ['an index of manifests', { manifests: [] }, /not that of an artifact/],
  ['no layer that is one', { layers: [layer('a', { mediaType: 'text/plain' })] }, /has 0 layers/],
  ['two layers that are one', { layers: [layer('a'), layer('b')] }, /has 2 layers/],
  ['a layer that is too large', { layers: [layer('a', { size: 1e9 })] }, /larger than 1000000 bytes/],
  ['a layer that is larger than it says', { layers: [layer('long', { size: 2 })] }, /too-large/],
  ['a layer of another kind of digest', { layers: [layer('a', { digest: 'md5:1' })] }, /no SHA-256 digest/],
])('an artifact with %s is refused', async (_what, manifest, reason) => {
  await using registry = await serving((response, { url }) => {
    response.end(url.includes('/blobs/') ? 'long' : JSON.stringify(manifest))
  })
  const { chain, notes } = testSources(`oci://${registry.host}/shop:v1`)
  expect(await textOrReason(chain)).toMatch(reason)
  expect(notes).toMatchObject([{ result: 'refused' }])
})

test('a manifest with another digest than it was asked for by is refused', async () => {
  await using registry = await serving(raw('{}', {}))
  const { chain } = testSources(`oci://${registry.host}/shop@sha256:${'0'.repeat(64)}`)
  expect(await textOrReason(chain)).toContain('differs from the requested one')
})

test('a supergraph that was pushed only by the name of its file is found, too', async () => {
  const named = { mediaType: 'x/y', annotations: { 'org.opencontainers.image.title': 'shop.graphql' } }
  await using registry = await serving((response, { url }) => {
    response.end(
      url.includes('/blobs/') ? 'the text' : JSON.stringify({ layers: [layer('the text', named)] }),
    )
  })
  expect(await textOrReason(testSources(`oci://${registry.host}/shop:v1`).chain)).toBe('the text')
})
