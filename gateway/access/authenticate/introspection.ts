/**
 * Opaque tokens, by asking their issuer (RFC 7662). What it answers is kept no longer than the configured time and the
 * token's own, so that a revoked token is seen within it; equal questions in flight are asked once, and only so many
 * at a time. An issuer that fails is not asked for a while. That a token is not good (401) and that it cannot be
 * checked (503) are never taken for each other.
 */
import { hash } from 'node:crypto'
import type { GraphQLError } from 'graphql'
import type { JWTPayload } from 'jose'
import { z } from 'zod'
import { createBreaker } from '../../../contract/breaker.ts'
import { tesseraError } from '../../../contract/errors.ts'
import { createGrowingCache } from '../../../contract/growing-cache.ts'
import { createHttpClient } from '../../../contract/http/client.ts'
import { type ClientProof, createClientAuthentication } from '../../../contract/http/client-authentication.ts'
import { refuse } from './refused-token.ts'

export interface IntrospectionOptions {
  readonly url: string
  readonly clientId: string
  /** How it proves that it is. */
  readonly proof: ClientProof
  /** How long an answer is kept: a revoked token is seen after it. Usually 30 seconds. */
  readonly cacheMs?: number | undefined
  readonly timeoutMs?: number | undefined
  /** The most questions at a time; beyond it is 503. */
  readonly concurrency?: number | undefined
  /** How many failures in a row stop it from being asked, and for how long. */
  readonly breaker?: { readonly failures?: number; readonly ms?: number } | undefined
}

export interface Introspected {
  readonly claims: JWTPayload
  /** Of the answer. */
  readonly characters: number
}

export interface Introspection {
  readonly cacheMs: number
  /** The claims of an active token. Rejects with `UNAUTHENTICATED`, or where it cannot be asked with a 503. */
  claims(token: string): Promise<Introspected>
  close(): Promise<void>
}

const mostBytes = 65_536
/** Refused tokens that are remembered, apart from the others: made-up ones must not push those out. */
const refusedTokens = 10_000

const seconds = z.number().int().nonnegative()
const shape = z.looseObject({
  active: z.boolean(),
  exp: seconds.optional(),
  nbf: seconds.optional(),
  iss: z.string().optional(),
  sub: z.string().optional(),
  aud: z.union([z.string(), z.array(z.string())]).optional(),
})

export function createIntrospection(options: IntrospectionOptions, now: () => number): Introspection {
  const { cacheMs = 30_000, timeoutMs = 5_000, concurrency = 200 } = options
  const { failures = 5, ms: breakMs = 5_000 } = options.breaker ?? {}
  const url = new URL(options.url)
  const client = createHttpClient(url, { connections: 16, connectTimeoutMs: timeoutMs })
  // Failures in a row alone: introspection is asked too rarely for a share of recent calls to say anything.
  const breaker = createBreaker(
    { consecutive: failures, minimumRps: Number.POSITIVE_INFINITY, pauseMs: breakMs, maxPauseMs: breakMs },
    () => {},
  )
  const inactive = createGrowingCache<true>(refusedTokens, {
    ttl: Math.max(1, cacheMs),
    ttlResolution: 0,
    perf: { now },
  })
  const running = new Map<string, Promise<Introspected | undefined>>()
  const authenticate = createClientAuthentication(options.clientId, options.proof, now)
  const usual = ['accept', 'application/json', 'content-type', 'application/x-www-form-urlencoded']

  /** Undefined where the token is not active. */
  async function ask(token: string): Promise<Introspected | undefined> {
    const form = new URLSearchParams({ token, token_type_hint: 'access_token' })
    const authorization = await authenticate(form)
    const { loss, status, body, cause } = await client.send(
      {
        method: 'POST',
        path: url.pathname + url.search,
        headers: authorization === undefined ? usual : [...usual, 'authorization', authorization],
        body: form.toString(),
        maxBytes: mostBytes,
      },
      performance.now() + timeoutMs,
    )
    if (loss !== undefined) throw new Error(`introspection got no answer: ${loss}`, { cause })
    // 401 and 403 are about this server's own credential, and say nothing of the token.
    if (status !== 200) throw new Error(`introspection was answered with ${status}`)
    const read = shape.safeParse(jsonFrom(body))
    if (!read.success) throw new Error('introspection was answered with something that is no answer')
    const { active, ...claims } = read.data
    return active ? { claims: claims as JWTPayload, characters: body.length } : undefined
  }

  async function attempt(token: string): Promise<Introspected | undefined> {
    const isTrial = breaker.begin()
    let fault = true
    try {
      const claims = await ask(token)
      fault = false
      return claims
    } catch (cause) {
      throw away(unchecked, 1, cause)
    } finally {
      breaker.ended(isTrial, { fault })
    }
  }

  async function askOnce(token: string, key: string): Promise<Introspected | undefined> {
    const known = running.get(key)
    if (known !== undefined) return known
    if (running.size >= concurrency) throw away('Too many tokens are being checked at once.')
    const wait = breaker.refusal()
    if (wait !== undefined) throw away(unchecked, wait)
    const asking = attempt(token).finally(() => running.delete(key))
    running.set(key, asking)
    return asking
  }

  return {
    cacheMs,
    async claims(token) {
      const key = hash('sha256', token, 'base64')
      const claims = inactive.has(key) ? undefined : await askOnce(token, key)
      if (claims !== undefined) return claims
      inactive.set(key, true)
      throw refuse('inactive', 'The token is not active: it was revoked, has expired, or was never given.')
    },
    close: () => client.close(),
  }
}

const unchecked = 'Tokens cannot be checked now: their issuer does not say whether they are good.'

function away(message: string, retryAfter = 1, cause?: unknown): GraphQLError {
  return tesseraError('UPSTREAM_UNAVAILABLE', message, { retryAfter, cause })
}

function jsonFrom(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
