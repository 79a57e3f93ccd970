/** What callers authenticate with: tokens, proofs of possession, certificates, assertions of a gateway. */
import { generateKeyPairSync, hash } from 'node:crypto'
import { isIP, type Socket } from 'node:net'
import { calculateJwkThumbprint, errors, type JWK, SignJWT } from 'jose'
import { errorOf } from '../../../engine/subgraphs/events/sse.ts'
import { readErrorsOf, shownErrors } from '../../../engine/subgraphs/http/subgraph-errors.ts'
import { createAssertionAuthenticator, derivedKey } from '../../../gateway/auth/assertion.ts'
import { createAuthenticator } from '../../../gateway/auth/authenticate/index.ts'
import { createCertificateReader } from '../../../gateway/auth/authenticate/possession/certificate.ts'
import { challengeHeader, challengeOf } from '../../../gateway/auth/challenge.ts'
import { createClientAddress, networkOf } from '../../../gateway/auth/client-address.ts'
import { parsedJson } from '../../../shared/json/parse-json.ts'
import { linesOf } from '../pieces.ts'
import { Broken, targetsOf } from '../target.ts'
import { isTyped } from '../typed.ts'

const now = Date.UTC(2026, 10, 20)
const seconds = now / 1000
const secret = new TextEncoder().encode('a secret of at least thirty-two characters')
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = publicKey.export({ format: 'jwk' }) as JWK
const thumbprint = await calculateJwkThumbprint(jwk)
const claims = {
  ...{ iss: 'issuer', sub: 'demo', aud: 'graph', exp: seconds + 60, nbf: seconds - 60, iat: seconds },
  ...{ scope: 'media.read tweet.read', scp: ['a'], scopes: 'b c' },
}

const authenticator = createAuthenticator({
  key: { kind: 'secret', secret },
  audience: 'graph',
  issuer: 'issuer',
  now: () => now,
  remember: { tokens: 10 },
  possession: {
    dpop: {
      required: false,
      addresses: () => ['http://127.0.0.1:4000'],
      // Remembering used proofs is not the reader's task.
      memory: { take: () => true, close: () => Promise.resolve() },
    },
    certificates: { header: 'client-cert', proxies: ['127.0.0.1'] },
  },
})

function jsonIn(text = ''): Record<string, unknown> | undefined {
  const value = parsedJson(text)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}

/** A JWT with this header and these claims; undefined if the signing library refuses them. */
async function signed(header: unknown, payload: unknown, key: Parameters<SignJWT['sign']>[0], alg: string) {
  try {
    return await new SignJWT(payload as never)
      .setProtectedHeader({ ...(header as object), alg } as never)
      .sign(key)
  } catch {
    return undefined
  }
}

const lines = (...parts: readonly unknown[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('\n')
const proof = { htm: 'POST', htu: 'http://127.0.0.1:4000/graphql', iat: seconds, jti: '1' }

export const targets = targetsOf(import.meta.url, [
  {
    name: 'token',
    smoke: 32,
    covers: ['gateway/auth/authenticate'],
    seeds: [
      lines('signed', { typ: 'at+jwt' }, claims),
      lines('signed', {}, { ...claims, cnf: { jkt: thumbprint } }, { typ: 'dpop+jwt' }, proof),
      lines('signed', {}, { ...claims, cnf: { 'x5t#S256': 'abc' } }),
      lines('raw', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.', 'eyJ0eXAiOiJkcG9wK2p3dCJ9.e30.e30'),
      lines('raw', 'DPoP opaque', ''),
    ],
    allows: isTyped,
    /** A header as it is, or a properly signed token with any claims. */
    async run(input) {
      const [kind, first, second, third, fourth] = linesOf(input)
      let header = first
      let dpop = second
      if (kind === 'signed') {
        const token = await signed(jsonIn(first), jsonIn(second), secret, 'HS256')
        header = `${third === undefined ? 'Bearer' : 'DPoP'} ${token}`
        const ath = hash('sha256', token ?? '', 'base64url')
        const claimed = third === undefined ? undefined : { ath, ...jsonIn(fourth) }
        dpop = claimed && (await signed({ jwk, ...jsonIn(third) }, claimed, privateKey, 'ES256'))
      }
      const identity = await authenticator.authenticate(header, {
        method: 'POST',
        url: '/graphql',
        peer: () => '127.0.0.1',
        header: (name) => (name === 'dpop' ? dpop : undefined),
      })
      // An empty header names nobody, as none does.
      if (header !== undefined && /\S/.test(header) && !identity.authenticated)
        throw new Broken('an anonymous caller with a header')
      if (identity.authenticated && kind !== 'signed') throw new Broken('a token that nobody signed')
    },
  },
  {
    name: 'assertion',
    covers: ['gateway/auth/assertion.ts'],
    seeds: [
      lines(
        'signed',
        { typ: 'tessera-identity+jwt' },
        {
          ...{ iss: 'tessera', aud: 'videos', iat: seconds, exp: seconds + 60, scope: 'a b', sub: 'demo' },
          op: hash('sha256', 'body', 'base64url'),
        },
      ),
      lines('raw', 'Bearer a.b.c'),
    ],
    allows: (error) => isTyped(error) || error instanceof errors.JOSEError,
    async run(input) {
      const [kind, first, second] = linesOf(input)
      const { key } = derivedKey('a secret of both sides')
      const header =
        kind === 'signed' ? `Bearer ${await signed(jsonIn(first), jsonIn(second), key, 'HS256')}` : first
      const { authenticate } = createAssertionAuthenticator(
        { kind: 'secret', secret: 'a secret of both sides' },
        'videos',
        () => now,
      )
      await authenticate(header, { body: () => Buffer.from('body'), header: () => undefined })
    },
  },
  {
    name: 'client-certificate',
    covers: ['gateway/auth/authenticate/possession/certificate.ts'],
    seeds: [
      'Hash=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef;Subject="CN=a"',
      ':MIIBszCCAVmgAwIBAgIU:',
      '-----BEGIN%20CERTIFICATE-----%0AMIIB%0A-----END%20CERTIFICATE-----',
    ],
    run(input) {
      const thumbprintOf = createCertificateReader({ header: 'client-cert', proxies: ['127.0.0.1'] })
      const known = thumbprintOf({ peer: () => '127.0.0.1', header: () => input.toString('latin1') })
      if (known !== undefined && !/^[\w-]{43}$/.test(known))
        throw new Broken('a thumbprint that is none', known)
    },
  },
  {
    name: 'client-address',
    covers: ['gateway/auth/client-address.ts'],
    seeds: ['192.0.2.7, 127.0.0.2', '[2001:db8::7]:4711,::1', '192.0.2.7:80, ::ffff:127.0.0.2', 'fe80::1%1'],
    run(input) {
      const headers = { 'x-forwarded-for': input.toString('latin1') }
      const address = createClientAddress(['127.0.0.0/8', '::1'])(headers, { remoteAddress: '::1' } as Socket)
      if (address === undefined || isIP(address) === 0) throw new Broken('an address that is none', address)
      if (networkOf(address) === '') throw new Broken('an address of no network', address)
    },
  },
  {
    name: 'challenge',
    covers: ['gateway/auth/challenge.ts', 'engine/subgraphs/http/subgraph-errors.ts'],
    seeds: [
      lines([
        {
          message: 'no',
          path: ['a', 0],
          extensions: {
            code: 'UNAUTHORIZED_FIELD_OR_TYPE',
            authorization: { required: [['a', 'b'], ['c']], challenge: { acr_values: 'x', max_age: 60 } },
          },
        },
      ]),
      lines([
        { message: '"quoted"', extensions: { code: 'UNAUTHENTICATED', authentication: { reason: 'proof' } } },
      ]),
    ],
    /** Errors of a remote subgraph, from which the header of a refusal is made. */
    run(input) {
      let given: unknown
      try {
        given = JSON.parse(input.toString('utf8'))
      } catch {
        return
      }
      const read = readErrorsOf('videos', shownErrors)()
      const all = (Array.isArray(given) ? given : [given]).map((each) => errorOf(read(each)))
      const identity = { scopes: new Set(['a']), claims: {}, authenticated: true }
      for (const who of [identity, { ...identity, authenticated: false }, undefined]) {
        const challenged = challengeOf(all, who)
        if (challenged === undefined) continue
        const header = challengeHeader(challenged.challenge, 'http://a/b', { bearer: true, dpop: ['ES256'] })
        if (/[^\x20-\x7e]/.test(header)) throw new Broken('a header that cannot be sent', header)
      }
    },
  },
])
