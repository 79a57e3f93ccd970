import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { SignJWT } from 'jose'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Authenticator, createAuthenticator } from '../../../../gateway/auth/authenticate/index.ts'
import type { KeySetOptions } from '../../../../gateway/auth/authenticate/key-set.ts'
import type { Identity } from '../../../../shared/identity.ts'
import { keep } from '../../../support/keep.ts'
import { listen } from '../../../support/listen.ts'
import { until } from '../../../support/wait.ts'
import { outcomeOf } from './outcome.ts'

interface Issuer extends AsyncDisposable {
  readonly url: string
  readonly fetches: () => number
  /** What the address answers from now on. */
  answer(listener: RequestListener): void
  publish(...keys: KeyObject[]): void
  mint(key: KeyObject, claims?: Record<string, unknown>, kid?: string | null): Promise<string>
}

const kidOf = (key: KeyObject): string => {
  const { x, n } = key.export({ format: 'jwk' })
  return String(x ?? n).slice(0, 12)
}

const pemOf = (key: KeyObject): string => String(key.export({ type: 'spki', format: 'pem' }))

async function startIssuer(...keys: KeyObject[]): Promise<Issuer> {
  let fetches = 0
  let listener: RequestListener
  const server = createServer((request, response) => {
    fetches++
    listener(request, response)
  })
  const publish = (...published: KeyObject[]) => {
    const set = {
      keys: published.map((key) => ({ ...key.export({ format: 'jwk' }), kid: kidOf(key), use: 'sig' })),
    }
    listener = (_, response) =>
      void response.setHeader('content-type', 'application/json').end(JSON.stringify(set))
  }
  publish(...keys)
  const listening = await listen(server)
  return {
    ...listening,
    url: `${listening.url}/keys`,
    fetches: () => fetches,
    answer(next) {
      listener = next
    },
    publish,
    async mint(key, claims = {}, kid = kidOf(key)) {
      const alg = key.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256'
      return new SignJWT({ sub: 'ada', exp: 4_102_444_800, ...claims })
        .setProtectedHeader({ alg, ...(kid === null ? {} : { kid }) })
        .sign(key)
    },
  }
}

const ec = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const first = ec()
const second = ec()
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** An authenticator over a key set, with a clock that only the test moves. */
function over(issuer: Issuer, options: Partial<KeySetOptions> = {}) {
  let ms = 1_767_225_600_000
  const now = () => ms
  const on: Authenticator = createAuthenticator({
    key: { kind: 'jwks', url: issuer.url, now, ...options },
    remember: { tokens: 1, ms: 1 },
    now,
  })
  return {
    identify: async (token: string): Promise<Identity> => on.authenticate(`Bearer ${token}`),
    codeOf: async (token: string) => (await outcomeOf(on, `Bearer ${token}`)).code ?? 'taken',
    pass: (seconds: number) => {
      ms += seconds * 1000
    },
    [Symbol.asyncDispose]: () => on.close(),
  }
}

/** An issuer with these keys, and an authenticator over them. Both end with the test. */
async function open(options: Partial<KeySetOptions> = {}, ...keys: readonly KeyObject[]) {
  const issuer = keep(await startIssuer(...(keys.length === 0 ? [first.publicKey] : keys)))
  return { issuer, on: keep(over(issuer, options)) }
}

describe('keys from an address', () => {
  it('are fetched once, at the first token, and not once for each request', async () => {
    const { issuer, on } = await open({}, first.publicKey, rsa.publicKey)
    expect(issuer.fetches()).toBe(0)
    const tokens = await Promise.all(
      [first, rsa].flatMap(({ privateKey }) => [1, 2, 3].map((n) => issuer.mint(privateKey, { n }))),
    )
    const identities = await Promise.all(tokens.map((token) => on.identify(token)))
    expect(identities.every(({ subject }) => subject === 'ada')).toBe(true)
    for (const token of tokens) await on.identify(token)
    expect(issuer.fetches()).toBe(1)
  })

  it('are fetched again when a token names a key that is not among them', async () => {
    const { issuer, on } = await open({ cooldownMs: 30_000 })
    await on.identify(await issuer.mint(first.privateKey))
    issuer.publish(second.publicKey)
    on.pass(31)
    expect((await on.identify(await issuer.mint(second.privateKey))).subject).toBe('ada')
    expect(issuer.fetches()).toBe(2)
    expect(await on.codeOf(await issuer.mint(first.privateKey, { n: 2 }))).toBe('UNAUTHENTICATED')
  })

  it('are fetched again for a new key although the clock was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    await using issuer = await startIssuer(first.publicKey)
    const on = createAuthenticator({ key: { kind: 'jwks', url: issuer.url, cooldownMs: 0 } })
    await on.authenticate(`Bearer ${await issuer.mint(first.privateKey)}`)
    vi.setSystemTime(Date.now() - 3_600_000)
    issuer.publish(second.publicKey)
    expect((await on.authenticate(`Bearer ${await issuer.mint(second.privateKey)}`)).subject).toBe('ada')
    await on.close()
  })

  it('are fetched again for a wrong signature: the issuer may have another key under the same name', async () => {
    const { issuer, on } = await open({ cooldownMs: 30_000 })
    await on.identify(await issuer.mint(first.privateKey))
    const kid = kidOf(first.publicKey)
    const ofNext = await issuer.mint(second.privateKey, {}, kid)
    const next = { keys: [{ ...second.publicKey.export({ format: 'jwk' }), kid }] }
    issuer.answer((_, response) => void response.end(JSON.stringify(next)))
    for (let n = 0; n < 5; n++) expect(await on.codeOf(ofNext)).toBe('UNAUTHENTICATED')
    expect(issuer.fetches()).toBe(1)
    on.pass(31)
    expect((await on.identify(ofNext)).subject).toBe('ada')
    expect(issuer.fetches()).toBe(2)
    on.pass(31)
    issuer.answer((_, response) => void response.writeHead(500).end())
    expect(await on.codeOf(await issuer.mint(first.privateKey, {}, kid))).toBe('UNAUTHENTICATED')
    expect((await on.identify(ofNext)).subject).toBe('ada')
  })

  it('are not fetched again and again for made-up keys', async () => {
    const { issuer, on } = await open({ cooldownMs: 30_000 })
    await on.identify(await issuer.mint(first.privateKey))
    for (let n = 0; n < 20; n++)
      expect(await on.codeOf(await issuer.mint(second.privateKey, { n }, `made-up-${n}`))).toBe(
        'UNAUTHENTICATED',
      )
    expect(issuer.fetches()).toBe(1)
    on.pass(31)
    for (let n = 0; n < 20; n++)
      expect(await on.codeOf(await issuer.mint(second.privateKey, { n }, `made-up-${n}`))).toBe(
        'UNAUTHENTICATED',
      )
    expect(issuer.fetches()).toBe(2)
  })

  it('are fetched again when they are old, so that a withdrawn key is no longer taken', async () => {
    const { issuer, on } = await open({ maxAgeMs: 600_000 }, first.publicKey, second.publicKey)
    const token = await issuer.mint(first.privateKey)
    await on.identify(token)
    issuer.publish(second.publicKey)
    on.pass(599)
    expect((await on.identify(token)).subject).toBe('ada')
    on.pass(2)
    expect(await on.codeOf(token)).toBe('UNAUTHENTICATED')
    expect(issuer.fetches()).toBe(2)
  })

  it('are each tried if a token names none', async () => {
    const others = [ec(), ec()]
    const { issuer, on } = await open({}, ...others.map(({ publicKey }) => publicKey), first.publicKey)
    expect((await on.identify(await issuer.mint(first.privateKey, {}, null))).subject).toBe('ada')
    expect(await on.codeOf(await issuer.mint(second.privateKey, {}, null))).toBe('UNAUTHENTICATED')
    expect(issuer.fetches()).toBe(1)
  })

  it('that are not of their declared kind cannot check a token, which is not a fault of its caller', async () => {
    const { issuer, on } = await open()
    const kid = kidOf(first.publicKey)
    issuer.answer((_, response) => {
      const key = { kty: 'EC', crv: 'P-256', kid, x: 'AA', y: 'AA' }
      response.end(JSON.stringify({ keys: [key] }))
    })
    expect(await on.codeOf(await issuer.mint(first.privateKey))).toBe('UPSTREAM_UNAVAILABLE')
  })

  it('that are too short for JWTs take no token of another key along', async () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const { issuer, on } = await open({}, short.publicKey, rsa.publicKey)
    expect((await on.identify(await issuer.mint(rsa.privateKey, {}, null))).subject).toBe('ada')
    const ofShort = await issuer.mint(rsa.privateKey, {}, kidOf(short.publicKey))
    expect(await on.codeOf(ofShort)).toBe('UPSTREAM_UNAVAILABLE')
    expect(() => createAuthenticator({ key: { kind: 'pem', pem: pemOf(short.publicKey) } })).toThrow('2048')
  })

  it('are used although the set has entries that are none', async () => {
    const { issuer, on } = await open()
    const key = first.publicKey.export({ format: 'jwk' })
    const keys = [null, 7, [], {}, { kty: 'new' }, { ...key, key_ops: 'verify' }, key]
    issuer.answer((_, response) => void response.end(JSON.stringify({ keys })))
    expect((await on.identify(await issuer.mint(first.privateKey, {}, null))).subject).toBe('ada')
  })

  it('are read after a byte order mark', async () => {
    const { issuer, on } = await open()
    const keys = [first.publicKey.export({ format: 'jwk' })]
    issuer.answer((_, response) => void response.end(`\ufeff${JSON.stringify({ keys })}`))
    expect((await on.identify(await issuer.mint(first.privateKey, {}, null))).subject).toBe('ada')
  })

  it('that are private by mistake are no fault of a token', async () => {
    const { issuer, on } = await open({}, first.privateKey)
    const token = await issuer.mint(first.privateKey, {}, kidOf(first.publicKey))
    expect(await on.codeOf(token)).toBe('UPSTREAM_UNAVAILABLE')
  })

  it('are never used as a secret, not even a symmetric one among them', async () => {
    const { issuer, on } = await open()
    const k = Buffer.from('a symmetric key that has no business here').toString('base64url')
    const keys = {
      keys: [
        { kty: 'oct', k, kid: 'shared', alg: 'HS256' },
        { ...first.publicKey.export({ format: 'jwk' }), kid: 'ec' },
      ],
    }
    issuer.answer((_, response) => void response.end(JSON.stringify(keys)))
    for (const kid of ['shared', 'ec']) {
      const head = Buffer.from(JSON.stringify({ alg: 'HS256', kid })).toString('base64url')
      const body = `${head}.${Buffer.from('{"sub":"ada"}').toString('base64url')}`
      const signature = createHmac('sha256', Buffer.from(k, 'base64url')).update(body).digest('base64url')
      expect(await on.codeOf(`${body}.${signature}`)).toBe('UNAUTHENTICATED')
    }
  })
})

describe('an unavailable address', () => {
  const failing: RequestListener = (_, response) => void response.writeHead(500).end('down')

  it.each<[string, RequestListener]>([
    ['answers 500', failing],
    ['answers no JSON', (_, response) => void response.end('<html>')],
    ['answers no key set', (_, response) => void response.end('{"keys":7}')],
    ['redirects', (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['breaks off', (request) => void request.socket.destroy()],
    ['never answers', () => {}],
    ['never finishes', (_, response) => void response.write('{"keys":[')],
    [
      'sends without end',
      (_, response) => {
        const more = () => {
          while (response.write(' '.repeat(65_536)));
          response.once('drain', more)
        }
        more()
      },
    ],
  ])('is a fault of the server, not of the caller, and opens nothing: it %s', async (_, listener) => {
    const { issuer, on } = await open({ timeoutMs: 300, maxBytes: 200_000 })
    issuer.answer(listener)
    expect(await on.codeOf(await issuer.mint(first.privateKey))).toBe('UPSTREAM_UNAVAILABLE')
  })

  it('is not asked at every request', async () => {
    const { issuer, on } = await open({ retryMs: 5_000 })
    issuer.answer(failing)
    for (let n = 0; n < 10; n++)
      expect(await on.codeOf(await issuer.mint(first.privateKey, { n }))).toBe('UPSTREAM_UNAVAILABLE')
    expect(issuer.fetches()).toBe(1)
    issuer.publish(first.publicKey)
    on.pass(6)
    expect((await on.identify(await issuer.mint(first.privateKey))).subject).toBe('ada')
    expect(issuer.fetches()).toBe(2)
  })

  it('leaves the last keys valid for a while, and no longer', async () => {
    const { issuer, on } = await open({ maxAgeMs: 600_000, staleMs: 3_600_000 })
    const token = await issuer.mint(first.privateKey)
    await on.identify(token)
    issuer.answer(failing)
    on.pass(601)
    expect((await on.identify(token)).subject).toBe('ada')
    expect(issuer.fetches()).toBe(2)
    on.pass(3_600)
    expect(await on.codeOf(token)).toBe('UPSTREAM_UNAVAILABLE')
  })

  it('does not hold up tokens of the last keys if it never answers', async () => {
    const { issuer, on } = await open({ maxAgeMs: 600_000, retryMs: 5_000 })
    await on.identify(await issuer.mint(first.privateKey))
    issuer.answer(failing)
    on.pass(601)
    await on.identify(await issuer.mint(first.privateKey, { n: 2 }))
    let isAsked = false
    issuer.answer((_, response) => {
      isAsked = true
      response.once('close', () => {
        isAsked = false
      })
    })
    on.pass(6)
    const tokens = await Promise.all([3, 4].map((n) => issuer.mint(first.privateKey, { n })))
    for (const token of tokens) expect((await on.identify(token)).subject).toBe('ada')
    await until(() => issuer.fetches() === 3, 'the third fetch')
    expect(isAsked).toBe(true)
  })

  it('holds up no token of a known key while it is asked about a made-up one', async () => {
    const { issuer, on } = await open({ cooldownMs: 30_000 })
    await on.identify(await issuer.mint(first.privateKey))
    const asked = Promise.withResolvers<ServerResponse>()
    issuer.answer((_, response) => asked.resolve(response))
    on.pass(31)
    const madeUp = on.codeOf(await issuer.mint(second.privateKey, {}, 'made-up'))
    const response = await asked.promise
    expect((await on.identify(await issuer.mint(first.privateKey, { n: 2 }))).subject).toBe('ada')
    expect(response.destroyed).toBe(false)
    response.end('{"keys":[]}')
    expect(await madeUp).toBe('UNAUTHENTICATED')
  })

  it('cannot be distinguished from a new key, so such a token is not called wrong', async () => {
    const { issuer, on } = await open()
    await on.identify(await issuer.mint(first.privateKey))
    issuer.answer(failing)
    on.pass(31)
    expect(await on.codeOf(await issuer.mint(second.privateKey))).toBe('UPSTREAM_UNAVAILABLE')
    expect((await on.identify(await issuer.mint(first.privateKey, { n: 2 }))).subject).toBe('ada')
  })

  it('is not named in the error', async () => {
    const { issuer, on } = await open()
    issuer.answer(failing)
    const error = await on.identify(await issuer.mint(first.privateKey)).catch((reason: unknown) => reason)
    expect(JSON.stringify(error) + String(error)).not.toContain('127.0.0.1')
  })
})
