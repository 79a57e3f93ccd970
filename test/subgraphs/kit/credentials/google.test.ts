import { generateKeyPairSync } from 'node:crypto'
import { jwtVerify } from 'jose'
import { afterEach, expect, test, vi } from 'vitest'
import { createGoogleTokens, readGoogleFile } from '../../../../subgraphs/kit/credentials/google.ts'
import {
  hang,
  json,
  raw,
  reset,
  type Script,
  startFaultyServer,
  status,
} from '../../../support/faulty-server.ts'
import { testRequest } from '../../../support/request.ts'
import { temporaryFile } from '../../../support/temporary.ts'
import { type Bench, errorOf, read, startBench, write } from '../../../support/upstream.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

afterEach(() => {
  vi.useRealTimers()
})

const fileOf = (content: unknown): string =>
  temporaryFile('credential.json', typeof content === 'string' ? content : JSON.stringify(content))

const serviceAccount = (tokenUrl: string) => ({
  type: 'service_account',
  client_email: 'robot@project.iam.example.com',
  private_key_id: 'key-7',
  private_key: pem,
  token_uri: tokenUrl,
})

const authorizedUser = (tokenUrl: string) => ({
  type: 'authorized_user',
  client_id: 'client-1',
  client_secret: 'client-SECRET',
  refresh_token: 'refresh-SECRET',
  token_uri: tokenUrl,
})

/** A token server that hands out token-0, token-1, … */
const tokens =
  (expiresIn = 3600): Script =>
  (response, arrived, number, request) =>
    json({ access_token: `token-${number}`, expires_in: expiresIn, token_type: 'Bearer' })(
      response,
      arrived,
      number,
      request,
    )

async function startService(content: unknown, script?: Script): Promise<Bench> {
  return startBench(script, {
    credential: { kind: 'google', file: fileOf(content) },
    tuning: { retryDelayMs: 1 },
  })
}

test('a service account signs a grant for its scope, and its token is what leaves for the service', async () => {
  await using server = await startFaultyServer(tokens())
  await using bench = await startService(serviceAccount(`${server.url}/token`))
  await bench.upstream.send(read(), testRequest())
  const [asked] = server.arrived
  const form = new URLSearchParams(asked?.body)
  expect([asked?.method, asked?.url, form.get('grant_type')]).toEqual([
    'POST',
    '/token',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
  ])
  const { payload, protectedHeader } = await jwtVerify(form.get('assertion') ?? '', publicKey, {
    issuer: 'robot@project.iam.example.com',
    audience: `${server.url}/token`,
    algorithms: ['RS256'],
  })
  expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-7' })
  expect(payload.scope).toBe('https://www.googleapis.com/auth/cloud-platform')
  expect(Number(payload.exp) - Number(payload.iat)).toBe(3600)
  expect(bench.server.arrived[0]?.headers.authorization).toBe('Bearer token-0')
})

test('an authorized user’s refresh token is exchanged', async () => {
  await using server = await startFaultyServer(tokens())
  await using bench = await startService(authorizedUser(`${server.url}/token`))
  await bench.upstream.send(read(), testRequest())
  expect(Object.fromEntries(new URLSearchParams(server.arrived[0]?.body))).toEqual({
    grant_type: 'refresh_token',
    client_id: 'client-1',
    client_secret: 'client-SECRET',
    refresh_token: 'refresh-SECRET',
  })
  expect(bench.server.arrived[0]?.headers.authorization).toBe('Bearer token-0')
})

test('one token is fetched for all who wait, and used until shortly before it expires', async () => {
  await using server = await startFaultyServer(tokens(600))
  let now = 0
  const account = readGoogleFile(fileOf(authorizedUser(server.url)), 'agents')
  const google = createGoogleTokens(account, [], () => now)
  const first = await Promise.all(Array.from({ length: 10 }, async () => google.headers(testRequest())))
  expect(new Set(first.map(([, value]) => value))).toEqual(new Set(['Bearer token-0']))
  now = 539_000
  expect(await google.headers(testRequest())).toEqual(['authorization', 'Bearer token-0'])
  expect(server.arrived).toHaveLength(1)
  now = 541_000
  expect(await google.headers(testRequest())).toEqual(['authorization', 'Bearer token-1'])
  await google.close?.()
})

test('a token that was refused is forgotten once it is not new', async () => {
  await using server = await startFaultyServer(tokens())
  let now = 0
  const account = readGoogleFile(fileOf(authorizedUser(server.url)), 'agents')
  const google = createGoogleTokens(account, [], () => now)
  const shown = await google.headers(testRequest())
  expect(google.renew?.(shown)).toBe(false)
  now = 31_000
  expect(google.renew?.(shown)).toBe(true)
  expect(await google.headers(testRequest())).toEqual(['authorization', 'Bearer token-1'])
  expect(google.renew?.(shown)).toBe(true)
  expect(await google.headers(testRequest())).toEqual(['authorization', 'Bearer token-1'])
  await google.close?.()
})

test('when the service refuses a token, a read is tried once more with a new one; a write is not', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  await using server = await startFaultyServer(tokens())
  let good = 'Bearer token-0'
  const picky: Script = (response, arrived, number, request) =>
    (arrived.headers.authorization === good ? json({ ok: true }) : status(401))(
      response,
      arrived,
      number,
      request,
    )
  await using bench = await startService(authorizedUser(server.url), picky)
  await bench.upstream.send(read(), testRequest())
  good = 'Bearer token-1'
  vi.advanceTimersByTime(31_000)
  expect((await bench.upstream.send(read(), testRequest())).body).toEqual({ ok: true })
  good = 'Bearer token-2'
  vi.advanceTimersByTime(31_000)
  expect((await errorOf(bench.upstream.send(write(), testRequest()))).extensions.upstream).toMatchObject({
    status: 401,
  })
  expect((await bench.upstream.send(write(), testRequest())).body).toEqual({ ok: true })
  expect(bench.server.arrived.map(({ method, headers }) => [method, headers.authorization])).toEqual([
    ['GET', 'Bearer token-0'],
    ['GET', 'Bearer token-0'],
    ['GET', 'Bearer token-1'],
    ['POST', 'Bearer token-1'],
    ['POST', 'Bearer token-2'],
  ])
})

test('a new token that is refused is not asked for again and again', async () => {
  await using server = await startFaultyServer(tokens())
  await using bench = await startService(authorizedUser(server.url), status(401))
  for (let i = 0; i < 3; i++) {
    expect((await errorOf(bench.upstream.send(read(), testRequest()))).extensions).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      upstream: { status: 401, reason: 'credentialRefused' },
    })
  }
  expect([server.arrived.length, bench.server.arrived.length]).toEqual([1, 3])
})

test.each<[string, Script]>([
  ['refuses the grant', json({ error: 'invalid_grant', error_description: 'refresh-SECRET is bad' }, 400)],
  ['breaks the connection', reset],
  ['answers a page', raw('<html>', { 'content-type': 'text/html' })],
  ['answers without a token', json({ hello: 1 })],
  ['answers a token that cannot be a header', json({ access_token: 'a\r\nb', expires_in: 10 })],
  ['answers without end', raw('x'.repeat(100_000))],
])('when the token server %s, the service is not called and no secret is shown', async (_, script) => {
  await using server = await startFaultyServer(script)
  await using bench = await startService(authorizedUser(server.url))
  const error = await errorOf(bench.upstream.send(write(), testRequest()))
  expect(error.extensions).toEqual({
    code: 'UPSTREAM_UNAVAILABLE',
    service: 'videos',
    upstream: { reason: 'credential' },
  })
  expect(bench.server.arrived).toEqual([])
  expect(`${error.message} ${error.originalError?.stack}`).not.toMatch(/SECRET/)
})

test('after a failure the token server is not called for a moment, then called again', async () => {
  await using server = await startFaultyServer(status(500))
  let now = 0
  const google = createGoogleTokens(
    readGoogleFile(fileOf(authorizedUser(server.url)), 'agents'),
    [],
    () => now,
  )
  for (let i = 0; i < 3; i++) await expect(google.headers(testRequest())).rejects.toThrow('answered 500')
  expect(server.arrived).toHaveLength(1)
  now = 1001
  server.script = tokens()
  expect(await google.headers(testRequest())).toEqual(['authorization', 'Bearer token-1'])
  await google.close?.()
})

test('a clock that is set back prolongs neither a token nor the pause after a failure', async () => {
  await using server = await startFaultyServer(tokens(3600))
  let now = 7_200_000
  const account = readGoogleFile(fileOf(authorizedUser(server.url)), 'agents')
  const google = createGoogleTokens(account, [], () => now)
  const first = await google.headers(testRequest())
  now = 0
  expect(google.renew?.(first)).toBe(true)
  server.script = status(500)
  await expect(google.headers(testRequest())).rejects.toThrow('answered 500')
  now = -7_200_000
  server.script = tokens(3600)
  const second = await google.headers(testRequest())
  now = -14_400_000
  expect(await google.headers(testRequest())).not.toEqual(second)
  await google.close?.()
})

test('a caller who waits for a token waits no longer than their deadline', async () => {
  await using server = await startFaultyServer(hang)
  await using bench = await startService(authorizedUser(server.url))
  const error = await errorOf(bench.upstream.send(read(), testRequest({}, { timeoutMs: 20 })))
  expect(error.extensions.code).toBe('UPSTREAM_TIMEOUT')
})

test.each([
  ['is not there', undefined, 'cannot be read: there is no such file or folder'],
  ['is no JSON', '{"private_key": "SECRET', 'is not JSON'],
  [
    'has another type',
    { type: 'external_account', secret: 'SECRET' },
    'must have the type "service_account" or "authorized_user"',
  ],
  [
    'lacks keys',
    { type: 'authorized_user', client_secret: 'SECRET' },
    'lacks a valid client_id, refresh_token',
  ],
  [
    'holds no PEM key',
    { ...serviceAccount('https://x.example'), private_key: 'SECRET' },
    'private_key that is no PEM key',
  ],
  ['would send the grant in clear', authorizedUser('http://x.example/token'), 'token_uri that is not https'],
])('a file that %s is named with its fault and without its content', (_, content, fault) => {
  const file = content === undefined ? temporaryFile('absent.json') : fileOf(content)
  const reading = () => readGoogleFile(file, 'agents')
  expect(reading).toThrow(`the credentials file of agents (${file}) `)
  expect(reading).toThrow(fault)
  expect(reading).not.toThrow(/SECRET/)
})

test('a key that is not RSA is refused', () => {
  const { privateKey: curve } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const file = fileOf({
    ...serviceAccount('https://x.example'),
    private_key: curve.export({ type: 'pkcs8', format: 'pem' }).toString(),
  })
  expect(() => readGoogleFile(file, 'agents')).toThrow('no RSA key')
})
