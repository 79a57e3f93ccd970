/** How often a rate limit lets a service be polled. */
import { expect, test } from 'vitest'
import { perCallMs } from '../../../../subgraphs/kit/polling/index.ts'

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
