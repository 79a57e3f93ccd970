/** A subscriber holds little memory: what is kept of its request beside what its events need would be seen here. */
import { expect, test } from 'vitest'
import { subscriberHeap } from '../../bench/live/measure.ts'
import { isFull } from '../support/campaign-size.ts'

/** With fewer of them, what the process learns meanwhile counts for more. */
const subscribers = 2500

test.skipIf(!isFull).each([
  ['server-sent events', 'sse'],
  ['a WebSocket', 'ws'],
] as const)('a subscriber over %s holds less than 8 kB of heap', async (_, transport) => {
  expect(await subscriberHeap(transport, subscribers)).toBeLessThan(8000)
})
