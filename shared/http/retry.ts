/** When a call that may be repeated is repeated: full jitter over doubling delays, and what `Retry-After` says. */
import type { IncomingHttpHeaders } from 'node:http'

/** No single delay of our own choice is longer. */
const longestDelayMs = 2000

/** `Retry-After` in seconds, given as seconds or as a date; undefined if there is none that can be read. */
export function retryAfterSeconds(headers: IncomingHttpHeaders, now = Date.now()): number | undefined {
  const value = headers['retry-after']
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}

/** Milliseconds to wait before the repetition number `repetition` (from 0). */
export function retryDelayMs(options: {
  readonly repetition: number
  readonly firstMs: number
  readonly random: () => number
  /** What `Retry-After` says, in seconds. */
  readonly retryAfter?: number | undefined
}): number {
  const ceiling = Math.min(longestDelayMs, options.firstMs * 2 ** options.repetition)
  // Jitter is added to what the service said: otherwise all calls that got the same value are repeated at once.
  return (options.retryAfter ?? 0) * 1000 + options.random() * ceiling
}
