/**
 * Introspection of opaque tokens at their issuer (RFC 7662). A response is kept no longer than the configured time and
 * the token's own, so that a revocation is seen within it. Equal requests under way are sent once. Only a bounded
 * number is sent at a time, in fair turns by the client's address. An issuer that fails is not asked for a while; a
 * response about a token is no failure. An invalid token (401) and a token that cannot be checked (503) are never
 * confused.
 */
import { hash } from 'node:crypto'
import { GraphQLError } from 'graphql'
import type { JWTPayload } from 'jose'
import { z } from 'zod'
import { tesseraError } from '../../../shared/errors.ts'
import { createBreaker } from '../../../shared/http/breaker.ts'
import { notCancelled } from '../../../shared/http/cancellation.ts'
import type { HttpResult } from '../../../shared/http/client.ts'
import { type ClientProof, createClientAuthentication } from '../../../shared/http/client-authentication.ts'
import { createConcurrencyLimit } from '../../../shared/http/concurrency.ts'
import { createOauthEndpoint, errorCodeIn } from '../../../shared/http/oauth-endpoint.ts'
import { withoutByteOrderMark } from '../../../shared/json/byte-order-mark.ts'
import { isObject } from '../../../shared/json/is-object.ts'
import { parsedJson } from '../../../shared/json/parse-json.ts'
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'
import { SingleFlight } from '../../../shared/runtime/single-flight.ts'
import { networkOf } from '../client-address.ts'
import { refuse } from './refused-token.ts'

export interface IntrospectionOptions {
  readonly url: string
  readonly clientId: string
  readonly proof: ClientProof
  /** How long a response is kept: a revocation is seen after it. Usually 30 seconds. */
  readonly cacheMs?: number | undefined
  readonly timeoutMs?: number | undefined
  /** The most requests at a time; others wait for their turn. 16 by default. */
  readonly concurrency?: number | undefined
  /** The most requests that wait; beyond that the status is 503. 1,000. */
  readonly waiting?: number | undefined
  /** How many consecutive failures stop requests, and for how long. */
  readonly breaker?: { readonly failures?: number; readonly ms?: number } | undefined
}

interface Introspected {
  readonly claims: JWTPayload
  /** The length of the response. */
  readonly characters: number
}

export type Introspection = ReturnType<typeof createIntrospection>

/** Refused tokens are remembered separately: invented tokens must not evict the others. */
const refusedTokens = 10_000

const seconds = z.number().nonnegative()
const shape = z.looseObject({
  active: z.literal(true),
  exp: seconds.optional(),
  nbf: seconds.optional(),
  iss: z.string().optional(),
  sub: z.union([z.string(), z.number()]).optional(),
  aud: z.union([z.string(), z.array(z.string())]).optional(),
})

export function createIntrospection(options: IntrospectionOptions, now: () => number) {
  const { cacheMs = 30_000, timeoutMs = 5_000, concurrency = 16, waiting = 1_000 } = options
  const { failures = 5, ms: breakMs = 5_000 } = options.breaker ?? {}
  const endpoint = createOauthEndpoint(new URL(options.url), { connections: concurrency, timeoutMs })
  // Only consecutive failures count: introspection is too rare for a share of recent calls to mean anything.
  const breaker = createBreaker(
    { consecutive: failures, minimumRps: Number.POSITIVE_INFINITY, pauseMs: breakMs, maxPauseMs: breakMs },
    () => {},
  )
  const inactive = createGrowingCache<true>(refusedTokens, {
    ttl: Math.max(1, cacheMs),
    ttlResolution: 0,
  })
  const turns = createConcurrencyLimit(concurrency, waiting)
  const asking = new SingleFlight<Introspected | undefined>()
  const authenticate = createClientAuthentication(options.clientId, options.proof, now)

  /** Undefined if the token is not active. */
  async function ask(token: string): Promise<Introspected | undefined> {
    const form = new URLSearchParams({ token, token_type_hint: 'access_token' })
    return introspectedFrom(await endpoint.post(form, await authenticate(form)))
  }

  async function attempt(token: string): Promise<Introspected | undefined> {
    const wait = breaker.refusal()
    if (wait !== undefined) throw away(unchecked, wait)
    const isTrial = breaker.begin()
    let fault = false
    try {
      return await ask(token)
    } catch (cause) {
      fault = cause instanceof IssuerFailed
      throw cause instanceof GraphQLError ? cause : away(unchecked, 1, cause)
    } finally {
      breaker.ended(isTrial, { fault })
    }
  }

  /** The timeout of a request begins when it leaves: waiting for its turn is not the issuer's fault. */
  async function attemptInTurn(token: string, asker: string): Promise<Introspected | undefined> {
    if (!turns.acquire()) {
      const turn = await turns.wait(performance.now() + timeoutMs, notCancelled, asker)
      if (turn !== 'acquired') throw away('Too many tokens are being checked.')
    }
    try {
      return await attempt(token)
    } finally {
      turns.release()
    }
  }

  function askOnce(token: string, key: string, asker: string): Promise<Introspected | undefined> {
    const known = asking.find(key)
    if (known !== undefined) return known.result
    // A request that would be refused anyway does not wait.
    const wait = breaker.refusal()
    if (wait !== undefined) return Promise.reject(away(unchecked, wait))
    return asking.begin(key, undefined, () => attemptInTurn(token, asker)).result
  }

  return {
    cacheMs,
    /** `address`: of the client. Rejects with `UNAUTHENTICATED`, or with a 503 if the issuer cannot be asked. */
    async claims(token: string, address?: string): Promise<Introspected> {
      const key = hash('sha256', token, 'base64')
      const claims = inactive.has(key) ? undefined : await askOnce(token, key, networkOf(address))
      if (claims !== undefined) return claims
      inactive.set(key, true)
      throw refuse('inactive', inactiveWords)
    },
    close() {
      turns.shut()
      return endpoint.close()
    },
  }
}

const unchecked = 'Tokens cannot be checked now: their issuer does not say whether they are active.'

function away(message: string, retryAfter = 1, cause?: unknown): GraphQLError {
  return tesseraError('UPSTREAM_UNAVAILABLE', message, { retryAfter, cause })
}

/** The issuer, or our credential there, is at fault for every token. */
class IssuerFailed extends Error {
  override readonly name = 'IssuerFailed'
}

const aboutClient: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client'])
const inactiveWords = 'The token is not active: it was revoked, has expired, or was never issued.'

/** Undefined if the token is not active. */
function introspectedFrom({ loss, status, body, cause }: HttpResult): Introspected | undefined {
  if (loss !== undefined) throw new IssuerFailed(`introspection got no response: ${loss}`, { cause })
  const said = status === 200 ? undefined : errorCodeIn(parsedJson(body))
  const message = `introspection returned status ${status}${said === undefined ? '' : ` (${said})`}`
  // 401 and 403 concern the gateway's own credential, and say nothing about the token.
  const isAboutUs = status === 401 || status === 403 || (status === 400 && aboutClient.has(said ?? ''))
  if (isAboutUs || status === 429 || status >= 500) throw new IssuerFailed(message)
  // Only the token differs between requests, so a 400 means that it is not one of this issuer.
  if (status === 400) throw refuse('inactive', inactiveWords, new Error(message))
  if (status !== 200) throw new Error(message)
  return readAnswer(body)
}

/** Undefined if the token is not active. A null member counts as absent. */
function readAnswer(body: Buffer): Introspected | undefined {
  const given = parsedJson(withoutByteOrderMark(body.toString('utf8')))
  const members = isObject(given)
    ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
    : undefined
  if (members?.active === false) return undefined
  const read = shape.safeParse(members)
  if (!read.success) throw new Error('introspection returned a malformed response')
  const { active: _, ...claims } = read.data
  return { claims: claims as JWTPayload, characters: body.length }
}
