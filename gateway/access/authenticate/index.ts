/**
 * Who asks: turns the `Authorization` header into an identity, or refuses it.
 *
 * No header is an anonymous caller. Anything else that is not a token which our key proves is `UNAUTHENTICATED`
 * (401) and never falls back to anonymous; keys that cannot be had now are our fault (503). Verified tokens are
 * remembered by their digest for a while, so that a busy caller does not cost a signature each time; the times
 * that a token names are checked on every request.
 */
import { createPublicKey, hash, type KeyObject } from 'node:crypto'
import type { GraphQLError } from 'graphql'
import { type CryptoKey, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { tesseraError } from '../../../contract/errors.ts'
import { anonymous, type Identity } from '../../../contract/identity.ts'
import { algorithmsFor } from './algorithms.ts'
import { createKeySet, type KeySet, type KeySetOptions } from './key-set.ts'
import { type ScopeAliases, scopeReader } from './scopes.ts'

export type TokenKey =
  | ({ readonly kind: 'jwks' } & KeySetOptions)
  | { readonly kind: 'pem'; readonly pem: string }
  | { readonly kind: 'secret'; readonly secret: string | Uint8Array }

export interface AuthenticatorOptions {
  /** Without one, every token is refused. */
  readonly key?: TokenKey | undefined
  readonly issuer?: string | readonly string[] | undefined
  readonly audience?: string | readonly string[] | undefined
  /** Defaults to all that go with the key. */
  readonly algorithms?: readonly string[] | undefined
  /** How far our clock and the issuer's may be apart, in seconds. */
  readonly clockTolerance?: number | undefined
  readonly aliases?: ScopeAliases | undefined
  readonly maxTokenBytes?: number | undefined
  /** How many verified tokens are remembered, and for how long at most. */
  readonly remember?: { readonly tokens?: number; readonly ms?: number } | undefined
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined
}

export interface Authenticator {
  /** Answers at once where the token is remembered, or there is none. */
  authenticate(authorizationHeader: string | undefined): Identity | Promise<Identity>
  close(): Promise<void>
}

/** Why a token was refused, for clients: `extensions.authentication.reason`. */
export type RefusedToken =
  | 'scheme'
  | 'malformed'
  | 'too_large'
  | 'unconfigured'
  | 'algorithm'
  | 'signature'
  | 'key'
  | 'expired'
  | 'not_yet_valid'
  | 'issuer'
  | 'audience'
  | 'claims'

function refuse(reason: RefusedToken, message: string, cause?: unknown): GraphQLError {
  return tesseraError('UNAUTHENTICATED', message, { cause, extensions: { authentication: { reason } } })
}

/** jose's errors in words that help the caller and repeat nothing of the token. */
function refusalFrom(error: unknown): GraphQLError | undefined {
  if (error instanceof errors.JWTExpired)
    return refuse('expired', 'The token has expired: get a new one.', error)
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'nbf') return refuse('not_yet_valid', 'The token is not valid yet.', error)
    if (error.claim === 'iss')
      return refuse('issuer', 'The token is of another issuer than this server takes.', error)
    if (error.claim === 'aud') return refuse('audience', 'The token is not meant for this server.', error)
    return refuse('claims', 'A claim of the token is not what it must be.', error)
  }
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported)
    return refuse('algorithm', 'The token is signed in a way that this server does not take.', error)
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return refuse('signature', "The token's signature is wrong.", error)
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return refuse('key', "The token is signed with a key that is not among its issuer's.", error)
  if (error instanceof errors.JOSEError) return refuse('malformed', 'The token is not a signed JWT.', error)
  return undefined
}

type Verify = (token: string, options: JWTVerifyOptions) => Promise<JWTPayload>

interface Proof {
  readonly verify: Verify
  readonly algorithms: string[]
  close(): Promise<void>
}

/** A key set may hold several keys that fit a token which names none: each is tried. */
async function verifyWithSet(keys: KeySet, token: string, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, (header, input) => keys.key(header, input), options)).payload
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    let tried = 0
    for await (const key of error as AsyncIterable<CryptoKey>) {
      if (++tried > 20) break
      try {
        return (await jwtVerify(token, key, options)).payload
      } catch (each) {
        if (!(each instanceof errors.JWSSignatureVerificationFailed)) throw each
      }
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

function publicKeyFrom(pem: string): KeyObject {
  if (/PRIVATE KEY/.test(pem)) throw new Error('expected a public key, got a private one')
  try {
    return createPublicKey(pem)
  } catch {
    throw new Error('the public key is not PEM (SPKI, PKCS #1 or an X.509 certificate)')
  }
}

function proofFrom(key: TokenKey, algorithms: readonly string[] | undefined): Proof {
  if (key.kind === 'jwks') {
    const accepted = algorithmsFor('jwks', undefined, algorithms)
    const keys = createKeySet(key)
    return {
      verify: (token, options) => verifyWithSet(keys, token, options),
      algorithms: accepted,
      close: () => keys.close(),
    }
  }
  const close = async () => {}
  if (key.kind === 'pem') {
    const publicKey = publicKeyFrom(key.pem)
    return {
      verify: async (token, options) => (await jwtVerify(token, publicKey, options)).payload,
      algorithms: algorithmsFor('pem', publicKey, algorithms),
      close,
    }
  }
  const secret = typeof key.secret === 'string' ? new TextEncoder().encode(key.secret) : key.secret
  if (secret.length === 0) throw new Error('the shared secret is empty')
  return {
    verify: async (token, options) => (await jwtVerify(token, secret, options)).payload,
    algorithms: algorithmsFor('secret', undefined, algorithms),
    close,
  }
}

interface Remembered {
  readonly identity: Identity
  /** Milliseconds since 1970; the moment from which the token is too old. */
  readonly until: number
  /** The moment from which it is looked at again: its key may have gone. */
  readonly again: number
}

/** Of those who ask most: tokens are long, so that few of them are kept whole. */
const recentTokens = 100

/** Throws, for whoever configures it, where the key is none or an algorithm does not go with it. */
export function createAuthenticator({
  key,
  issuer,
  audience,
  algorithms,
  clockTolerance = 0,
  aliases,
  maxTokenBytes = 8_192,
  remember: { tokens = 10_000, ms = 300_000 } = {},
  now = Date.now,
}: AuthenticatorOptions = {}): Authenticator {
  const proof = key === undefined ? undefined : proofFrom(key, algorithms)
  const scopesOf = scopeReader(aliases)
  const remembered = new LRUCache<string, Remembered>({
    max: tokens,
    ttl: ms,
    ttlResolution: 0,
    perf: { now },
  })
  /** The same by the end of the header, which is the signature: to find one costs less than the digest of a token. */
  const recent = new LRUCache<string, Remembered & { readonly header: string }>({ max: recentTokens })
  const list = (value: string | readonly string[]) => (typeof value === 'string' ? value : [...value])

  const verify = async (token: string, digest: string, { verify, algorithms }: Proof): Promise<Identity> => {
    const checkedAt = now()
    let claims: JWTPayload
    try {
      claims = await verify(token, {
        algorithms,
        clockTolerance,
        currentDate: new Date(checkedAt),
        ...(issuer === undefined ? {} : { issuer: list(issuer) }),
        ...(audience === undefined ? {} : { audience: list(audience) }),
      })
    } catch (error) {
      throw refusalFrom(error) ?? error
    }
    const identity: Identity = Object.freeze({
      ...(typeof claims.sub === 'string' ? { subject: claims.sub } : {}),
      scopes: scopesOf(claims),
      claims: Object.freeze(claims),
      authenticated: true,
    })
    const until = claims.exp === undefined ? Number.POSITIVE_INFINITY : (claims.exp + clockTolerance) * 1000
    remembered.set(digest, { identity, until, again: checkedAt + ms })
    return identity
  }

  return {
    authenticate(header) {
      if (header === undefined) return anonymous
      const end = signatureOf(header)
      const fresh = recent.get(end)
      if (fresh !== undefined && fresh.header === header) {
        const at = now()
        if (at < fresh.until && at < fresh.again) return fresh.identity
      }
      const token = bearerOf(header)
      if (token === undefined)
        throw refuse('scheme', 'The Authorization header must be `Bearer` and a token.')
      if (proof === undefined)
        throw refuse('unconfigured', 'This server takes no tokens: no key to check them with is configured.')
      if (token.length > maxTokenBytes)
        throw refuse('too_large', `The token is longer than ${maxTokenBytes} bytes.`)
      const digest = hash('sha256', token, 'base64')
      const known = remembered.get(digest)
      if (known === undefined) return verify(token, digest, proof)
      if (now() < known.until) {
        recent.set(end, { ...known, header })
        return known.identity
      }
      remembered.delete(digest)
      throw refuse('expired', 'The token has expired: get a new one.')
    },
    async close() {
      remembered.clear()
      recent.clear()
      await proof?.close()
    },
  }
}

/**
 * What a signed token ends with. Nobody has one who has not seen the token, so that comparing the rest of it tells
 * nothing; and of the whole, which is several times as long, every request would have to be hashed.
 */
function signatureOf(header: string): string {
  return header.slice(header.lastIndexOf('.') + 1)
}

/** The token of an Authorization header; undefined where it is of another scheme. */
function bearerOf(header: string): string | undefined {
  // As nearly everybody writes it; a pattern over the whole token would cost more than the rest of it.
  if (
    header.startsWith('Bearer ') &&
    header.length > 7 &&
    !header.includes(' ', 7) &&
    !header.includes('\t')
  ) {
    return header.slice(7)
  }
  return /^bearer +(\S+) *$/i.exec(header)?.[1]
}
