/**
 * Authentication: turns the `Authorization` header into an identity, or refuses it.
 *
 * A request without the header has an anonymous caller. So has every request if no key is configured and a header rule
 * passes the header to a subgraph, which checks it. Any other value that no issuer proves is `UNAUTHENTICATED` (401)
 * and never falls back to anonymous. A token that cannot be checked now is the gateway's fault (503). Checked tokens
 * are remembered by their digest for a while, so that a busy caller costs no signature check or introspection each
 * time. The times of a token, and the key to which it is bound, are checked on every request.
 */
import { hash } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import { LRUCache } from 'lru-cache'
import { codeOf } from '../../../shared/errors.ts'
import { anonymous, type Identity } from '../../../shared/identity.ts'
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'
import { createIntrospection, type Introspection } from './introspection.ts'
import { claimedIssuer, createIssuer, type Issuer, type IssuerOptions } from './issuer.ts'
import { createPossession, type PossessionOptions, type Scheme } from './possession/index.ts'
import { expiredSince, refuse, refuseClaim } from './refused-token.ts'
import type { ProofMaterial, Verified } from './types.ts'

export type { IntrospectionOptions } from './introspection.ts'
export type { IssuerOptions } from './issuer.ts'
export {
  createNonces,
  createProofMemory,
  dpopAlgorithms,
  type PossessionOptions,
  proofsKind,
} from './possession/index.ts'
export { refusalFrom, refuse } from './refused-token.ts'
export { scopesIn } from './scopes.ts'
export { createTokenVerifier, type TokenKey, type TokenVerifier } from './token-verifier.ts'
export type { ProofMaterial } from './types.ts'

export interface AuthenticatorOptions extends IssuerOptions {
  /** Further issuers; each one with a key names its `issuer`, which identifies the issuer of a JWT. */
  readonly others?: readonly IssuerOptions[] | undefined
  readonly possession?: PossessionOptions | undefined
  /** The accepted difference between our clock and the issuers', in seconds. */
  readonly clockTolerance?: number | undefined
  /**
   * Subgraphs receive the `Authorization` header and check it themselves. Without a key of our own the caller is
   * anonymous here, whatever the header holds.
   */
  readonly leavesToSubgraphs?: boolean | undefined
  /** 16 KiB. */
  readonly maxTokenBytes?: number | undefined
  /** How many checked tokens are remembered, and the longest time for each. */
  readonly remember?: { readonly tokens?: number; readonly ms?: number } | undefined
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined
  /** Milliseconds of the monotonic clock, by which tokens are verified again. */
  readonly steady?: (() => number) | undefined
}

export interface Authenticator {
  /** Returns at once if the token is remembered and not bound, or if there is none. */
  authenticate(authorizationHeader: string | undefined, shown?: ProofMaterial): Identity | Promise<Identity>
  /**
   * The same for a connected caller that has already proven to have the key of its token. The token's times and its
   * revocation are checked again.
   */
  readonly again?: ((authorizationHeader: string | undefined) => Identity | Promise<Identity>) | undefined
  /** How long a token is accepted after its end, in milliseconds: the difference between clocks. 0 by default. */
  readonly clockToleranceMs?: number | undefined
  /** The nonce for the next DPoP proof, if proofs need one. */
  readonly nonce?: (() => string) | undefined
  close(): Promise<void>
}

/** The most tokens that are kept whole, those of the most frequent callers. Tokens are long. */
const recentTokens = 100

/** More than the default of `TESSERA_MAX_SUBSCRIPTIONS`: their callers are checked in turn, at every event. */
const defaultTokens = 30_000
/** Claims that are longer count as several. */
const defaultCharacters = 4096

interface Source {
  readonly issuer: Issuer
  readonly introspection: Introspection | undefined
}

/** Throws a configuration error if a key is invalid or an algorithm does not fit it. */
export function createAuthenticator(options: AuthenticatorOptions = {}): Authenticator {
  return new TokenAuthenticator(options)
}

/** Checks that the client has what a token is bound to. */
type Confirm = (
  verified: Verified,
  scheme: Scheme,
  token: string,
  shown: ProofMaterial | undefined,
) => Identity | Promise<Identity>

class TokenAuthenticator implements Authenticator {
  readonly #options: AuthenticatorOptions
  readonly #maxTokenBytes
  readonly #now
  readonly #steady
  readonly #sources: readonly Source[]
  readonly #leavesAll
  readonly #possession
  readonly #remembered
  /** The same by the end of the header, which is the signature: finding it costs less than the digest of a token. */
  readonly #recent = new LRUCache<string, Verified & { readonly header: string }>({ max: recentTokens })
  readonly clockToleranceMs: number
  readonly nonce: (() => string) | undefined

  constructor(options: AuthenticatorOptions = {}) {
    this.#options = options
    const { clockTolerance = 0, maxTokenBytes = 16_384, now = Date.now } = options
    this.#maxTokenBytes = maxTokenBytes
    this.#now = now
    this.#steady = options.steady ?? options.now ?? (() => performance.now())
    this.clockToleranceMs = clockTolerance * 1000
    const { tokens = defaultTokens, ms = 300_000 } = options.remember ?? {}
    const settings = { clockTolerance, rememberMs: ms, now: this.#now, steady: this.#steady }
    this.#sources = [options, ...(options.others ?? [])]
      .filter(({ key, introspection }) => key !== undefined || introspection !== undefined)
      .map((each) => ({
        issuer: createIssuer(each, settings),
        introspection:
          each.introspection === undefined ? undefined : createIntrospection(each.introspection, this.#now),
      }))
    this.#leavesAll = options.leavesToSubgraphs === true && this.#sources.length === 0
    this.#possession = createPossession(options.possession ?? {}, this.#now)
    this.#remembered = createGrowingCache<Verified>(tokens, {
      ttl: ms,
      ttlResolution: 0,
      perf: { now: this.#steady },
      weightOf: ({ characters }) => Math.max(1, Math.ceil(characters / defaultCharacters)),
    })
    this.nonce = this.#options.possession?.dpop?.nonces?.current
  }

  readonly authenticate = (
    header: string | undefined,
    shown?: ProofMaterial,
  ): Identity | Promise<Identity> => {
    return this.#identify(header, this.#confirmed, shown)
  }

  readonly again = (header: string | undefined): Identity | Promise<Identity> => {
    return this.#identify(header, ({ identity }) => identity, undefined)
  }

  async close(): Promise<void> {
    this.#remembered.clear()
    this.#recent.clear()
    await Promise.all(
      this.#sources.flatMap(({ issuer, introspection }) => [issuer.close(), introspection?.close()]),
    )
    await this.#options.possession?.dpop?.memory.close()
  }

  /** Asks the issuers that may know the token; the first for which it is active decides. */
  async #introspect(token: string, asked: readonly Source[], address: string | undefined): Promise<Verified> {
    let refusal: unknown
    for (const { issuer, introspection } of asked) {
      if (introspection === undefined) continue
      try {
        const { claims, characters } = await introspection.claims(token, address)
        return issuer.accept(claims, introspection.cacheMs, characters)
      } catch (error) {
        // An issuer that cannot be asked might accept the token, so a refusal by the others is not final.
        if (refusal === undefined || isRefusal(refusal)) refusal = error
      }
    }
    throw refusal ?? refuse('malformed', 'The token is not a signed JWT.')
  }

  async #check(token: string, address: string | undefined): Promise<Verified> {
    const [first, ...others] = this.#sources
    if (first !== undefined && first.introspection === undefined && others.length === 0)
      return first.issuer.verify(token)
    if (!isJwt(token)) return this.#introspect(token, this.#sources, address)
    const claimed = claimedIssuer(token)
    const owner = this.#sources.find(({ issuer }) => issuer.takesJwts && issuer.owns(claimed))
    if (owner !== undefined) return owner.issuer.verify(token)
    const asked = this.#sources.filter(({ issuer }) => !issuer.takesJwts && issuer.owns(claimed))
    if (asked.length > 0) return this.#introspect(token, asked, address)
    throw refuseClaim('iss')
  }

  async #verify(token: string, digest: string, shown: ProofMaterial | undefined): Promise<Verified> {
    const verified = await this.#check(token, shown?.address?.())
    // A token that has expired while we waited is refused.
    if (this.#now() >= verified.until) throw expiredSince(verified.identity.claims)
    this.#remembered.set(digest, verified, { ttl: Math.max(1, verified.again - this.#steady()) })
    return verified
  }

  readonly #confirmed = (
    { identity, confirmation }: Verified,
    scheme: Scheme,
    token: string,
    shown: ProofMaterial | undefined,
  ): Identity | Promise<Identity> => {
    if (confirmation === undefined && scheme === 'bearer' && this.#possession.takesUnbound) return identity
    return Promise.resolve(this.#possession.check(confirmation, scheme, token, shown)).then(() => identity)
  }

  #identify(
    header: string | undefined,
    confirm: Confirm,
    shown: ProofMaterial | undefined,
  ): Identity | Promise<Identity> {
    if (header === undefined || this.#leavesAll || isBlank(header)) return anonymous
    const end = signatureOf(header)
    const fresh = this.#recent.get(end)
    if (fresh !== undefined && fresh.header === header) {
      if (this.#now() < fresh.until && this.#steady() < fresh.again) return fresh.identity
    }
    const scheme = schemeOf(header, this.#possession.takesDpop)
    const token = scheme === 'dpop' ? dpopTokenOf(header) : bearerOf(header)
    if (token === undefined) throw refuse('scheme', 'The Authorization header must be `Bearer` and a token.')
    if (this.#sources.length === 0)
      throw refuse('unconfigured', 'This server accepts no tokens: no key for verifying them is configured.')
    if (token.length > this.#maxTokenBytes)
      throw refuse('too_large', `The token is longer than ${this.#maxTokenBytes} bytes.`)
    const digest = hash('sha256', token, 'base64')
    const known = this.#remembered.get(digest)
    if (known === undefined)
      return this.#verify(token, digest, shown).then((verified) => confirm(verified, scheme, token, shown))
    if (this.#now() < known.until) {
      const identity = confirm(known, scheme, token, shown)
      if (!(identity instanceof Promise) && confirm === this.#confirmed)
        this.#recent.set(end, { ...known, header })
      return identity
    }
    this.#remembered.delete(digest)
    throw expiredSince(known.identity.claims)
  }
}

/** Clients without a token may send an empty header: it counts as no credentials, not as wrong ones. */
const isBlank = (header: string): boolean => !/\S/.test(header)

const isRefusal = (error: unknown): boolean => codeOf(error) === 'UNAUTHENTICATED'

/** Three parts of which the first is a header; the issuer's key decides whether it is valid. */
function isJwt(token: string): boolean {
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return false
  try {
    return decodeProtectedHeader(token).alg !== undefined
  } catch {
    return false
  }
}

/**
 * The end of a signed token. Only those who have seen the token know it, so comparing the rest reveals nothing. Hashing
 * the whole token on every request would cost several times as much.
 */
function signatureOf(header: string): string {
  return header.slice(header.lastIndexOf('.') + 1)
}

function schemeOf(header: string, takesDpop: boolean): Scheme {
  return takesDpop && /^dpop /i.test(header) ? 'dpop' : 'bearer'
}

function dpopTokenOf(header: string): string | undefined {
  return /^dpop +(\S+) *$/i.exec(header)?.[1]
}

/** The token of an Authorization header; undefined if the scheme differs. */
function bearerOf(header: string): string | undefined {
  // The usual spelling; a pattern over the whole token would cost more than the rest of the function.
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
