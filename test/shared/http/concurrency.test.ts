import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createConcurrencyLimit, type SlotResult } from '../../../shared/http/concurrency.ts'
import { testRequest } from '../../support/request.ts'

const later = (): number => performance.now() + 60_000

test('slots are given up to their number, and the calls of one request get theirs in order of arrival', async () => {
  const limit = createConcurrencyLimit(2, 10)
  expect([limit.acquire(), limit.acquire(), limit.acquire()]).toEqual([true, true, false])
  const order: string[] = []
  const waits = ['first', 'second', 'third'].map((name) =>
    limit.wait(later(), testRequest()).then((turn) => order.push(`${name} ${turn}`)),
  )
  for (let i = 0; i < 3; i++) limit.release()
  await Promise.all(waits)
  expect(order).toEqual(['first acquired', 'second acquired', 'third acquired'])
  expect({ active: limit.active, waiting: limit.waiting }).toEqual({ active: 2, waiting: 0 })
})

test('a call that arrives while others wait cannot overtake them', async () => {
  const limit = createConcurrencyLimit(1, 10)
  limit.acquire()
  const waiting = limit.wait(later(), testRequest())
  limit.release()
  expect(limit.acquire()).toBe(false)
  expect(await waiting).toBe('acquired')
})

test('a full queue refuses immediately', async () => {
  const limit = createConcurrencyLimit(1, 1)
  limit.acquire()
  const waiting = limit.wait(later(), testRequest())
  expect(await limit.wait(later(), testRequest())).toBe('full')
  limit.release()
  expect(await waiting).toBe('acquired')
})

test('waiting ends at the deadline, and the slot goes to the next call', async () => {
  const limit = createConcurrencyLimit(1, 10)
  limit.acquire()
  const impatient = limit.wait(performance.now() + 5, testRequest())
  const patient = limit.wait(later(), testRequest())
  expect(await impatient).toBe('timeout')
  limit.release()
  expect(await patient).toBe('acquired')
})

test('waiting ends when the request is cancelled', async () => {
  const limit = createConcurrencyLimit(1, 10)
  limit.acquire()
  const request = testRequest()
  const waiting = limit.wait(later(), request)
  request.cancel()
  expect(await waiting).toBe('cancelled')
  expect(await limit.wait(later(), request)).toBe('cancelled')
  expect(limit.waiting).toBe(0)
})

test('a call that is cancelled in the moment of queueing leaves nothing behind', async () => {
  const limit = createConcurrencyLimit(1, 10)
  limit.acquire()
  const request = {
    deadline: later(),
    cancelled: false,
    onCancel(listener: () => void) {
      listener()
      return () => {}
    },
  }
  expect(await limit.wait(later(), request)).toBe('cancelled')
  expect(limit.waiting).toBe(0)
  limit.release()
  expect(limit.active).toBe(0)
})

test('shutting refuses every call that waits, and none that has a slot', async () => {
  const limit = createConcurrencyLimit(1, 10)
  limit.acquire()
  const waits = [limit.wait(later(), testRequest()), limit.wait(later(), testRequest())]
  limit.shut()
  expect(await Promise.all(waits)).toEqual(['shut', 'shut'])
  expect(limit.active).toBe(1)
})

test('in any order of steps no more calls are active than there are slots, and no slot is lost', async () => {
  const step = fc.constantFrom('come', 'leave', 'cancel')
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.nat(4),
      fc.array(step, { maxLength: 60 }),
      async (concurrency, capacity, steps) => {
        const limit = createConcurrencyLimit(concurrency, capacity)
        const waiting: { request: ReturnType<typeof testRequest>; turn: Promise<SlotResult> }[] = []
        let held = 0
        const entered = (turn: SlotResult): SlotResult => {
          if (turn === 'acquired') held += 1
          return turn
        }
        for (const action of steps) {
          if (action === 'come') {
            if (limit.acquire()) held += 1
            else {
              const request = testRequest()
              waiting.push({ request, turn: limit.wait(later(), request).then(entered) })
            }
          } else if (action === 'leave' && held > 0) {
            held -= 1
            limit.release()
          } else if (action === 'cancel') waiting.shift()?.request.cancel()
          await Promise.resolve()
          await Promise.resolve()
          expect(held).toBe(limit.active)
          expect(limit.active).toBeLessThanOrEqual(concurrency)
          expect(limit.waiting).toBeLessThanOrEqual(capacity)
        }
        limit.shut()
        await Promise.all(waiting.map(({ turn }) => turn))
        while (held > 0) {
          held -= 1
          limit.release()
        }
        expect({ active: limit.active, waiting: limit.waiting }).toEqual({ active: 0, waiting: 0 })
      },
    ),
  )
})

test('requests take turns: one with many calls delays another by one call', async () => {
  const limit = createConcurrencyLimit(1, 100)
  limit.acquire()
  const [greedy, modest] = [testRequest(), testRequest()]
  const order: string[] = []
  const waits = [
    ...Array.from({ length: 50 }, () => limit.wait(later(), greedy).then(() => order.push('greedy'))),
    ...Array.from({ length: 2 }, () => limit.wait(later(), modest).then(() => order.push('modest'))),
  ]
  for (let i = 0; i < 52; i++) limit.release()
  await Promise.all(waits)
  expect(order.slice(0, 5)).toEqual(['greedy', 'modest', 'greedy', 'modest', 'greedy'])
})

test('a full queue takes the call of a request with few in it instead of the newest call of one with many', async () => {
  const limit = createConcurrencyLimit(1, 10)
  limit.acquire()
  const greedy = testRequest()
  const results: string[] = []
  const waits = Array.from({ length: 10 }, (_, i) =>
    limit.wait(later(), greedy).then((result) => results.push(`greedy ${i} ${result}`)),
  )
  expect(await limit.wait(later(), greedy)).toBe('full')
  waits.push(limit.wait(later(), testRequest()).then((result) => results.push(`modest ${result}`)))
  await Promise.resolve()
  await Promise.resolve()
  expect(results).toEqual(['greedy 9 full'])
  expect(limit.waiting).toBe(10)
  for (let i = 0; i < 10; i++) limit.release()
  await Promise.all(waits)
  expect(results[2]).toBe('modest acquired')
})

const slots = fc.integer({ min: 1, max: 4 })

test('no request keeps another waiting for more than one turn, whatever it queued before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(4), { minLength: 1, maxLength: 60 }), slots, async (arrivals, most) => {
      const limit = createConcurrencyLimit(most, 100)
      for (let taken = 0; taken < most; taken++) limit.acquire()
      const requests = Array.from({ length: 5 }, () => testRequest())
      const order: number[] = []
      const waits = arrivals.map((who) =>
        limit.wait(later(), requests[who] as ReturnType<typeof testRequest>).then(() => order.push(who)),
      )
      for (const _ of arrivals) limit.release()
      await Promise.all(waits)
      const waiting = new Set(arrivals)
      for (const who of waiting) {
        const first = order.indexOf(who)
        expect(new Set(order.slice(0, first)).size).toBe(first)
      }
    }),
  )
})
