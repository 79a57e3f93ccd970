/** The subscribers of a topic: whose credential a poll uses, and the interval that they request together. */
import { expect, test } from 'vitest'
import { LiveQueue } from '../../../../subgraphs/kit/polling/queue.ts'
import { TopicSubscribers } from '../../../../subgraphs/kit/polling/subscribers.ts'
import { testRequest } from '../../../support/request.ts'

const queueOf = (left: () => void = () => {}) => new LiveQueue<number>({ left }, {})

test('a poll uses the request of the newest subscriber, and of the oldest if that one has left', () => {
  const subscribers = new TopicSubscribers<number>()
  const [first, second, third] = [queueOf(), queueOf(), queueOf()]
  const requests = [first, second, third].map((queue) => {
    const request = testRequest()
    subscribers.add(queue, request, undefined)
    return request
  })
  expect([subscribers.size, subscribers.caller === requests[2]]).toEqual([3, true])
  expect(subscribers.remove(second)).toBe(true)
  expect(subscribers.remove(second)).toBe(false)
  expect([subscribers.size, subscribers.caller === requests[2]]).toEqual([2, true])
  subscribers.remove(third)
  expect(subscribers.caller === requests[0]).toBe(true)
  subscribers.remove(first)
  expect([subscribers.size, subscribers.caller]).toEqual([0, undefined])
})

test('the shortest requested interval counts, unless one who requests none has a shorter one', () => {
  const subscribers = new TopicSubscribers<number>()
  const add = (requestedMs: number | undefined) => {
    const queue = queueOf()
    subscribers.add(queue, testRequest(), requestedMs)
    return queue
  }
  expect(subscribers.requestedMs(15)).toBeUndefined()
  const [twenty, again] = [add(20), add(20)]
  add(30)
  expect(subscribers.requestedMs(15)).toBe(20)
  subscribers.remove(twenty)
  expect(subscribers.requestedMs(15)).toBe(20)
  subscribers.remove(again)
  expect(subscribers.requestedMs(15)).toBe(30)
  const usual = add(undefined)
  expect([subscribers.requestedMs(15), subscribers.requestedMs(30)]).toEqual([undefined, 30])
  subscribers.remove(usual)
  expect(subscribers.requestedMs(15)).toBe(30)
})

test('all are ended, though each leaves when it ends', async () => {
  const subscribers = new TopicSubscribers<number>()
  const queues = [1, 2, 3].map(() => {
    const queue: LiveQueue<number> = queueOf(() => subscribers.remove(queue))
    subscribers.add(queue, testRequest(), undefined)
    return queue
  })
  subscribers.end('done')
  expect(subscribers.size).toBe(0)
  expect(await Promise.all(queues.map((queue) => queue.next()))).toEqual(
    Array(3).fill({ value: undefined, done: true }),
  )
})
