/** Who asks, as the gateway tells subgraph services instead of the caller's token. */
import { generateKeyPairSync } from 'node:crypto'
import { calculateJwkThumbprint, decodeJwt, type JWTPayload, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  type AssertionProof,
  assertionKeySet,
  createAssertionAuthenticator,
  createAssertionSigner,
  derivedKey,
  readSigningKey,
} from '../../../gateway/auth/assertion.ts'
import type { Identity } from '../../../shared/identity.ts'
import { sampleMessages } from '../../../sandbox/messages/index.ts'
import { listen as follow } from '../../graph/live/kit.ts'
import { startGraph } from '../../support/graph.ts'
import { postJson } from '../../support/post-json.ts'
import { serviceSecret, startServices } from '../../support/services.ts'
import { signToken } from '../../support/token.ts'
import { outcomeOf } from './authenticate/outcome.ts'
import { json, startFaultyServer } from '../../support/faulty-server.ts'

const ada: Identity = {
  subject: 'ada',
  scopes: new Set(['tweet.read', 'users.read']),
  claims: { acr: 'strong', auth_time: 1, email: 'ada@example.com' },
  authenticated: true,
}
const body = '{"query":"{ a }"}'

async function verdict(
  header: string | undefined,
  {
    audience = 'messages',
    sent = body,
    from = { kind: 'secret', secret: serviceSecret } as AssertionProof,
    now = Date.now,
  } = {},
): Promise<unknown> {
  const on = createAssertionAuthenticator(from, audience, now)
  const shown = { header: () => undefined, body: () => Buffer.from(sent) }
  const { identity, reason } = await outcomeOf(on, header, shown)
  return identity ?? reason
}

describe('an assertion', () => {
  const sign = createAssertionSigner(derivedKey(serviceSecret), 'messages')

  test('tells subject, scopes and how the caller signed in, and nothing else of the token', async () => {
    const header = await sign(ada, body)
    expect(await verdict(header)).toMatchObject({
      subject: 'ada',
      scopes: new Set(['tweet.read', 'users.read']),
      claims: { acr: 'strong', auth_time: 1 },
      authenticated: true,
    })
    expect(Object.keys(decodeJwt(header?.slice(7) ?? '')).sort()).toEqual(
      ['acr', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'op', 'scope', 'sub'].sort(),
    )
    expect(sign({ ...ada, authenticated: false }, body)).toBeUndefined()
    expect(sign(undefined, body)).toBeUndefined()
    expect(await verdict(undefined)).toMatchObject({ authenticated: false })
  })

  test('is valid for one subgraph, one request and a minute, by one secret', async () => {
    const header = await sign(ada, body)
    expect(await verdict(header, { audience: 'videos' })).toBe('audience')
    expect(await verdict(header, { sent: '{"query":"{ b }"}' })).toBe('claims')
    expect(await verdict(header, { from: { kind: 'secret', secret: 'the secret of somebody else' } })).toBe(
      'signature',
    )
    expect(await verdict(header, { now: () => Date.now() + 121_000 })).toBe('expired')
  })

  test('counts for a subscription that began with it, as long as that lasts, and for no other', async () => {
    const later = () => Date.now() + 3_600_000
    const on = createAssertionAuthenticator({ kind: 'secret', secret: serviceSecret }, 'messages', later)
    const header = await sign(ada, body)
    const identity = await on.again?.(header)
    expect(identity).toMatchObject({ subject: 'ada', claims: { acr: 'strong' } })
    expect(identity?.claims).not.toHaveProperty('exp')
    expect(on.again?.(undefined)).toMatchObject({ authenticated: false })
    const other = createAssertionSigner(derivedKey('the secret of somebody else'), 'messages')
    await expect(on.again?.(await other(ada, body))).rejects.toMatchObject({
      extensions: { code: 'UNAUTHENTICATED' },
    })
  })

  test('cannot be replaced by a token that the secret itself signs, or by a token of the caller', async () => {
    const text = (key: string) =>
      new SignJWT({ sub: 'ada', scope: 'tweet.read', op: 'a' })
        .setProtectedHeader({ alg: 'HS256', typ: 'tessera-identity+jwt' })
        .setIssuer('tessera')
        .setAudience('messages')
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(new TextEncoder().encode(key))
    expect(await verdict(`Bearer ${await text(serviceSecret)}`)).toBe('signature')
    expect(await verdict('Bearer a.b.c')).toBe('malformed')
    expect(await verdict('Bearer opaque')).toBe('malformed')
    expect(await verdict('Basic dTpw')).toBe('scheme')
  })
})

const pemOf = (type: 'ec' | 'ed25519', namedCurve = 'P-256') => {
  const { privateKey, publicKey } =
    type === 'ec' ? generateKeyPairSync('ec', { namedCurve }) : generateKeyPairSync('ed25519')
  return {
    own: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    shown: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
}

describe.each(['ec', 'ed25519'] as const)('an assertion by a key pair (%s)', (type) => {
  const pem = pemOf(type)
  const signing = readSigningKey(pem.own)
  const from: AssertionProof = { kind: 'pem', pem: pem.shown }

  test('is verified by its public key, and cannot be made with that key', async () => {
    const header = await createAssertionSigner(signing, 'messages')(ada, body)
    expect(await verdict(header, { from })).toMatchObject({ subject: 'ada', authenticated: true })
    expect(await verdict(header, { from: { kind: 'pem', pem: pemOf(type).shown } })).toBe('signature')
    expect(await verdict(header, { from, audience: 'videos' })).toBe('audience')
    expect(await verdict(header, { from, sent: '{}' })).toBe('claims')
    // A signature by the shared secret is refused, and so is one that uses the public key as a secret.
    for (const secret of [serviceSecret, pem.shown])
      expect(
        await verdict(await createAssertionSigner(derivedKey(secret), 'messages')(ada, body), { from }),
      ).not.toMatchObject({ authenticated: true })
    expect(await verdict(header)).not.toMatchObject({ authenticated: true })
  })

  test('its key set has only the public part', async () => {
    const { keys } = assertionKeySet(signing)
    expect(keys).toEqual([{ ...keys[0], kid: await calculateJwkThumbprint(keys[0] ?? {}), use: 'sig' }])
    expect(Object.keys(keys[0] ?? {})).not.toContain('d')
    expect(assertionKeySet(derivedKey(serviceSecret))).toEqual({ keys: [] })
  })
})

test('a key of assertions is of P-256 or Ed25519, and errors hold nothing of it', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const others = [
    pemOf('ec', 'P-384').own,
    rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
  ]
  for (const pem of others) {
    expect(() => readSigningKey(pem)).toThrow(/assertions/)
    expect(() => readSigningKey(pem)).not.toThrow(/AAAA|BEGIN/)
  }
  const proof = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  expect(() => createAssertionAuthenticator({ kind: 'pem', pem: proof }, 'messages')).toThrow(/P-256/)
})

describe('a split graph', () => {
  const jwtSecret = 'what the issuer and this server share'
  const serviceEnv = { TESSERA_SUBGRAPH_SCOPES: 'true', TESSERA_SUBGRAPH_CALLER: 'assertion' }
  const env = { TESSERA_JWT_SECRET: jwtSecret, ...serviceEnv }
  const bearer = async (claims: JWTPayload = {}) => {
    const token = await signToken({ scope: 'tweet.read users.read', sub: 'ada', ...claims }, jwtSecret)
    return { authorization: `Bearer ${token}` }
  }
  const query = '{ message(messageId: "20") { text } }'

  test('is answered by services that check the assertion, and know no key of the issuer', async () => {
    await using upstream = await startGraph()
    await using services = await startServices(upstream.sandbox.url, serviceEnv, ['messages'])
    await using graph = await startGraph({ env: { ...env, ...services.env } })
    const headers = await bearer()
    const { data, errors } = await graph.ask(query, {}, { scope: null, headers })
    expect([errors, typeof data.message.text]).toEqual([[], 'string'])
    const direct = await postJson(
      services.urls.messages,
      { query },
      { ...headers, 'router-authorization': `Bearer ${serviceSecret}` },
    )
    expect(direct.status).toBe(401)
  })

  test('is answered by services that fetch the public key from the gateway', async () => {
    const { own } = pemOf('ec')
    await using upstream = await startGraph()
    await using publisher = await startGraph({ env: { ...env, TESSERA_SUBGRAPH_ASSERTION_KEY: own } })
    const jwksUrl = new URL('/.well-known/jwks.json', publisher.url).href
    expect(await (await fetch(jwksUrl)).json()).toMatchObject({ keys: [{}] })
    expect((await fetch(new URL('/.well-known/jwks.json', upstream.url))).status).toBe(404)
    const checking = { ...serviceEnv, TESSERA_SUBGRAPH_ASSERTION_JWKS_URL: jwksUrl }
    await using services = await startServices(upstream.sandbox.url, checking, ['messages'])
    const headers = await bearer()
    const answers: unknown[] = []
    for (const key of [{ TESSERA_SUBGRAPH_ASSERTION_KEY: own }, {}]) {
      await using graph = await startGraph({ env: { ...env, ...services.env, ...key } })
      const { data } = await graph.ask(query, {}, { scope: null, headers })
      answers.push(typeof data?.message?.text)
    }
    // The shared secret lets the gateway in, and signs no assertions any more.
    expect(answers).toEqual(['string', 'undefined'])
  })

  test('a field that requires a fresh sign-in is refused by the service as well', async () => {
    const stepUp = { TESSERA_STEP_UP: '{"Query.message":{"maxAge":300,"acrValues":["strong"]}}' }
    await using upstream = await startGraph()
    const checking = { ...serviceEnv, ...stepUp }
    await using services = await startServices(upstream.sandbox.url, checking, ['messages', 'videos'])
    // This gateway knows nothing of the rule: what is refused is refused by the service.
    await using graph = await startGraph({ env: { ...env, ...services.env } })
    const now = Math.floor(Date.now() / 1000)
    const asked = async (claims: JWTPayload) => {
      return graph.ask(query, {}, { scope: null, headers: await bearer(claims) })
    }
    for (const claims of [
      {},
      { acr: 'strong' },
      { acr: 'strong', auth_time: now - 400 },
      { auth_time: now },
    ]) {
      const { data, errors } = await asked(claims)
      expect([claims, data?.message ?? null]).toEqual([claims, null])
      expect(errors[0]?.extensions.code).toBe('UNAUTHORIZED_FIELD_OR_TYPE')
    }
    expect((await asked({ acr: 'strong', auth_time: now })).data.message.text).toEqual(expect.any(String))
  })

  test.each(['sse', 'websocket'])('subscriptions have their events by %s', async (protocol) => {
    await using upstream = await startGraph()
    await using services = await startServices(upstream.sandbox.url, serviceEnv, ['messages'])
    const file = { traffic: { all: { subscriptions: { protocol } } } }
    await using graph = await startGraph({ env: { ...env, ...services.env }, file })
    const events = follow(
      graph.url,
      { query: `subscription { messageChanged(messageIds: ["${sampleMessages.ordinary}"]) { text } }` },
      await bearer(),
    )
    await expect.poll(() => events.events.length).toBe(1)
    expect(events.events[0]).toMatchObject({ data: { messageChanged: { text: expect.any(String) } } })
    events.stop()
  })

  test('sends no token of the caller to a subgraph', async () => {
    await using server = await startFaultyServer(json({ data: { message: null } }))
    const url = `${server.url}/graphql`
    await using graph = await startGraph({
      env: { ...env, TESSERA_SUBGRAPH_SECRET: serviceSecret, TESSERA_MESSAGES_SUBGRAPH_URL: url },
    })
    const headers = await bearer()
    await graph.ask(query, {}, { scope: null, headers })
    const arrived = server.arrived.map((request) => request.headers)
    const [{ authorization = '' } = {}] = arrived.filter(({ upgrade }) => upgrade === undefined)
    expect(JSON.stringify(arrived)).not.toContain(headers.authorization.slice(7))
    expect(decodeJwt(authorization.slice(7))).toMatchObject({ sub: 'ada', aud: 'messages', iss: 'tessera' })
  })
})
