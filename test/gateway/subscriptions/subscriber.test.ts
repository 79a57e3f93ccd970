import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type End, Subscriber } from '../../../gateway/subscriptions/subscriber.ts'

const event = fc.record({
  kind: fc.constant('push' as const),
  key: fc.constantFrom(undefined, undefined, 'a', 'b', 'c'),
  size: fc.integer({ min: 1, max: 12 }),
  id: fc.constantFrom(undefined, '1', '2'),
})

test('events wait in their order, each key once with its newest, until there are too many or too long ones', () => {
  const bound = fc.integer({ min: 1, max: 20 })
  const steps = fc.array(fc.oneof(event, fc.record({ kind: fc.constant('take' as const) })), {
    maxLength: 40,
  })
  fc.assert(
    fc.property(bound, bound, steps, (waitingEvents, waitingBytes, all) => {
      const ends: End[] = []
      const subscriber = new Subscriber({
        caller: undefined as never,
        counted: { id: 'a', callerKey: '', connection: undefined },
        hooked: undefined,
        bounds: { waitingEvents, waitingBytes },
        owner: { subscriberLeft: (_, end) => void ends.push(end) },
      })
      let waiting: { key: string | undefined; size: number; id: string | undefined }[] = []
      let [conflated, delivered, lastId, isOver] = [0, 0, undefined as string | undefined, false]
      for (const step of all) {
        if (step.kind === 'take') {
          const next = waiting.shift()
          const { body, ...taken } = subscriber.take() ?? {}
          expect(body && { ...taken, size: body.length }).toEqual(next)
          if (next !== undefined) delivered += 1
          lastId = next?.id ?? lastId
        } else if (!isOver) {
          const { kind: _, ...pushed } = step
          subscriber.push({ body: Buffer.alloc(step.size), key: step.key, id: step.id })
          const others = waiting.filter(({ key }) => key === undefined || key !== step.key)
          conflated += waiting.length - others.length
          const bytes = others.reduce((sum, { size }) => sum + size, step.size)
          isOver = others.length > 0 && (others.length >= waitingEvents || bytes > waitingBytes)
          waiting = isOver ? [] : [...others, pushed]
        }
        expect(subscriber).toMatchObject({ conflated, delivered, lastId, isOver })
        expect(subscriber.hasWaiting).toBe(waiting.length > 0)
      }
      expect(ends.map((end) => 'error' in end && end.error.extensions.code)).toEqual(
        isOver ? ['SUBSCRIPTION_TOO_SLOW'] : [],
      )
      expect(subscriber.end).toBe(ends[0])
    }),
  )
})

test('a client that leaves gets nothing of what waits, also if its subscription had ended before', () => {
  const ends: string[] = []
  const subscriber = new Subscriber({
    caller: undefined as never,
    counted: { id: 'a', callerKey: '', connection: undefined },
    hooked: undefined,
    bounds: { waitingEvents: 5, waitingBytes: 100 },
    owner: { subscriberLeft: (_, { kind }) => void ends.push(kind) },
  })
  for (const text of ['1', '2', '3'])
    subscriber.push({ body: Buffer.from(text), key: undefined, id: undefined })
  subscriber.finish({ kind: 'complete' })
  expect(String(subscriber.take()?.body)).toBe('1')
  expect(subscriber.end).toBeUndefined()
  subscriber.closed()
  expect(subscriber.take()).toBeUndefined()
  expect(subscriber.end).toEqual({ kind: 'left' })
  expect(ends).toEqual(['complete'])
})
