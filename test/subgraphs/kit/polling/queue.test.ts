/** What waits for one subscriber of a poller, and in which order it comes. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LiveEvent } from '../../../../shared/polling.ts'
import { LiveQueue } from '../../../../subgraphs/kit/polling/index.ts'

type Event = LiveEvent<number>
const keys = fc.constantFrom(undefined, 'a', 'b', 'c')
const owner = { left: () => {} }

test('the state comes first, then items of lists in order, then the newest of each gauge; the first says more', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('push' as const), key: keys }),
    fc.constant({ kind: 'next' as const }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(keys, { maxLength: 4 }),
      fc.array(step, { maxLength: 30 }),
      async (begun, steps) => {
        const state = begun.map((key, at): Event => ({ value: -at, key }))
        const queue = new LiveQueue<number>(owner, { live: 'every minute' }, true)
        queue.start(state.slice().values())
        const [list, gauges]: [Event[], Map<string, Event>] = [[], new Map()]
        const asked: Promise<IteratorResult<Event, undefined>>[] = []
        const expected: (Event | undefined)[] = []
        const asking: number[] = []
        for (const [value, { kind, ...rest }] of steps.entries()) {
          if (kind === 'next') {
            asked.push(queue.next())
            const known = state.shift()
            if (known?.key !== undefined) gauges.delete(known.key)
            const found = known ?? list.shift() ?? gauges.values().next().value
            if (known === undefined && found?.key !== undefined) gauges.delete(found.key)
            if (found === undefined) asking.push(expected.length)
            expected.push(found)
            continue
          }
          const event: Event = { value, ...rest }
          queue.push(event)
          const at = asking.shift()
          if (at !== undefined) expected[at] = event
          else if (event.key === undefined) list.push(event)
          else gauges.set(event.key, event)
        }
        queue.end('done')
        const seen = (await Promise.all(asked)).map(({ value }) => value)
        expect(seen).toEqual(
          expected.map((event, at) =>
            event && at === 0 ? { ...event, extensions: { live: 'every minute' }, own: true } : event,
          ),
        )
      },
    ),
  )
})

test('a thousand items of lists wait, and are read before the reason why no more do; any number of gauges is one', async () => {
  const queue = new LiveQueue<number>(owner, {})
  for (let value = 0; value < 2000; value++) queue.push({ value, key: 'gauge' })
  for (let value = 0; value < 1000; value++) queue.push({ value })
  queue.push({ value: 1000 })
  queue.push({ value: 1001 })
  const seen: number[] = []
  const reading = (async () => {
    for await (const { value } of queue) seen.push(value)
  })()
  await expect(reading).rejects.toMatchObject({ extensions: { code: 'SUBSCRIPTION_TOO_SLOW' } })
  expect(seen).toEqual([...Array.from({ length: 1000 }, (_, value) => value), 1999])
  expect(await queue.next()).toEqual({ value: undefined, done: true })
})

test('an error ends it once: the first who waits gets it, the others and later ones the end', async () => {
  const left: string[] = []
  const queue = new LiveQueue<number>({ left: () => void left.push('left') }, {})
  const waiting = [queue.next(), queue.next()] as const
  queue.end(new Error('the service refuses'))
  queue.end('done')
  queue.push({ value: 1 })
  await expect(waiting[0]).rejects.toThrow('the service refuses')
  expect(await waiting[1]).toEqual({ value: undefined, done: true })
  expect(await queue.next()).toEqual({ value: undefined, done: true })
  expect(left).toEqual(['left'])
})
