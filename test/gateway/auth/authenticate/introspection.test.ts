import { describe, expect, it } from 'vitest'
import {
  type AuthenticatorOptions,
  createAuthenticator,
  type IntrospectionOptions,
} from '../../../../gateway/auth/authenticate/index.ts'
import { authenticatorFrom } from '../../../../gateway/auth/from-config.ts'
import { type Config, readConfig } from '../../../../gateway/config/index.ts'
import { startFaultyServer } from '../../../support/faulty-server.ts'
import { outcomeOf } from './outcome.ts'

/** 2026-01-01, in seconds. */
const start = 1_767_225_600

interface Question {
  readonly token: string | null
  readonly authorization: string | undefined
  readonly url: string | undefined
  readonly form: Readonly<Record<string, string>>
}

interface Endpoint extends AsyncDisposable {
  readonly url: string
  readonly questions: readonly Question[]
  /** What it answers from now on. */
  answer: (token: string) => { status?: number; body: unknown } | Promise<{ status?: number; body: unknown }>
}

async function startEndpoint(answer: Endpoint['answer']): Promise<Endpoint> {
  const questions: Question[] = []
  const server = await startFaultyServer(async (response, { url, headers, body: text }) => {
    const form = new URLSearchParams(text)
    const token = form.get('token')
    questions.push({ token, authorization: headers.authorization, url, form: Object.fromEntries(form) })
    const { status = 200, body } = await endpoint.answer(token ?? '')
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  const endpoint: Endpoint = { ...server, url: `${server.url}/introspect`, questions, answer }
  return endpoint
}

const active = (claims: Record<string, unknown> = {}) => ({
  body: { active: true, sub: 'ada', scope: 'metrics.read', ...claims },
})

function setUp(
  { url }: Endpoint,
  options: AuthenticatorOptions = {},
  introspection: Partial<IntrospectionOptions> = {},
) {
  let at = start * 1000
  const on = createAuthenticator({
    introspection: {
      url,
      clientId: 'gate:way',
      proof: { by: 'basic', secret: 'a secret/+' },
      ...introspection,
    },
    now: () => at,
    ...options,
  })
  const ask = async (token: string, address?: string): Promise<unknown> => {
    const shown = { header: () => undefined, address: () => address }
    const { identity, code, reason } = await outcomeOf(on, `Bearer ${token}`, shown)
    return identity === undefined ? (reason ?? code) : [identity.subject, ...identity.scopes]
  }
  return {
    ask,
    pass(seconds: number) {
      at += seconds * 1000
    },
    [Symbol.asyncDispose]: () => on.close(),
  }
}

describe('an opaque token', () => {
  it('is introspected once for all who show it, with the credential of the gateway', async () => {
    await using endpoint = await startEndpoint(async () => active())
    await using on = setUp(endpoint)
    const answers = await Promise.all(Array.from({ length: 20 }, () => on.ask('opaque')))
    expect(answers).toEqual(Array(20).fill(['ada', 'metrics.read']))
    const pair = Buffer.from('gate%3Away:a+secret%2F%2B').toString('base64')
    expect(endpoint.questions).toMatchObject([{ token: 'opaque', authorization: `Basic ${pair}` }])
    expect(endpoint.questions.length).toBe(1)
    await on.ask('opaque')
    expect(endpoint.questions.length).toBe(1)
  })

  it('may have the three parts of a JWT', async () => {
    await using endpoint = await startEndpoint(() => active())
    await using on = setUp(endpoint, { key: { kind: 'secret', secret: 's'.repeat(32) } })
    for (const token of ['v4.public.eyJhIjoxfQ', 'a.b.c', 'e30.e30.x'])
      expect(await on.ask(token)).toEqual(['ada', 'metrics.read'])
    expect(await on.ask('eyJhbGciOiJub25lIn0.e30.x')).toBe('algorithm')
    expect(endpoint.questions.length).toBe(3)
  })

  it('may be of a user who has a number', async () => {
    await using endpoint = await startEndpoint(() => active({ sub: 42 }))
    await using on = setUp(endpoint)
    expect(await on.ask('opaque')).toEqual(['42', 'metrics.read'])
  })

  it('is checked by an answer after a byte order mark', async () => {
    const { body } = active()
    await using endpoint = await startEndpoint(() => ({ body: `\ufeff${JSON.stringify(body)}` }))
    await using on = setUp(endpoint)
    expect(await on.ask('opaque')).toEqual(['ada', 'metrics.read'])
  })

  it('that was revoked is refused when the answer is too old', async () => {
    await using endpoint = await startEndpoint(() => active())
    await using on = setUp(endpoint, {}, { cacheMs: 30_000 })
    expect(await on.ask('opaque')).toEqual(['ada', 'metrics.read'])
    endpoint.answer = () => ({ body: { active: false } })
    on.pass(29)
    expect(await on.ask('opaque')).toEqual(['ada', 'metrics.read'])
    on.pass(2)
    expect(await on.ask('opaque')).toBe('inactive')
    // And is not asked about each time.
    expect([await on.ask('opaque'), endpoint.questions.length]).toEqual(['inactive', 2])
  })

  it('that was revoked is refused then although the clock was set back', async () => {
    await using endpoint = await startEndpoint(() => active())
    let steadyMs = 5_000
    await using on = setUp(endpoint, { steady: () => steadyMs }, { cacheMs: 30_000 })
    expect(await on.ask('opaque')).toEqual(['ada', 'metrics.read'])
    endpoint.answer = () => ({ body: { active: false } })
    on.pass(-3600)
    steadyMs += 29_000
    expect(await on.ask('opaque')).toEqual(['ada', 'metrics.read'])
    steadyMs += 2_000
    expect(await on.ask('opaque')).toBe('inactive')
  })

  it('that became active is accepted then although the clock was set back', async () => {
    await using endpoint = await startEndpoint(() => ({ body: { active: false } }))
    await using on = setUp(endpoint, {}, { cacheMs: 1 })
    expect(await on.ask('opaque')).toBe('inactive')
    endpoint.answer = () => active()
    on.pass(-3600)
    await expect.poll(() => on.ask('opaque')).toEqual(['ada', 'metrics.read'])
  })

  it('is valid no longer than it says', async () => {
    await using endpoint = await startEndpoint(() => active({ exp: start + 10 }))
    await using on = setUp(endpoint)
    expect(await on.ask('opaque')).toEqual(['ada', 'metrics.read'])
    on.pass(10)
    expect(await on.ask('opaque')).toBe('expired')
  })

  it.each([
    ['of another issuer', { iss: 'https://other.example.com', aud: 'graph' }, 'issuer'],
    ['for another audience', { aud: ['other'] }, 'audience'],
    ['for no audience', {}, 'audience'],
    ['that is not yet valid', { aud: 'graph', nbf: start + 5 }, 'not_yet_valid'],
    ['that has ended', { aud: 'graph', exp: start }, 'expired'],
    ['that is bound to a key', { aud: 'graph', cnf: { jkt: 'a' } }, 'binding'],
    ['without a claim that is required', { aud: 'graph', sub: undefined }, 'claims'],
  ])('%s is refused although it is active', async (_, claims, reason) => {
    await using endpoint = await startEndpoint(() => active(claims))
    const rules = { issuer: 'https://id.example.com', audience: 'graph', requiredClaims: ['sub'] }
    await using on = setUp(endpoint, rules)
    expect(await on.ask('opaque')).toBe(reason)
  })
})

it('the address is requested exactly as it is written', async () => {
  await using endpoint = await startEndpoint(() => active())
  for (const end of ['/o/introspect/', '/introspect?p=b2c_1_sign-in']) {
    const { config } = readConfig({
      TESSERA_INTROSPECTION_URL: new URL(end, endpoint.url).href,
      TESSERA_INTROSPECTION_CLIENT_ID: 'gateway',
      TESSERA_INTROSPECTION_CLIENT_SECRET: 'secret',
      TESSERA_INTROSPECTION_CLIENT_AUTH: 'post',
      TESSERA_JWT_JWKS_URL: `https://id.example.com/keys/?p=b2c_1_sign-in`,
    })
    const authenticator = authenticatorFrom(config as Config)
    await authenticator.authenticate('Bearer opaque')
    await authenticator.close()
    expect(endpoint.questions.at(-1)).toMatchObject({
      url: end,
      authorization: undefined,
      form: { client_id: 'gateway', client_secret: 'secret' },
    })
    expect(config?.trustedIssuers[0]?.key).toEqual({
      kind: 'jwks',
      url: 'https://id.example.com/keys/?p=b2c_1_sign-in',
    })
  }
})

describe('an issuer that does not answer', () => {
  it.each([
    ['fails', { status: 500, body: {} }],
    ['refuses our credential', { status: 401, body: { error: 'invalid_client' } }],
    ['forbids it', { status: 403, body: {} }],
    ['answers no JSON', { body: '<html>' }],
    ['answers no answer', { body: { active: 'yes' } }],
    ['answers too much', { body: { active: true, more: 'x'.repeat(100_000) } }],
    ['sends us elsewhere', { status: 302, body: '' }],
  ])('because it %s: the token is neither valid nor invalid', async (_, answer) => {
    await using endpoint = await startEndpoint(() => answer)
    await using on = setUp(endpoint)
    expect(await on.ask('opaque')).toBe('UPSTREAM_UNAVAILABLE')
    endpoint.answer = () => active()
    expect(await on.ask('opaque')).toEqual(['ada', 'metrics.read'])
  })

  it('is not called for a while after failures in a row', async () => {
    await using endpoint = await startEndpoint(() => ({ status: 503, body: {} }))
    await using on = setUp(endpoint, {}, { breaker: { failures: 3, ms: 3_600_000 } })
    for (let at = 0; at < 10; at++) expect(await on.ask(`opaque${at}`)).toBe('UPSTREAM_UNAVAILABLE')
    expect(endpoint.questions.length).toBe(3)
  })

  it('is asked again after a while', async () => {
    await using endpoint = await startEndpoint(() => ({ status: 503, body: {} }))
    await using on = setUp(endpoint, {}, { breaker: { failures: 3, ms: 100 } })
    for (let at = 0; at < 3; at++) expect(await on.ask(`opaque${at}`)).toBe('UPSTREAM_UNAVAILABLE')
    endpoint.answer = () => active()
    await expect.poll(() => on.ask('opaque')).toEqual(['ada', 'metrics.read'])
  })

  it.each([
    ['an answer that names a fault of the question', { status: 400, body: { error: 'invalid_request' } }],
    ['an inactive token', { body: { active: false, sub: null, exp: 'never' } }],
    [
      'an answer with null members',
      { body: { active: true, sub: 'ada', exp: null, aud: null, scope: null } },
    ],
    ['something that is no answer', { body: { active: null } }],
  ])('is called again after %s', async (_, answer) => {
    await using endpoint = await startEndpoint(() => answer)
    await using on = setUp(endpoint, {}, { breaker: { failures: 2, ms: 3_600_000 } })
    for (let at = 0; at < 5; at++) await on.ask(`opaque${at}`)
    expect(endpoint.questions.length).toBe(5)
    endpoint.answer = () => active()
    expect(await on.ask('good')).toEqual(['ada', 'metrics.read'])
  })

  it('is not called for a while if it refuses our credential with status 400 and invalid_client', async () => {
    await using endpoint = await startEndpoint(() => ({ status: 400, body: { error: 'invalid_client' } }))
    await using on = setUp(endpoint, {}, { breaker: { failures: 2, ms: 3_600_000 } })
    for (let at = 0; at < 5; at++) expect(await on.ask(`opaque${at}`)).toBe('UPSTREAM_UNAVAILABLE')
    expect(endpoint.questions.length).toBe(2)
  })

  it('is asked for each address in turn, however many tokens another address shows', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await using endpoint = await startEndpoint(async (token) => {
      await held
      return token === 'good' ? active() : { body: { active: false } }
    })
    await using on = setUp(endpoint, {}, { concurrency: 4, waiting: 50, timeoutMs: 60_000 })
    const made = Array.from({ length: 400 }, (_, at) => on.ask(`made-up${at}`, '192.0.2.1'))
    await expect.poll(() => endpoint.questions.length).toBe(4)
    const good = on.ask('good', '192.0.2.2')
    release()
    expect(await good).toEqual(['ada', 'metrics.read'])
    const before = endpoint.questions.findIndex(({ token }) => token === 'good')
    expect(before).toBeLessThan(10)
    const answers = await Promise.all(made)
    expect(answers.filter((answer) => answer === 'inactive').length).toBeGreaterThanOrEqual(50)
    expect(new Set(answers)).toEqual(new Set(['inactive', 'UPSTREAM_UNAVAILABLE']))
  })

  it('has its timeout from the moment of the request, and tokens that only waited do not count as its failures', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await using endpoint = await startEndpoint(async (token) => {
      if (token.startsWith('slow')) await held
      return active()
    })
    const tuning = { concurrency: 1, timeoutMs: 300, breaker: { failures: 2, ms: 3_600_000 } }
    await using on = setUp(endpoint, {}, tuning)
    const slow = on.ask('slow')
    const waiting = Array.from({ length: 10 }, (_, at) => on.ask(`slow${at}`))
    expect(await slow).toBe('UPSTREAM_UNAVAILABLE')
    await Promise.all(waiting)
    // One failed, and at most one more began after it: the others have only waited.
    expect(endpoint.questions.length).toBeLessThanOrEqual(2)
    release()
  })

  it('is not asked about tokens that still wait for their turn when the gateway stops', async () => {
    const held = Promise.withResolvers<void>()
    await using endpoint = await startEndpoint(async () => held.promise.then(() => active()))
    const on = setUp(endpoint, {}, { concurrency: 1, timeoutMs: 60_000 })
    const asked = [on.ask('first'), on.ask('waits')]
    await expect.poll(() => endpoint.questions.length).toBe(1)
    await on[Symbol.asyncDispose]()
    held.resolve()
    expect(await Promise.all(asked)).toEqual(Array(2).fill('UPSTREAM_UNAVAILABLE'))
    expect(endpoint.questions.length).toBe(1)
  })

  it('gets a bounded number of concurrent requests', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await using endpoint = await startEndpoint(async () => held.then(() => active()))
    await using on = setUp(endpoint, {}, { concurrency: 5, waiting: 0 })
    const asked = Array.from({ length: 20 }, (_, at) => on.ask(`opaque${at}`))
    const refused = await Promise.all(asked.slice(5))
    expect(refused).toEqual(Array(15).fill('UPSTREAM_UNAVAILABLE'))
    release()
    expect(await Promise.all(asked.slice(0, 5))).toEqual(Array(5).fill(['ada', 'metrics.read']))
  })
})
