import { expect, test } from 'vitest'
import { Subscriber } from '../../../gateway/subscriptions/subscriber.ts'

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
