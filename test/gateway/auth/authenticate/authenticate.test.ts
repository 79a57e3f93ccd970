import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { GraphQLError } from 'graphql'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  type Authenticator,
  type AuthenticatorOptions,
  createAuthenticator,
} from '../../../../gateway/auth/authenticate/index.ts'
import { challengeOf } from '../../../../gateway/auth/challenge.ts'
import { anonymous, type Identity } from '../../../../shared/identity.ts'
import { outcomeOf } from './outcome.ts'

const secret = 'a shared secret of at least thirty-two bytes'
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ed = generateKeyPairSync('ed25519')
const pemOf = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()
const pem = pemOf(rsa.publicKey)

/** 2026-01-01, in seconds. */
const start = 1_767_225_600
let now = start * 1000
const clock = () => now
const setClock = (seconds: number) => {
  now = (start + seconds) * 1000
}

const bySecret = (options: AuthenticatorOptions = {}) =>
  createAuthenticator({ key: { kind: 'secret', secret }, now: clock, ...options })
const byPem = (options: AuthenticatorOptions = {}) =>
  createAuthenticator({ key: { kind: 'pem', pem }, now: clock, ...options })

interface Wish {
  readonly alg?: string
  readonly key?: KeyObject | Uint8Array
  readonly header?: Record<string, unknown>
}

function token(
  claims: Record<string, unknown>,
  { alg = 'HS256', key, header = {} }: Wish = {},
): Promise<string> {
  return new SignJWT({ exp: start + 7 * 24 * 3600, ...claims })
    .setProtectedHeader({ alg, ...header })
    .sign(key ?? new TextEncoder().encode(secret))
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token that no honest library would make. */
function forged(header: unknown, claims: unknown, signature = ''): string {
  return `${base64url(header)}.${base64url(claims)}.${signature}`
}

async function identify(on: Authenticator, text: string): Promise<Identity> {
  return on.authenticate(`Bearer ${text}`)
}

/** The code and reason with which a header is refused; fails if it is not. */
async function refusal(on: Authenticator, header: string): Promise<unknown> {
  const { identity, code, reason } = await outcomeOf(on, header)
  if (identity !== undefined) throw new Error('the header was taken')
  return [code, reason]
}

const refused = (on: Authenticator, text: string) => refusal(on, `Bearer ${text}`)

describe('a caller without a valid token', () => {
  it('is anonymous without a header, whatever is configured', () => {
    for (const on of [createAuthenticator(), bySecret(), byPem()]) {
      expect(on.authenticate(undefined)).toBe(anonymous)
      expect(anonymous).toMatchObject({ authenticated: false, claims: {} })
      expect(anonymous.scopes.size).toBe(0)
    }
  })

  it.each(['', '  '])(
    'is anonymous with the header %j, which clients send if they have no token',
    (header) => {
      for (const on of [createAuthenticator(), bySecret(), byPem()])
        expect(on.authenticate(header)).toBe(anonymous)
    },
  )

  it.each(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', 'Bearer a b', 'Token x', 'bearer\tabc'])(
    'is refused, and not anonymous, with the header %j',
    async (header) => {
      expect(await refusal(bySecret(), header)).toEqual(['UNAUTHENTICATED', 'scheme'])
    },
  )

  it('is refused with a token if no key is configured, in words that say so', async () => {
    const on = createAuthenticator()
    expect(await refused(on, await token({}))).toEqual(['UNAUTHENTICATED', 'unconfigured'])
    expect(() => on.authenticate('Bearer x')).toThrow(/no key .* is configured/)
  })
})

describe('a valid token', () => {
  it.each([
    ['secret', () => bySecret(), 'HS256', undefined],
    ['secret, HS512', () => bySecret(), 'HS512', undefined],
    ['RSA key', () => byPem(), 'RS256', rsa.privateKey],
    ['RSA key, PS512', () => byPem(), 'PS512', rsa.privateKey],
    ['RSA key, PS256 alone', () => byPem({ algorithms: ['PS256'] }), 'PS256', rsa.privateKey],
    ['EC key', () => byPem({ key: { kind: 'pem', pem: pemOf(ec.publicKey) } }), 'ES256', ec.privateKey],
    ['Ed25519 key', () => byPem({ key: { kind: 'pem', pem: pemOf(ed.publicKey) } }), 'EdDSA', ed.privateKey],
  ] as const)('by %s says who it is', async (_, authenticator, alg, key) => {
    setClock(0)
    const text = await token(
      { sub: 'ada', scope: 'tweet.read  users.read', exp: start + 60 },
      { alg, ...(key === undefined ? {} : { key }) },
    )
    const identity = await identify(authenticator(), text)
    expect(identity).toMatchObject({ subject: 'ada', authenticated: true, claims: { exp: start + 60 } })
    expect([...identity.scopes]).toEqual(['tweet.read', 'users.read'])
  })

  it('is taken whatever the case of the scheme, and with spaces around it', async () => {
    const on = bySecret()
    const text = await token({ sub: 'ada' })
    for (const header of [`bearer ${text}`, `BEARER   ${text} `])
      expect((await on.authenticate(header)).subject).toBe('ada')
  })

  it.each([
    [{ scope: 'a b' }, ['a', 'b']],
    [{ scp: 'a b' }, ['a', 'b']],
    [{ scp: ['a', 'b'] }, ['a', 'b']],
    [{ scopes: ['a', 7, null, 'b c'] }, ['a', 'b', 'c']],
    [{ scopes: 'a' }, ['a']],
    [{ scope: 'a', scp: ['b'] }, ['a', 'b']],
    [{ scope: { a: true } }, []],
    [{ roles: ['a'] }, []],
  ])('carries the scopes of %j', async (claims, scopes) => {
    expect([...(await identify(bySecret(), await token(claims))).scopes]).toEqual(scopes)
  })

  it('carries our scopes for names that aliases translate, beside its own', async () => {
    const on = bySecret({
      aliases: { 'https://idp/read': ['tweet.read', 'users.read'], admin: ['metrics.read'] },
    })
    const { scopes } = await identify(on, await token({ scope: 'https://idp/read other toString __proto__' }))
    expect([...scopes]).toEqual([
      'https://idp/read',
      'tweet.read',
      'users.read',
      'other',
      'toString',
      '__proto__',
    ])
  })

  it('has its subject as text if its issuer numbers its users, unless JSON has rounded the number', async () => {
    const subjects = [42, Number.MAX_SAFE_INTEGER + 1, 4.5, { id: 42 }, null].map(async (sub) => {
      const { subject } = await identify(bySecret(), await token({ sub, client_id: 'app' }))
      return subject
    })
    expect(await Promise.all(subjects)).toEqual(['42', undefined, undefined, undefined, undefined])
  })
})

describe('a bad token', () => {
  it.each([
    ['text', 'hello'],
    ['two parts', 'a.b'],
    ['five parts, as an encrypted token has', 'a.b.c.d.e'],
    ['parts that are not base64url', 'ä.ö.ü'],
    ['a header that is not JSON', 'bm90.bm90.bm90'],
    ['an array as header', forged([], {}, 'AA')],
  ])('is refused as malformed: %s', async (_, text) => {
    expect(await refused(bySecret(), text)).toEqual(['UNAUTHENTICATED', 'malformed'])
  })

  it('is refused when it is not signed', async () => {
    for (const alg of ['none', 'None', 'NONE', ''])
      expect(await refused(bySecret(), forged({ alg }, { scope: 'a' }))).toContain('UNAUTHENTICATED')
  })

  it('is refused when another secret signed it', async () => {
    const text = await token({}, { key: new TextEncoder().encode(`${secret}!`) })
    expect(await refused(bySecret(), text)).toEqual(['UNAUTHENTICATED', 'signature'])
  })

  it('is refused when it is signed by a key if a secret is shared', async () => {
    const body = `${base64url({ alg: 'RS256' })}.${base64url({})}`
    const signature = sign('sha256', Buffer.from(body), rsa.privateKey).toString('base64url')
    expect(await refused(bySecret(), `${body}.${signature}`)).toEqual(['UNAUTHENTICATED', 'algorithm'])
  })

  it('is refused when it has expired, to the second', async () => {
    const on = bySecret()
    setClock(0)
    const text = await token({ exp: start + 10 })
    setClock(9)
    expect((await identify(on, text)).authenticated).toBe(true)
    setClock(10)
    expect(await refused(on, text)).toEqual(['UNAUTHENTICATED', 'expired'])
    expect(await refused(bySecret(), text)).toEqual(['UNAUTHENTICATED', 'expired'])
  })

  it('is told its scopes when it has expired, whether or not it was remembered', async () => {
    const on = bySecret()
    setClock(0)
    const text = await token({ exp: start + 10, scope: 'a b' })
    await identify(on, text)
    setClock(10)
    for (const each of [on, bySecret()]) {
      const error = await identify(each, text).catch((refused: GraphQLError) => refused)
      expect(challengeOf([error as GraphQLError], undefined)?.challenge).toMatchObject({ scope: 'a b' })
    }
  })

  it.each([undefined, null, 'never'])('is refused if its end is %s, whatever is configured', async (exp) => {
    setClock(0)
    for (const on of [bySecret(), bySecret({ requiredClaims: [] })])
      expect(await refused(on, await token({ exp }))).toEqual(['UNAUTHENTICATED', 'claims'])
  })

  it('is refused before its time', async () => {
    setClock(0)
    const text = await token({ nbf: start + 10 })
    expect(await refused(bySecret(), text)).toEqual(['UNAUTHENTICATED', 'not_yet_valid'])
    setClock(10)
    expect((await identify(bySecret(), text)).authenticated).toBe(true)
  })

  it('is accepted for as long as clocks may differ by the configuration', async () => {
    setClock(0)
    const on = bySecret({ clockTolerance: 5 })
    const text = await token({ nbf: start + 5, exp: start + 10 })
    expect((await identify(on, text)).authenticated).toBe(true)
    setClock(14)
    expect((await identify(on, text)).authenticated).toBe(true)
    setClock(15)
    expect(await refused(on, text)).toEqual(['UNAUTHENTICATED', 'expired'])
  })

  it('is refused when it is too long, before anything is computed of it', async () => {
    const text = await token({ filler: 'x'.repeat(18_000) })
    expect(await refused(bySecret(), text)).toEqual(['UNAUTHENTICATED', 'too_large'])
    expect((await identify(bySecret({ maxTokenBytes: 40_000 }), text)).authenticated).toBe(true)
  })

  it('tells nothing of itself or the key in the error', async () => {
    const text = await token({ scope: 'very-private', iss: 'https://private-issuer' })
    const on = bySecret({ issuer: 'https://idp' })
    const error = await identify(on, text).catch((reason: unknown) => reason as Error)
    const told = JSON.stringify(error) + String(error)
    for (const part of [...text.split('.'), secret, 'very-private', 'private-issuer'])
      expect(told).not.toContain(part)
  })
})

describe('remembered tokens', () => {
  it('are answered immediately, as the same identity', async () => {
    const on = bySecret()
    setClock(0)
    const header = `Bearer ${await token({ sub: 'ada', exp: start + 600 })}`
    const first = on.authenticate(header)
    expect(first).toBeInstanceOf(Promise)
    const identity = await first
    expect(on.authenticate(header)).toBe(identity)
  })

  it('are verified again after a while, and when too many others came since', async () => {
    const on = bySecret({ remember: { tokens: 2, ms: 60_000 } })
    setClock(0)
    const headers: string[] = []
    for (const sub of ['a', 'b', 'c']) headers.push(`Bearer ${await token({ sub })}`)
    for (const header of headers) await on.authenticate(header)
    expect(on.authenticate(headers[2])).not.toBeInstanceOf(Promise)
    expect(on.authenticate(headers[0])).toBeInstanceOf(Promise)
    setClock(61)
    expect(on.authenticate(headers[2])).toBeInstanceOf(Promise)
  })

  it('do not make a similar token valid', async () => {
    const on = bySecret()
    const text = await token({ sub: 'ada' })
    await identify(on, text)
    const last = text.endsWith('A') ? 'B' : 'A'
    expect(await refused(on, `${text.slice(0, -2)}${last}${last}`)).toEqual(['UNAUTHENTICATED', 'signature'])
  })
})

describe('a contradictory configuration', () => {
  it.each([
    ['HS256 with a public key', { key: { kind: 'pem', pem }, algorithms: ['RS256', 'HS256'] }],
    ['ES256 with an RSA key', { key: { kind: 'pem', pem }, algorithms: ['ES256'] }],
    ['HS256 with a key set', { key: { kind: 'jwks', url: 'http://127.0.0.1:1/' }, algorithms: ['HS256'] }],
    ['RS256 with a secret', { key: { kind: 'secret', secret }, algorithms: ['RS256'] }],
    ['none', { key: { kind: 'secret', secret }, algorithms: ['none'] }],
    ['an unknown algorithm', { key: { kind: 'secret', secret }, algorithms: ['HS257'] }],
    ['no algorithm', { key: { kind: 'secret', secret }, algorithms: [] }],
    ['text as PEM', { key: { kind: 'pem', pem: 'hello' } }],
    ['an empty secret', { key: { kind: 'secret', secret: '' } }],
    [
      'a private key',
      { key: { kind: 'pem', pem: rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() } },
    ],
  ] satisfies [string, AuthenticatorOptions][])('is refused at the start: %s', (_, options) => {
    expect(() => createAuthenticator(options)).toThrow()
  })
})
