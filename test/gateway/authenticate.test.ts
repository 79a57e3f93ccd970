/** Callers' tokens: each kind of key, every way in which one is wrong, key sets that rotate. */
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { exportJWK, type JWK, SignJWT } from 'jose'
import { afterEach, describe, expect, test } from 'vitest'
import { type AuthenticatorOptions, createAuthenticator, type Identity } from '../../gateway/authenticate.ts'

const secret = 'a shared secret of more than thirty-two bytes'
const bytes = new TextEncoder().encode(secret)
const issuer = 'https://id.example'
const audience = 'tessera'
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()

interface Claims {
  readonly [claim: string]: unknown
}

function token(
  claims: Claims = {},
  header: { alg: string; kid?: string } = { alg: 'HS256' },
  key: Parameters<SignJWT['sign']>[0] = bytes,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({
    iss: issuer,
    aud: audience,
    exp: now + 600,
    scope: 'metrics.read',
    sub: 'somebody',
    ...claims,
  })
    .setProtectedHeader(header)
    .sign(key)
}

async function asked(options: AuthenticatorOptions, header: string | undefined): Promise<Identity | string> {
  const authenticator = createAuthenticator({ issuer, audience, ...options })
  try {
    return await authenticator.authenticate(header)
  } catch (error) {
    const { code, authentication } = (
      error as { extensions: { code: string; authentication?: { reason: string } } }
    ).extensions
    return `${code} ${authentication?.reason ?? ''}`.trim()
  } finally {
    await authenticator.close()
  }
}
const withSecret = (header: string | undefined, more: AuthenticatorOptions = {}) =>
  asked({ key: { kind: 'secret', secret }, ...more }, header)

test('no header is nobody, with no scope', async () => {
  expect(await withSecret(undefined)).toMatchObject({ authenticated: false, scopes: new Set() })
})

describe('a good token', () => {
  test.each([
    ['scope, separated by spaces', { scope: 'a b' }, ['a', 'b']],
    ['scp as a list', { scope: undefined, scp: ['a', 'b'] }, ['a', 'b']],
    ['scopes as a list', { scope: undefined, scopes: ['a'] }, ['a']],
    ['none', { scope: undefined }, []],
  ])('carries the scopes of %s', async (_what, claims, scopes) => {
    expect(await withSecret(`Bearer ${await token(claims)}`)).toMatchObject({
      authenticated: true,
      subject: 'somebody',
      scopes: new Set(scopes),
    })
  })

  test('has its scopes read through the aliases', async () => {
    const identity = (await withSecret(`Bearer ${await token({ scope: 'theirs other' })}`, {
      aliases: { theirs: ['media.read', 'media.owner'] },
    })) as Identity
    expect([...identity.scopes]).toEqual(expect.arrayContaining(['media.read', 'media.owner']))
  })

  test('is taken with a public key and its algorithms', async () => {
    const signed = await token({}, { alg: 'RS256' }, rsa.privateKey)
    expect(await asked({ key: { kind: 'pem', pem } }, `Bearer ${signed}`)).toMatchObject({
      authenticated: true,
    })
    expect(await asked({ key: { kind: 'pem', pem }, algorithms: ['PS256'] }, `Bearer ${signed}`)).toBe(
      'UNAUTHENTICATED algorithm',
    )
  })

  test('that is remembered still ends at its moment', async () => {
    let now = Date.now()
    const authenticator = createAuthenticator({
      key: { kind: 'secret', secret },
      issuer,
      audience,
      now: () => now,
    })
    const header = `Bearer ${await token({ exp: Math.floor(now / 1000) + 60 })}`
    expect(await authenticator.authenticate(header)).toMatchObject({ authenticated: true })
    expect(authenticator.authenticate(header)).not.toBeInstanceOf(Promise)
    now += 61_000
    await expect((async () => authenticator.authenticate(header))()).rejects.toMatchObject({
      extensions: { authentication: { reason: 'expired' } },
    })
  })
})

describe('a token is refused, and its bearer is not anonymous', () => {
  const past = Math.floor(Date.now() / 1000) - 60
  test.each([
    ['expired', { exp: past }],
    ['not_yet_valid', { nbf: past + 3600 }],
    ['issuer', { iss: 'https://evil.example' }],
    ['audience', { aud: 'somebody else' }],
  ])('for %s', async (reason, claims) => {
    expect(await withSecret(`Bearer ${await token(claims)}`)).toBe(`UNAUTHENTICATED ${reason}`)
  })

  test('within the tolerance of the clocks it is not', async () => {
    expect(await withSecret(`Bearer ${await token({ exp: past })}`, { clockTolerance: 120 })).toMatchObject({
      authenticated: true,
    })
  })

  test.each([
    ['scheme', 'Basic dXNlcjpwYXNz'],
    ['malformed', 'Bearer nonsense'],
    ['malformed', 'Bearer a.b.c'],
    ['too_large', `Bearer ${'a'.repeat(20_000)}`],
  ])('for %s', async (reason, header) => {
    expect(await withSecret(header)).toBe(`UNAUTHENTICATED ${reason}`)
  })

  test('where its signature was made with another secret, or was tampered with', async () => {
    const other = await token(
      {},
      { alg: 'HS256' },
      new TextEncoder().encode('another secret of more than thirty-two bytes'),
    )
    expect(await withSecret(`Bearer ${other}`)).toBe('UNAUTHENTICATED signature')
    const [head, body, mac] = (await token()).split('.') as [string, string, string]
    const richer = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(body, 'base64url').toString()), scope: 'everything' }),
    ).toString('base64url')
    expect(await withSecret(`Bearer ${head}.${richer}.${mac}`)).toBe('UNAUTHENTICATED signature')
  })

  test('where it is not signed at all', async () => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const alg of ['none', 'None', 'NONE']) {
      expect(
        await withSecret(`Bearer ${part({ alg })}.${part({ iss: issuer, aud: audience, scope: 'a' })}.`),
      ).toMatch(/^UNAUTHENTICATED/)
    }
  })

  test('where a public key is passed off as a shared secret', async () => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const text = `${part({ alg: 'HS256' })}.${part({ iss: issuer, aud: audience, exp: past + 3600, scope: 'a' })}`
    const forged = `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`
    expect(await asked({ key: { kind: 'pem', pem } }, `Bearer ${forged}`)).toBe('UNAUTHENTICATED algorithm')
    expect(() => createAuthenticator({ key: { kind: 'pem', pem }, algorithms: ['HS256'] })).toThrow(/HS256/)
    expect(() => createAuthenticator({ key: { kind: 'secret', secret }, algorithms: ['none'] })).toThrow(
      /none/,
    )
  })

  test('where no key is configured', async () => {
    expect(await asked({}, `Bearer ${await token()}`)).toBe('UNAUTHENTICATED unconfigured')
  })
})

describe('a key set', () => {
  const stops: (() => void)[] = []
  afterEach(() => {
    for (const stop of stops.splice(0)) stop()
  })

  async function keyServer() {
    const state = { keys: [] as JWK[], fetches: 0, status: 200, body: undefined as string | undefined }
    const server = createServer((_request, response) => {
      state.fetches += 1
      response.writeHead(state.status, { 'content-type': 'application/json' })
      response.end(state.body ?? JSON.stringify({ keys: state.keys }))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    stops.push(() => {
      server.closeAllConnections()
      server.close()
    })
    return { state, url: `http://127.0.0.1:${(server.address() as { port: number }).port}/jwks` }
  }
  const jwk = async (kid: string, key: Parameters<typeof exportJWK>[0], alg: string): Promise<JWK> => ({
    ...(await exportJWK(key)),
    kid,
    alg,
    use: 'sig',
  })

  test('is fetched once for many tokens, and again for a key that is new in it', async () => {
    const { state, url } = await keyServer()
    state.keys = [await jwk('one', rsa.publicKey, 'RS256')]
    const authenticator = createAuthenticator({
      key: { kind: 'jwks', url, cooldownMs: 0 },
      issuer,
      audience,
    })
    for (let i = 0; i < 5; i++) {
      const header = `Bearer ${await token({ jti: String(i) }, { alg: 'RS256', kid: 'one' }, rsa.privateKey)}`
      expect(await authenticator.authenticate(header)).toMatchObject({ authenticated: true })
    }
    expect(state.fetches).toBe(1)
    state.keys = [await jwk('two', ec.publicKey, 'ES256')]
    const rotated = `Bearer ${await token({}, { alg: 'ES256', kid: 'two' }, ec.privateKey)}`
    expect(await authenticator.authenticate(rotated)).toMatchObject({ authenticated: true })
    expect(state.fetches).toBe(2)
    await authenticator.close()
  })

  test('does not take a token whose key is not among it, nor one that borrows its public key', async () => {
    const { state, url } = await keyServer()
    state.keys = [await jwk('one', rsa.publicKey, 'RS256')]
    const key = { kind: 'jwks', url } as const
    expect(
      await asked({ key }, `Bearer ${await token({}, { alg: 'ES256', kid: 'two' }, ec.privateKey)}`),
    ).toBe('UNAUTHENTICATED key')
    expect(await asked({ key }, `Bearer ${await token({}, { alg: 'HS256', kid: 'one' })}`)).toBe(
      'UNAUTHENTICATED algorithm',
    )
  })

  test('that is away is a fault of ours, not of the caller, and opens nothing', async () => {
    const { state, url } = await keyServer()
    const header = `Bearer ${await token({}, { alg: 'RS256', kid: 'one' }, rsa.privateKey)}`
    state.status = 500
    expect(await asked({ key: { kind: 'jwks', url } }, header)).toMatch(/^UPSTREAM_/)
    state.status = 200
    state.body = 'not JSON'
    expect(await asked({ key: { kind: 'jwks', url } }, header)).toMatch(/^UPSTREAM_/)
    expect(await asked({ key: { kind: 'jwks', url: 'http://127.0.0.1:1/jwks' } }, header)).toMatch(
      /^UPSTREAM_/,
    )
  })
})
