/** How often the headers of a service let it be polled. */
import { expect, test } from 'vitest'
import { tesseraError } from '../../../../shared/errors.ts'
import { hintOf, perCallMs } from '../../../../subgraphs/kit/polling/index.ts'
import { PollRecord } from '../../../../subgraphs/kit/polling/poll-record.ts'

const now = 1_000_000

test.each([
  ['half of what is left, until it is reset', { remaining: 10, resetsAt: now + 60_000 }, 0.5, 12_000],
  ['nothing before the reset if nothing is left', { remaining: 0, resetsAt: now + 60_000 }, 0.5, 60_000],
  [
    'nothing before the reset if the share is nothing',
    { remaining: 10, resetsAt: now + 60_000 },
    0,
    Number.POSITIVE_INFINITY,
  ],
  ['any number after the reset', { remaining: 0, resetsAt: now }, 0.5, 0],
  ['any number after the reset, whatever the share is', { remaining: 10, resetsAt: now - 5000 }, 0, 0],
  ['any number without a limit', undefined, 0.5, 0],
])('polls take %s', (_, limit, share, interval) => {
  expect(perCallMs(limit, share, now)).toBe(interval)
})

test.each([
  [undefined, 0],
  ['no-store', 0],
  ['public, max-age=30', 30_000],
  ['s-maxage=45', 45_000],
  ['public, max-age=31536000, immutable', 3_600_000],
])('a poll waits for what the service says: %s', (cacheControl, ms) => {
  expect(hintOf(cacheControl === undefined ? {} : { 'cache-control': cacheControl })).toBe(ms)
})

test('after a failure a poll waits for `Retry-After`, for an hour at most', () => {
  const record = new PollRecord()
  const away = (retryAfter: number) =>
    record.failed(tesseraError('UPSTREAM_UNAVAILABLE', 'Away.', { retryAfter }))
  away(60)
  expect(record.hintMs).toBe(60_000)
  away(315_360_000)
  expect(record.hintMs).toBe(3_600_000)
})
