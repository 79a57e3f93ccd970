/** How often the headers of a service let it be polled. */
import { expect, test } from 'vitest'
import { tesseraError } from '../../../../shared/errors.ts'
import { maxAgeMs, rateLimitIntervalMs } from '../../../../subgraphs/kit/polling/index.ts'
import { PollHistory } from '../../../../subgraphs/kit/polling/poll-history.ts'

const now = 1_000_000

/** A limit that is reset after so many seconds. */
const limit = (remaining: number, seconds: number) => ({
  'x-rate-limit-remaining': String(remaining),
  'x-rate-limit-reset': String(now / 1000 + seconds),
})

test.each([
  ['half of what is left, until it is reset', limit(10, 60), 0.5, 12_000],
  [
    "half of what is left, by the service's clock",
    { ...limit(10, 660), date: new Date(now + 600_000).toUTCString() },
    0.5,
    12_000,
  ],
  ['nothing before the reset if nothing is left', limit(0, 60), 0.5, 60_000],
  ['one call after the reset if the share is nothing', limit(10, 60), 0, 60_000],
  ['one call after the reset if the share is less than one', limit(1, 60), 0.5, 60_000],
  ['any number after the reset', limit(0, 0), 0.5, 0],
  ['any number after the reset, whatever the share is', limit(10, -5), 0, 0],
  ['any number without a limit', {}, 0.5, 0],
])('polls take %s', (_, headers, share, interval) => {
  expect(rateLimitIntervalMs(headers, share, now)).toBe(interval)
})

test.each([
  [undefined, 0],
  ['no-store', 0],
  ['public, max-age=30', 30_000],
  ['s-maxage=45', 45_000],
  ['public, max-age=31536000, immutable', 3_600_000],
])('a poll waits for what the service says: %s', (cacheControl, ms) => {
  expect(maxAgeMs(cacheControl === undefined ? {} : { 'cache-control': cacheControl })).toBe(ms)
})

test('after a failure a poll waits for `Retry-After`, for an hour at most', () => {
  const record = new PollHistory()
  const away = (retryAfter: number) =>
    record.failed(tesseraError('UPSTREAM_UNAVAILABLE', 'Away.', { retryAfter }))
  away(60)
  expect(record.hintMs).toBe(60_000)
  away(315_360_000)
  expect(record.hintMs).toBe(3_600_000)
})
