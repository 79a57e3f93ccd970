import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import {
  type AuthenticatorOptions,
  createAuthenticator,
  type IntrospectionOptions,
} from '../../../../gateway/access/authenticate/index.ts'

/** 2026-01-01, in seconds. */
const start = 1_767_225_600

interface Question {
  readonly token: string | null
  readonly authorization: string | undefined
}

interface Endpoint extends AsyncDisposable {
  readonly url: string
  readonly questions: readonly Question[]
  /** What it answers from now on. */
  answer: (token: string) => { status?: number; body: unknown } | Promise<{ status?: number; body: unknown }>
}

async function startEndpoint(answer: Endpoint['answer']): Promise<Endpoint> {
  const questions: Question[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', async () => {
      const token = new URLSearchParams(text).get('token')
      questions.push({ token, authorization: request.headers.authorization })
      const { status = 200, body } = await endpoint.answer(token ?? '')
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const endpoint: Endpoint = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/introspect`,
    questions,
    answer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
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
  const ask = async (token: string): Promise<unknown> => {
    try {
      const { subject, scopes } = await on.authenticate(`Bearer ${token}`)
      return [subject, ...scopes]
    } catch (error) {
      const { code, authentication } = (error as { extensions: Record<string, { reason: string }> })
        .extensions
      return authentication?.reason ?? code
    }
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
  it('is asked about once for all who show it, with the credential of the gateway', async () => {
    await using endpoint = await startEndpoint(async () => active())
    await using on = setUp(endpoint)
    const answers = await Promise.all(Array.from({ length: 20 }, () => on.ask('opaque')))
    expect(answers).toEqual(Array(20).fill(['ada', 'metrics.read']))
    const pair = Buffer.from('gate%3Away:a+secret%2F%2B').toString('base64')
    expect(endpoint.questions).toEqual([{ token: 'opaque', authorization: `Basic ${pair}` }])
    await on.ask('opaque')
    expect(endpoint.questions.length).toBe(1)
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

  it('is good no longer than it says', async () => {
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

describe('an issuer that does not answer', () => {
  it.each([
    ['fails', { status: 500, body: {} }],
    ['refuses our credential', { status: 401, body: { error: 'invalid_client' } }],
    ['forbids it', { status: 403, body: {} }],
    ['answers no JSON', { body: '<html>' }],
    ['answers no answer', { body: { active: 'yes' } }],
    ['answers too much', { body: { active: true, more: 'x'.repeat(100_000) } }],
    ['sends us elsewhere', { status: 302, body: '' }],
  ])('because it %s: the token is neither good nor bad', async (_, answer) => {
    await using endpoint = await startEndpoint(() => answer)
    await using on = setUp(endpoint)
    expect(await on.ask('opaque')).toBe('UPSTREAM_UNAVAILABLE')
    endpoint.answer = () => active()
    expect(await on.ask('opaque')).toEqual(['ada', 'metrics.read'])
  })

  it('is left alone after failures in a row', async () => {
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

  it('is asked so many questions at a time and no more', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await using endpoint = await startEndpoint(async () => held.then(() => active()))
    await using on = setUp(endpoint, {}, { concurrency: 5 })
    const asked = Array.from({ length: 20 }, (_, at) => on.ask(`opaque${at}`))
    const refused = await Promise.all(asked.slice(5))
    expect(refused).toEqual(Array(15).fill('UPSTREAM_UNAVAILABLE'))
    release()
    expect(await Promise.all(asked.slice(0, 5))).toEqual(Array(5).fill(['ada', 'metrics.read']))
  })
})
