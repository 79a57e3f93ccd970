/** Delays of retries: full jitter over doubling delays, after the time of `Retry-After`. */
import type { IncomingHttpHeaders } from 'node:http'

/** The longest delay of our own choice. */
const longestDelayMs = 2000

/** When a response was sent by the server's clock, to which its times belong; `now` if it does not say. */
export const sentAt = ({ date = '' }: IncomingHttpHeaders, now: number): number => Date.parse(date) || now

/** `Retry-After` in seconds, from seconds or a date. Undefined if it is absent or invalid. */
export function retryAfterSeconds(headers: IncomingHttpHeaders, now = Date.now()): number | undefined {
  const value = headers['retry-after']
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - sentAt(headers, now)) / 1000))
}

/** The milliseconds before retry number `repetition`, which counts from 0. */
export function retryDelayMs(options: {
  readonly repetition: number
  readonly firstMs: number
  readonly random: () => number
  /** `Retry-After` in seconds. */
  readonly retryAfter?: number | undefined
}): number {
  const ceiling = Math.min(longestDelayMs, options.firstMs * 2 ** options.repetition)
  // Jitter is added to the service's time, so that calls with the same value do not retry at once.
  return (options.retryAfter ?? 0) * 1000 + options.random() * ceiling
}
