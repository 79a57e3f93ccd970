/** Tokens from an authorization server: for the client itself, and one for each caller. */
import { generateKeyPairSync } from 'node:crypto'
import { jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { anonymous, type Identity, unchecked } from '../../../../shared/identity.ts'
import type { SubgraphRequest } from '../../../../shared/request.ts'
import { openCredential } from '../../../../subgraphs/kit/credentials/index.ts'
import { createClientTokens, createExchangedTokens } from '../../../../subgraphs/kit/credentials/oauth.ts'
import { readOauthFile } from '../../../../subgraphs/kit/credentials/oauth-file.ts'
import { json, type Script, startFaultyServer } from '../../../support/faulty-server.ts'
import { testRequest } from '../../../support/request.ts'
import { temporaryFile } from '../../../support/temporary.ts'
import { errorOf, read, startBench } from '../../../support/upstream.ts'

const fileOf = (content: unknown): string =>
  temporaryFile('credential.json', typeof content === 'string' ? content : JSON.stringify(content))

const client = (url: string, more: Record<string, unknown> = {}) => ({
  token_url: `${url}/token`,
  client_id: 'gate:way',
  client_secret: 'client-SECRET',
  ...more,
})

/** Hands out token-0, token-1, … */
const tokens =
  (expiresIn = 3600): Script =>
  (response, arrived, number, request) =>
    json({ access_token: `token-${number}`, token_type: 'Bearer', expires_in: expiresIn })(
      response,
      arrived,
      number,
      request,
    )

const caller = (
  subject: string,
  scopes: readonly string[],
  claims: Record<string, unknown> = {},
): Identity => ({
  subject,
  scopes: new Set(scopes),
  claims: { iss: 'https://id.example.com', client_id: 'app', ...claims },
  authenticated: true,
})

function requestOf(token: string | undefined, identity?: Identity): SubgraphRequest {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const request = testRequest()
  return Object.assign(Object.create(request), {
    identity,
    header: (name: string) => (headers as Record<string, string>)[name],
  }) as SubgraphRequest
}

describe('client credentials', () => {
  test('are requested once for all, and renewed while the old token is still valid', async () => {
    await using server = await startFaultyServer(tokens(600))
    let now = 0
    const own = createClientTokens(
      readOauthFile(fileOf(client(server.url, { scope: 'read', audience: 'videos' })), 'videos'),
      () => now,
    )
    const ask = async () => (await own.headers(testRequest()))[1]
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([
      'Bearer token-0',
      'Bearer token-0',
      'Bearer token-0',
    ])
    const [asked] = server.arrived
    expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
      grant_type: 'client_credentials',
      scope: 'read',
      audience: 'videos',
    })
    const pair = Buffer.from('gate%3Away:client-SECRET').toString('base64')
    expect(asked?.headers.authorization).toBe(`Basic ${pair}`)
    now = 509_000
    expect([await ask(), server.arrived.length]).toEqual(['Bearer token-0', 1])
    now = 511_000
    expect(await ask()).toBe('Bearer token-0')
    await expect.poll(ask).toBe('Bearer token-1')
    expect(server.arrived.length).toBe(2)
    now = 2_000_000
    expect(await ask()).toBe('Bearer token-2')
    await own.close?.()
  })

  test('may stand in the form', async () => {
    await using server = await startFaultyServer(tokens())
    const file = fileOf(client(server.url, { client_auth: 'post' }))
    await using bench = await startBench(undefined, { credential: { kind: 'client', file } })
    await bench.upstream.send(read(), testRequest())
    expect(server.arrived[0]?.headers.authorization).toBeUndefined()
    expect(new URLSearchParams(server.arrived[0]?.body).get('client_secret')).toBe('client-SECRET')
  })
})

describe('a client with a private key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const keyed = (url: string, more: Record<string, unknown> = {}) => ({
    token_url: `${url}/token`,
    client_id: 'gateway',
    client_auth: 'private_key_jwt',
    private_key: pem,
    ...more,
  })

  test('signs a new JWT for each question, and sends no secret', async () => {
    await using server = await startFaultyServer(tokens(1))
    const file = fileOf(keyed(server.url, { private_key_id: 'k1' }))
    const own = createClientTokens(readOauthFile(file, 'videos'))
    await own.headers(testRequest())
    await expect
      .poll(async () => {
        await own.headers(testRequest())
        return server.arrived.length
      })
      .toBeGreaterThan(1)
    await own.close?.()
    const seen = new Set<unknown>()
    for (const { body, headers } of server.arrived) {
      const form = new URLSearchParams(body)
      expect(headers.authorization).toBeUndefined()
      expect(form.get('client_assertion_type')).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
      const { payload, protectedHeader } = await jwtVerify(form.get('client_assertion') ?? '', publicKey, {
        issuer: 'gateway',
        subject: 'gateway',
        audience: `${server.url}/token`,
        requiredClaims: ['exp', 'iat', 'jti'],
        maxTokenAge: 60,
      })
      expect(protectedHeader).toMatchObject({ alg: 'ES256', kid: 'k1' })
      seen.add(payload.jti)
    }
    expect(seen.size).toBe(server.arrived.length)
  })

  test('needs a key that signs, and its errors quote nothing', () => {
    const at = 'https://id.example.com'
    const wrong = [
      [keyed(at, { private_key: 'SECRET' }), /private_key that is not a private key in PEM form/],
      [keyed(at, { client_secret: 'SECRET' }), /an unknown client_secret/],
      [{ ...keyed(at), private_key: undefined }, /lacks a valid private_key/],
      [{ ...client(at), private_key: 'SECRET' }, /an unknown private_key/],
    ] as const
    for (const [content, message] of wrong) {
      expect(() => readOauthFile(fileOf(content), 'videos')).toThrow(message)
      expect(() => readOauthFile(fileOf(content), 'videos')).not.toThrow(/SECRET/)
    }
  })
})

describe('token exchange', () => {
  test("sends the caller's token and calls the service with what comes back", async () => {
    await using server = await startFaultyServer(tokens())
    const file = fileOf(client(server.url, { resource: 'https://videos.example.com' }))
    await using bench = await startBench(undefined, { credential: { kind: 'exchange', file } })
    await bench.upstream.send(read(), requestOf('ada-TOKEN', caller('ada', ['a'])))
    expect(Object.fromEntries(new URLSearchParams(server.arrived[0]?.body))).toMatchObject({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: 'ada-TOKEN',
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      resource: 'https://videos.example.com',
    })
    expect(bench.server.arrived.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-0'])
  })

  test("is made of the caller's token if callers are checked before, and of none for an anonymous one", async () => {
    await using server = await startFaultyServer(tokens())
    const own = createExchangedTokens(readOauthFile(fileOf(client(server.url)), 'videos'))
    const first = (await own.headers(requestOf('ada-1', unchecked)))[1]
    expect((await own.headers(requestOf('ada-1')))[1]).toBe(first)
    expect((await own.headers(requestOf('bob-1', unchecked)))[1]).not.toBe(first)
    expect(server.arrived.length).toBe(2)
    expect(await own.headers(requestOf('eve-1', anonymous))).toEqual([])
    expect(server.arrived.length).toBe(2)
    await own.close?.()
  })

  test('is made once for each caller with the same rights, and never crosses', async () => {
    await using server = await startFaultyServer(tokens())
    const own = createExchangedTokens(readOauthFile(fileOf(client(server.url)), 'videos'))
    const ask = async (token: string | undefined, identity?: Identity) =>
      (await own.headers(requestOf(token, identity)))[1]
    const first = await ask('ada-1', caller('ada', ['a', 'b']))
    // A renewed token of the same rights.
    expect(await ask('ada-2', caller('ada', ['b', 'a']))).toBe(first)
    const others = [
      await ask('ada-3', caller('ada', ['a'])),
      await ask('bob-1', caller('bob', ['a', 'b'])),
      await ask('ada-4', caller('ada', ['a', 'b'], { iss: 'https://other.example.com' })),
      await ask('ada-5', caller('ada', ['a', 'b'], { client_id: 'other' })),
      await ask('ada-6', caller('ada', ['a', 'b'], { acr: 'strong' })),
      await ask('ada-7', caller('ada', ['a', 'b'], { act: { sub: 'bob' } })),
      await ask('app-1', { ...caller('', ['a', 'b']), subject: undefined }),
      await ask('none-1', { ...caller('', ['a', 'b'], { client_id: undefined }), subject: undefined }),
      await ask('none-2', { ...caller('', ['a', 'b'], { client_id: undefined }), subject: undefined }),
      await ask('unknown-1'),
      await ask('unknown-2'),
    ]
    expect(new Set([first, ...others]).size).toBe(12)
    // Without a subject the client that the token names is who calls.
    expect(await ask('app-2', { ...caller('', ['a', 'b']), subject: undefined })).toBe(others[6])
    expect(await ask(undefined)).toBeUndefined()
    expect(await ask('refused', { ...caller('ada', []), authenticated: false })).toBeUndefined()
    await own.close?.()
  })

  test('is made for each audience of the token, and survives the renewal of one without a subject', async () => {
    await using server = await startFaultyServer(tokens())
    const own = createExchangedTokens(readOauthFile(fileOf(client(server.url)), 'videos'))
    const ask = async (token: string, claims: Record<string, unknown>) =>
      (await own.headers(requestOf(token, { ...caller('', ['a'], claims), subject: undefined })))[1]
    const first = await ask('app-1', { aud: 'gateway' })
    expect(await ask('app-2', { aud: 'gateway', jti: '2' })).toBe(first)
    const others = [
      await ask('app-3', { aud: 'videos' }),
      await ask('app-4', { aud: ['gateway', 'videos'] }),
      await ask('app-5', {}),
    ]
    expect(new Set([first, ...others]).size).toBe(4)
    expect(server.arrived).toHaveLength(4)
    await own.close?.()
  })

  test('has a key for each caller, which holds nothing of the token', async () => {
    const file = fileOf(client('http://127.0.0.1:1'))
    const credential = openCredential({ kind: 'exchange', file }, 'videos')
    const keys = [
      credential.key(requestOf('ada-TOKEN', caller('ada', ['a']))),
      credential.key(requestOf('bob-TOKEN', caller('bob', ['a']))),
      credential.key(requestOf('eve-TOKEN')),
      credential.key(requestOf(undefined)),
    ]
    expect(new Set(keys).size).toBe(4)
    expect(keys[3]).toBe('none')
    expect(keys.join()).not.toMatch(/TOKEN|ada|bob/)
    await credential.close?.()
  })

  test.each([
    ['invalid_grant', 400, 'FORBIDDEN'],
    ['access_denied', 403, 'FORBIDDEN'],
    ['invalid_client', 401, 'UPSTREAM_UNAVAILABLE'],
    ['server_error', 500, 'UPSTREAM_UNAVAILABLE'],
  ])('that is answered with %s is %d, and shows neither token', async (error, status, code) => {
    await using server = await startFaultyServer(json({ error, error_description: 'ada-TOKEN' }, status))
    const file = fileOf(client(server.url))
    await using bench = await startBench(undefined, { credential: { kind: 'exchange', file } })
    const failed = await errorOf(bench.upstream.send(read(), requestOf('ada-TOKEN', caller('ada', []))))
    expect([failed.extensions.code, bench.server.arrived.length]).toEqual([code, 0])
    expect(JSON.stringify([failed, String(failed.originalError), failed.originalError?.stack])).not.toMatch(
      /TOKEN|SECRET/,
    )
  })
})

describe('a file', () => {
  test.each([
    ['is not there', () => temporaryFile('none.json'), /cannot be read: there is no such file/],
    ['is no JSON', () => fileOf('a SECRET {'), /is not JSON/],
    [
      'lacks a secret',
      () => fileOf({ token_url: 'https://a', client_id: 'b' }),
      /lacks a valid client_secret/,
    ],
    ['has an unknown key', () => fileOf({ ...client('https://a'), more: 'SECRET' }), /has an unknown more/],
    [
      'names an address in clear',
      () => fileOf(client('http://id.example.com')),
      /token_url that is not https/,
    ],
  ])('that %s is named, and not quoted', (_, make, message) => {
    const opened = () => openCredential({ kind: 'exchange', file: make() }, 'videos')
    expect(opened).toThrow(message)
    expect(opened).not.toThrow(/SECRET/)
  })
})
