/** Reads from a response how soon the service may be called again. */
import type { IncomingHttpHeaders } from 'node:http'
import { sentAt } from '../../../shared/http/retry.ts'

/** A `max-age` or `Retry-After` of a year says nothing of when a change would show. */
const mostSeconds = 3600

/** Converts an interval of a service from seconds to milliseconds, at most an hour. */
export const boundedMs = (seconds: number): number => Math.min(seconds, mostSeconds) * 1000

/** The `max-age` of a response, in milliseconds, at most an hour; 0 if it has none. */
export function maxAgeMs(headers: IncomingHttpHeaders): number {
  const seconds = /(?:^|[\s,])(?:s-maxage|max-age)\s*=\s*(\d{1,9})/i.exec(headers['cache-control'] ?? '')?.[1]
  return seconds === undefined ? 0 : boundedMs(Number(seconds))
}

/**
 * The shortest interval between polls of so many calls that take no more than a share of what is left until the rate
 * limit is reset, from the headers `x-rate-limit-remaining` and `x-rate-limit-reset` (Unix seconds); 0 without them.
 * However small the share is, the first poll after the reset is allowed: otherwise a subscription would wait for ever.
 */
export function rateLimitIntervalMs(
  headers: IncomingHttpHeaders,
  share: number,
  now: number,
  calls = 1,
): number {
  const remaining = numberOf(headers['x-rate-limit-remaining'])
  const reset = numberOf(headers['x-rate-limit-reset'])
  if (remaining === undefined || reset === undefined) return 0
  const untilReset = Math.max(0, reset * 1000 - sentAt(headers, now))
  return untilReset / Math.max(1, (remaining * share) / calls)
}

function numberOf(value: string | readonly string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}
