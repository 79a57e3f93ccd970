/** Reads from a response how soon the service may be called again. */
import type { IncomingHttpHeaders } from 'node:http'

/** A `max-age` or `Retry-After` of a year says nothing of when a change would show. */
const mostSeconds = 3600

/** What a service asks for in seconds, in milliseconds, at most an hour. */
export const hintMsOf = (seconds: number): number => Math.min(seconds, mostSeconds) * 1000

/** The `max-age` of a response, in milliseconds, at most an hour; 0 if it has none. */
export function hintOf(headers: IncomingHttpHeaders): number {
  const seconds = /(?:^|[\s,])(?:s-maxage|max-age)\s*=\s*(\d{1,9})/i.exec(headers['cache-control'] ?? '')?.[1]
  return seconds === undefined ? 0 : hintMsOf(Number(seconds))
}

/** What is left of a rate limit. */
export interface RateLimit {
  readonly remaining: number
  /** When the limit is reset, in milliseconds since 1970. */
  readonly resetsAt: number
}

/**
 * Read from the headers `x-rate-limit-remaining` and `x-rate-limit-reset` (Unix seconds); undefined if they are
 * missing.
 */
export function rateLimitFrom(headers: IncomingHttpHeaders): RateLimit | undefined {
  const remaining = numberOf(headers['x-rate-limit-remaining'])
  const reset = numberOf(headers['x-rate-limit-reset'])
  return remaining === undefined || reset === undefined ? undefined : { remaining, resetsAt: reset * 1000 }
}

/** The shortest interval between calls that takes no more than a share of what is left until the limit is reset. */
export function perCallMs(limit: RateLimit | undefined, share: number, now: number): number {
  if (limit === undefined || limit.resetsAt <= now) return 0
  const untilReset = limit.resetsAt - now
  return limit.remaining === 0 ? untilReset : untilReset / (limit.remaining * share)
}

function numberOf(value: string | readonly string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}
