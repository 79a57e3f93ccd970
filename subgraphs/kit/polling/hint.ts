/** How soon a service may be asked again, by what its answer says. */
import type { IncomingHttpHeaders } from 'node:http'

/** `max-age` of the answer, in milliseconds; 0 if it has none. */
export function hintOf(headers: IncomingHttpHeaders): number {
  const seconds = /(?:^|[\s,])(?:s-maxage|max-age)\s*=\s*(\d{1,9})/i.exec(headers['cache-control'] ?? '')?.[1]
  return seconds === undefined ? 0 : Number(seconds) * 1000
}

/** What a rate limit leaves. */
export interface RateLimit {
  readonly remaining: number
  /** When it begins anew, in milliseconds since 1970. */
  readonly resetsAt: number
}

/** By the headers `x-rate-limit-remaining` and `x-rate-limit-reset` (Unix seconds); undefined if they are missing. */
export function rateLimitFrom(headers: IncomingHttpHeaders): RateLimit | undefined {
  const remaining = numberOf(headers['x-rate-limit-remaining'])
  const reset = numberOf(headers['x-rate-limit-reset'])
  return remaining === undefined || reset === undefined ? undefined : { remaining, resetsAt: reset * 1000 }
}

/** The least interval between calls, so that they take no more than a share of what is left until the limit begins anew. */
export function perCallMs(limit: RateLimit | undefined, share: number, now: number): number {
  if (limit === undefined) return 0
  const untilReset = Math.max(0, limit.resetsAt - now)
  return limit.remaining === 0 ? untilReset : untilReset / (limit.remaining * share)
}

function numberOf(value: string | readonly string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}
