/** No form of token but the configured ones is ever taken, whatever is put together. */
import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { CompactEncrypt, calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  type Authenticator,
  createAuthenticator,
  createNonces,
  createProofMemory,
  dpopAlgorithms,
  type ProofMaterial,
} from '../../../../gateway/auth/authenticate/index.ts'
import { memoryStores } from '../../../../gateway/stores/index.ts'
import { outcomeOf } from './outcome.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
const client = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const der = rsa.publicKey.export({ type: 'spki', format: 'der' })

/** 2026-01-01, in seconds. */
const start = 1_767_225_600
const now = () => start * 1000
const issuer = 'https://id.example.com'
const audience = 'https://graph.example.com/graphql'
const address = 'https://graph.example.com'

const rules = {
  key: { kind: 'pem', pem },
  issuer,
  audience,
  algorithms: ['RS256'],
  type: 'at+jwt',
  now,
} as const

const profile = () => ({
  iss: issuer,
  aud: audience,
  sub: 'ada',
  client_id: 'app',
  iat: start,
  exp: start + 300,
  jti: randomUUID(),
  scope: 'metrics.read',
})

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function signed(
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
  key: KeyObject = rsa.privateKey,
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', ...header })
    .sign(key, { crit: { tessera: true } })
}

/** Signed by HMAC, with what an attacker may know of the public key as the secret. */
function confused(secret: string | Buffer, alg = 'HS256'): string {
  const input = `${base64url({ alg, typ: 'at+jwt' })}.${base64url(profile())}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

async function reasonOf(on: Authenticator, header: string, shown?: ProofMaterial): Promise<unknown> {
  const { identity, code, reason } = await outcomeOf(on, header, shown)
  if (identity !== undefined) return 'taken'
  return code === 'UNAUTHENTICATED' ? reason : code
}

const without = (name: string) => {
  const { [name]: _, ...rest } = profile() as Record<string, unknown>
  return rest
}

type Form = () => string | Promise<string>

/** By the reason with which each is refused. */
const forms: Readonly<Record<string, Readonly<Record<string, Form>>>> = {
  algorithm: {
    'alg none': () => `${base64url({ alg: 'none', typ: 'at+jwt' })}.${base64url(profile())}.`,
    'alg None with a signature': () =>
      `${base64url({ alg: 'None', typ: 'at+jwt' })}.${base64url(profile())}.AAAA`,
    'HMAC by the PEM': () => confused(pem),
    'HMAC by the PEM without its last line break': () => confused(pem.trimEnd()),
    'HMAC by the DER': () => confused(der),
    'HMAC with nothing': () => confused(''),
    'another algorithm of the same key': () => signed(profile(), { alg: 'PS256' }),
    'an unknown critical header': () => signed(profile(), { crit: ['tessera'], tessera: 1 }),
  },
  malformed: {
    'no alg': () => `${base64url({ typ: 'at+jwt' })}.${base64url(profile())}.AAAA`,
    'an encrypted token': () =>
      new CompactEncrypt(Buffer.from(JSON.stringify(profile())))
        .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', typ: 'at+jwt' })
        .encrypt(rsa.publicKey),
    'nothing that is a token': () => 'opaque',
  },
  signature: {
    'another key': () => signed(profile(), {}, other.privateKey),
    'an embedded key': async () =>
      signed(profile(), { jwk: await exportJWK(other.publicKey) }, other.privateKey),
    'an address of keys': () =>
      signed(profile(), { jku: 'http://127.0.0.1:1/keys', kid: 'a' }, other.privateKey),
    'a certificate': () => signed(profile(), { x5c: [der.toString('base64')] }, other.privateKey),
    'an address of certificates': () => signed(profile(), { x5u: 'http://127.0.0.1:1/' }, other.privateKey),
    'another token inside': async () =>
      signed({}, { cty: 'JWT' }).then((inner) => {
        const input = `${base64url({ alg: 'RS256', typ: 'at+jwt', cty: 'JWT' })}.${Buffer.from(inner).toString('base64url')}`
        return `${input}.${createHmac('sha256', 'x').update(input).digest('base64url')}`
      }),
  },
  type: {
    'no type': () => signed(profile(), { typ: undefined }),
    'the type of an ID token': () => signed(profile(), { typ: 'JWT' }),
    'the type of a proof': () => signed(profile(), { typ: 'dpop+jwt' }),
    'the type of a logout': () => signed(profile(), { typ: 'logout+jwt' }),
  },
  expired: {
    'an end in the past': () => signed({ ...profile(), exp: start - 1 }),
    'an end right now': () => signed({ ...profile(), exp: start }),
  },
  claims: {
    'an end that is text': () => signed({ ...profile(), exp: `${start + 60}` }),
    'an end that is null': () => signed({ ...profile(), exp: null }),
    'a beginning that is text': () => signed({ ...profile(), nbf: 'tomorrow' }),
    'a time of issue that is text': () => signed({ ...profile(), iat: 'tomorrow' }),
    'no subject': () => signed(without('sub')),
    'no client': () => signed(without('client_id')),
    'no end': () => signed(without('exp')),
  },
  not_yet_valid: {
    'a beginning in the future': () => signed({ ...profile(), nbf: start + 1 }),
  },
  issuer: {
    'another issuer': () => signed({ ...profile(), iss: `${issuer}/` }),
    'issuers as a list': () => signed({ ...profile(), iss: [issuer] }),
    'no issuer': () => signed(without('iss')),
  },
  audience: {
    'another audience': () => signed({ ...profile(), aud: ['https://other.example.com'] }),
    'no audience': () => signed(without('aud')),
  },
  binding: {
    'a key that it is bound to': () => signed({ ...profile(), cnf: { jkt: 'a' } }),
    'a certificate that it is bound to': () => signed({ ...profile(), cnf: { 'x5t#S256': 'a' } }),
    'an unknown condition': () => signed({ ...profile(), cnf: { kid: 'a' } }),
    'a condition that is empty': () => signed({ ...profile(), cnf: {} }),
    'a condition that is text': () => signed({ ...profile(), cnf: 'a' }),
  },
}

describe('with a key, an issuer, an audience, an algorithm and a type', () => {
  const on = createAuthenticator(rules)

  it('a token that fulfils all of them is accepted', async () => {
    for (const aud of [audience, ['other', audience]])
      expect(await reasonOf(on, `Bearer ${await signed({ ...profile(), aud })}`)).toBe('taken')
  })

  describe.each(Object.entries(forms))('is refused for its %s: a token with', (reason, tokens) => {
    it.each(Object.entries(tokens))('%s', async (_, form) => {
      const text = await form()
      // And again: nothing of it is remembered.
      for (let times = 0; times < 2; times++) expect(await reasonOf(on, `Bearer ${text}`)).toBe(reason)
    })
  })

  it('no part of a valid token can be changed', async () => {
    const good = await signed(profile())
    await fc.assert(
      fc.asyncProperty(
        fc.nat(good.length - 1),
        fc.constantFrom(...'ABab01-_.= ~'),
        fc.constantFrom('replace', 'insert', 'delete', 'cut'),
        async (at, character, how) => {
          const changed = {
            replace: good.slice(0, at) + character + good.slice(at + 1),
            insert: good.slice(0, at) + character + good.slice(at),
            delete: good.slice(0, at) + good.slice(at + 1),
            cut: good.slice(0, at),
          }[how]
          fc.pre(changed !== good && changed.trim() === changed)
          // The last character of a signature has bits that mean nothing.
          fc.pre(at < good.length - 1)
          expect(await reasonOf(on, `Bearer ${changed}`)).not.toBe('taken')
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('if no type is required', () => {
  const { type: _, ...open } = rules
  const on = createAuthenticator(open)
  it.each([
    ['at+jwt', 'taken'],
    ['JWT', 'taken'],
    ['application/at+jwt', 'taken'],
    [undefined, 'taken'],
    ['dpop+jwt', 'type'],
    ['logout+jwt', 'type'],
    ['token-introspection+jwt', 'type'],
    [1, 'type'],
  ])('typ %s is %s', async (typ, expected) => {
    expect(await reasonOf(on, `Bearer ${await signed(profile(), { typ })}`)).toBe(expected)
  })
})

describe('DPoP', async () => {
  const jwk = await exportJWK(client.publicKey)
  const jkt = await calculateJwkThumbprint(jwk)
  const dpop = {
    required: false,
    addresses: () => [address],
    memory: createProofMemory(memoryStores, { now }),
  }
  const nonces = createNonces('the same on all replicas, to be sure', now)
  const on = createAuthenticator({ ...rules, possession: { dpop } })
  const strict = createAuthenticator({
    ...rules,
    possession: {
      dpop: { ...dpop, required: true, memory: createProofMemory(memoryStores, { now }), nonces },
    },
  })
  const bound = await signed({ ...profile(), cnf: { jkt } })
  const unbound = await signed(profile())
  const athOf = (token: string) => createHash('sha256').update(token).digest('base64url')
  const claims = () => ({
    htm: 'POST',
    htu: `${address}/graphql`,
    iat: start,
    jti: randomUUID(),
    ath: athOf(bound),
  })
  const prove = (
    given: Record<string, unknown> = {},
    header: Record<string, unknown> = {},
    key: KeyObject = client.privateKey,
  ): Promise<string> =>
    new SignJWT({ ...claims(), ...given })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header })
      .sign(key, { crit: { tessera: true } })
  const shown = (proof: string | undefined): ProofMaterial => ({
    method: 'POST',
    url: '/graphql?extensions=1',
    header: (name) => (name === 'dpop' ? proof : undefined),
  })
  const asked = async (proof: string | undefined, at = on, token = bound) =>
    reasonOf(at, `DPoP ${token}`, shown(proof))

  it('a proof is valid once', async () => {
    const proof = await prove()
    expect(await asked(proof)).toBe('taken')
    expect(await asked(proof)).toBe('proof')
    expect(await asked(await prove({ htu: `${address}/graphql?a=b#c` }))).toBe('taken')
  })

  it.each(dpopAlgorithms)('a proof may be signed by %s', async (alg) => {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
    const own = await exportJWK(publicKey)
    const token = await signed({ ...profile(), cnf: { jkt: await calculateJwkThumbprint(own) } })
    const proof = await new SignJWT({ ...claims(), ath: athOf(token) })
      .setProtectedHeader({ alg, typ: 'dpop+jwt', jwk: own })
      .sign(privateKey)
    expect(await asked(proof, on, token)).toBe('taken')
  })

  it('members of `cnf` that are not known are ignored beside one that is, and null is absent', async () => {
    for (const others of [{ 'urn:other': 'x' }, { 'x5t#S256': null }, { jwk: null, kid: 'a' }]) {
      const token = await signed({ ...profile(), cnf: { jkt, ...others } })
      const proof = await prove({ ath: athOf(token) })
      expect(await asked(proof, on, token)).toBe('taken')
      expect(await asked(undefined, on, token)).toBe('proof')
      expect(await reasonOf(on, `Bearer ${token}`)).toBe('binding')
    }
    for (const cnf of [{ kid: 'a' }, { jkt: null }, {}, 'x']) {
      const token = await signed({ ...profile(), cnf })
      expect(await reasonOf(on, `Bearer ${token}`)).toBe('binding')
    }
  })

  const wrongs: Readonly<Record<string, () => Promise<string | undefined>>> = {
    'no proof': async () => undefined,
    'an empty proof': async () => '',
    'two proofs': async () => `${await prove()}, ${await prove()}`,
    'a proof that is too long': () => prove({ more: 'x'.repeat(13_000) }),
    'another method': () => prove({ htm: 'GET' }),
    'a method in lower case': () => prove({ htm: 'post' }),
    'another address': () => prove({ htu: 'https://other.example.com/graphql' }),
    'another scheme': () => prove({ htu: 'http://graph.example.com/graphql' }),
    'another path': () => prove({ htu: `${address}/graphql2` }),
    'no address': () => prove({ htu: undefined }),
    'addresses as a list': () => prove({ htu: [`${address}/graphql`] }),
    'no method': () => prove({ htm: undefined }),
    'a proof of long ago': () => prove({ iat: start - 61 }),
    'a proof of the future': () => prove({ iat: start + 61 }),
    'no time': () => prove({ iat: undefined }),
    'no id': () => prove({ jti: undefined }),
    'an id that is too long': () => prove({ jti: 'x'.repeat(300) }),
    'another token': () => prove({ ath: athOf(unbound) }),
    'no token': () => prove({ ath: undefined }),
    'another type': () => prove({}, { typ: 'JWT' }),
    'no key': () => prove({}, { jwk: undefined }),
    'a private key': async () => prove({}, { jwk: await exportJWK(client.privateKey) }),
    'the key of another': async () =>
      prove({}, { jwk: await exportJWK(stranger.publicKey) }, stranger.privateKey),
    'the signature of another': () => prove({}, {}, stranger.privateKey),
    'a critical header': () => prove({}, { crit: ['tessera'], tessera: 1 }),
    'a shared secret': async () => {
      const header = { alg: 'HS256', typ: 'dpop+jwt', jwk: { kty: 'oct', k: 'AAAA' } }
      const input = `${base64url(header)}.${base64url(claims())}`
      return `${input}.${createHmac('sha256', Buffer.from('AAAA', 'base64url')).update(input).digest('base64url')}`
    },
    'no signature': async () => `${base64url({ alg: 'none', typ: 'dpop+jwt', jwk })}.${base64url(claims())}.`,
  }
  it.each(Object.entries(wrongs))('with %s the token is refused', async (_, make) => {
    expect(await asked(await make())).toMatch(/^(proof|binding)$/)
  })

  it('a bound token is no bearer token, and an unbound one is no DPoP token', async () => {
    expect(await reasonOf(on, `Bearer ${bound}`, shown(await prove()))).toBe('binding')
    expect(await asked(await prove({ ath: athOf(unbound) }), on, unbound)).toBe('binding')
    expect(await reasonOf(on, `Bearer ${unbound}`, shown(undefined))).toBe('taken')
    expect(await reasonOf(strict, `Bearer ${unbound}`, shown(undefined))).toBe('binding')
  })

  it('a nonce is requested, and valid for a while', async () => {
    expect(await asked(await prove(), strict)).toBe('nonce')
    expect(await asked(await prove({ nonce: 'made up' }), strict)).toBe('nonce')
    expect(await asked(await prove({ nonce: strict.nonce?.() }), strict)).toBe('taken')
    const replica = createNonces('the same on all replicas, to be sure', () => now() + 300_000)
    expect(replica.isGood(strict.nonce?.())).toBe(true)
    const behind = createNonces('the same on all replicas, to be sure', () => now() - 300_000)
    expect(behind.isGood(strict.nonce?.())).toBe(true)
    const later = createNonces('the same on all replicas, to be sure', () => now() + 600_000)
    expect(later.isGood(strict.nonce?.())).toBe(false)
    expect(createNonces('another secret than that of the first', now).isGood(strict.nonce?.())).toBe(false)
  })

  it('a memory that is full refuses instead of forgetting', () => {
    let at = 0
    const memory = createProofMemory(memoryStores, { now: () => at, most: 2 })
    const take = (id: string) => memory.take(id, 120_000)
    expect([take('a'), take('b'), take('a')]).toEqual([true, true, false])
    expect(() => take('c')).toThrow(/Too many/)
    at = 120_000
    expect(take('c')).toBe(true)
  })

  it('a clock that was ahead fills no memory when it is right again', () => {
    let at = 3_600_000
    const memory = createProofMemory(memoryStores, { now: () => at, most: 3 })
    const take = (id: string) => memory.take(id, 120_000)
    expect(take('ahead')).toBe(true)
    for (at = 0; at < 3_600_000; at += 120_000)
      expect([take(`a ${at}`), take(`b ${at}`)]).toEqual([true, true])
    // Its proof would be valid now.
    expect(take('ahead')).toBe(false)
  })
})
