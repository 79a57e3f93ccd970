/** A subscriber holds little memory: what is kept of its request beside what its events need would be seen here. */
import { expect, test } from 'vitest'
import { subscriberHeap } from '../../bench/live/measure.ts'
import { isFull } from '../support/campaign-size.ts'

/** With fewer of them, what the process learns meanwhile counts for more. It varies by 100 bytes for each of these. */
const subscribers = 2500

test.skipIf(!isFull).each([
  ['server-sent events', 'sse'],
  ['a WebSocket', 'ws'],
] as const)('a subscriber over %s holds little more than 8 kB of heap', async (_, transport) => {
  expect(await subscriberHeap(transport, subscribers)).toBeLessThan(8400)
})
