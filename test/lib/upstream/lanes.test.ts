import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLanes, type Turn } from '../../../subgraphs/lib/upstream/lanes.ts'
import { testRequest } from '../../support/request.ts'

const later = (): number => performance.now() + 60_000

test('lanes are given up to their number, and those who wait get theirs in order of arrival', async () => {
  const lanes = createLanes(2, 10)
  expect([lanes.enter(), lanes.enter(), lanes.enter()]).toEqual([true, true, false])
  const order: string[] = []
  const waits = ['first', 'second', 'third'].map((name) =>
    lanes.wait(later(), testRequest()).then((turn) => order.push(`${name} ${turn}`)),
  )
  for (let i = 0; i < 3; i++) lanes.leave()
  await Promise.all(waits)
  expect(order).toEqual(['first entered', 'second entered', 'third entered'])
  expect({ active: lanes.active, waiting: lanes.waiting }).toEqual({ active: 2, waiting: 0 })
})

test('who comes while others wait cannot overtake them', async () => {
  const lanes = createLanes(1, 10)
  lanes.enter()
  const waiting = lanes.wait(later(), testRequest())
  lanes.leave()
  expect(lanes.enter()).toBe(false)
  expect(await waiting).toBe('entered')
})

test('a full queue refuses at once', async () => {
  const lanes = createLanes(1, 1)
  lanes.enter()
  const waiting = lanes.wait(later(), testRequest())
  expect(await lanes.wait(later(), testRequest())).toBe('full')
  lanes.leave()
  expect(await waiting).toBe('entered')
})

test('waiting ends with the deadline, and the place in the line goes to the next', async () => {
  const lanes = createLanes(1, 10)
  lanes.enter()
  const impatient = lanes.wait(performance.now() + 5, testRequest())
  const patient = lanes.wait(later(), testRequest())
  expect(await impatient).toBe('timeout')
  lanes.leave()
  expect(await patient).toBe('entered')
})

test('waiting ends when the request is cancelled', async () => {
  const lanes = createLanes(1, 10)
  lanes.enter()
  const request = testRequest()
  const waiting = lanes.wait(later(), request)
  request.cancel()
  expect(await waiting).toBe('cancelled')
  expect(await lanes.wait(later(), request)).toBe('cancelled')
  expect(lanes.waiting).toBe(0)
})

test('who is told to go in the moment of queueing leaves no place behind', async () => {
  const lanes = createLanes(1, 10)
  lanes.enter()
  const request = {
    deadline: later(),
    cancelled: false,
    onCancel(listener: () => void) {
      listener()
      return () => {}
    },
  }
  expect(await lanes.wait(later(), request)).toBe('cancelled')
  expect(lanes.waiting).toBe(0)
  lanes.leave()
  expect(lanes.active).toBe(0)
})

test('shutting sends all away who wait, and nobody who has a lane', async () => {
  const lanes = createLanes(1, 10)
  lanes.enter()
  const waits = [lanes.wait(later(), testRequest()), lanes.wait(later(), testRequest())]
  lanes.shut()
  expect(await Promise.all(waits)).toEqual(['shut', 'shut'])
  expect(lanes.active).toBe(1)
})

test('whatever happens, no more are active than there are lanes and none is lost', async () => {
  const step = fc.constantFrom('come', 'leave', 'cancel')
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.nat(4),
      fc.array(step, { maxLength: 60 }),
      async (concurrency, capacity, steps) => {
        const lanes = createLanes(concurrency, capacity)
        const waiting: { request: ReturnType<typeof testRequest>; turn: Promise<Turn> }[] = []
        let held = 0
        const entered = (turn: Turn): Turn => {
          if (turn === 'entered') held += 1
          return turn
        }
        for (const action of steps) {
          if (action === 'come') {
            if (lanes.enter()) held += 1
            else {
              const request = testRequest()
              waiting.push({ request, turn: lanes.wait(later(), request).then(entered) })
            }
          } else if (action === 'leave' && held > 0) {
            held -= 1
            lanes.leave()
          } else if (action === 'cancel') waiting.shift()?.request.cancel()
          await Promise.resolve()
          await Promise.resolve()
          expect(held).toBe(lanes.active)
          expect(lanes.active).toBeLessThanOrEqual(concurrency)
          expect(lanes.waiting).toBeLessThanOrEqual(capacity)
        }
        lanes.shut()
        await Promise.all(waiting.map(({ turn }) => turn))
        while (held > 0) {
          held -= 1
          lanes.leave()
        }
        expect({ active: lanes.active, waiting: lanes.waiting }).toEqual({ active: 0, waiting: 0 })
      },
    ),
  )
})
