/** A subscription is resumed when its connection is lost, and ends when the server ends it. */
import { expect, test } from 'vitest'
import { type SubscribeOptions, subscribe } from '../../../../explorer/page/stream/subscribe.ts'
import type { SubscriptionState } from '../../../../explorer/page/stream/subscription-state.ts'

const event = (id: number): string => `event: next\nid: ${id}\ndata: {"data":{"n":${id}}}\n\n`
const complete = 'event: complete\ndata:\n\n'
const ending = (code: string): string =>
  `event: next\ndata: {"errors":[{"message":"over","extensions":{"code":"${code}"}}]}\n\n`

/** A response with these events, after which the server closes the connection. */
const stream = (...events: string[]): Response =>
  new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } })

/** Follows a subscription whose attempts have these outcomes, in this order. */
async function followed(outcomes: readonly (Response | Error)[], options: Partial<SubscribeOptions> = {}) {
  const resumedAfter: (string | undefined)[] = []
  const left = [...outcomes]
  let state: SubscriptionState | undefined
  const refused = await subscribe({
    operation: { query: 'subscription { n }' },
    open: async (lastEventId) => {
      resumedAfter.push(lastEventId)
      const outcome = left.shift()
      if (outcome instanceof Response) return outcome
      throw outcome ?? new Error('nothing is left')
    },
    hasNewToken: async () => false,
    signal: new AbortController().signal,
    onChange: (next) => {
      state = next
    },
    wait: () => 0,
    ...options,
  })
  return { refused, resumedAfter, total: state?.total, resumed: state?.resumed, status: state?.status }
}

const busy = (): Response => new Response('', { status: 503, headers: { 'retry-after': '0' } })

test('a lost connection is resumed after the last event, until the subscription is complete', async () => {
  const outcomes = [stream(event(1), event(2)), new TypeError('lost'), busy(), stream(event(3), complete)]
  expect(await followed(outcomes)).toEqual({
    refused: undefined,
    resumedAfter: [undefined, '2', '2', '2'],
    total: 3,
    resumed: 1,
    status: { kind: 'ended', words: 'Complete: there are no more events.', isFault: false },
  })
})

test('a response that refuses the subscription at its start is returned, and is not repeated', async () => {
  const response = busy()
  const { refused, resumedAfter } = await followed([response])
  expect(refused).toBe(response)
  expect(resumedAfter).toEqual([undefined])
})

test('a failure before the first response is thrown', async () => {
  await expect(followed([new TypeError('lost')])).rejects.toThrow('lost')
})

test('a subscription that the server ends is over, unless the server wants it repeated', async () => {
  const restarts = [stream(event(1), ending('SUBSCRIPTION_RESTART')), stream(ending('QUOTA_EXCEEDED'))]
  expect(await followed(restarts)).toMatchObject({
    resumedAfter: [undefined, '1'],
    status: { kind: 'ended', words: 'The units of the day are used up.', isFault: true },
  })
})

test('an expired token is replaced by a new one, if there is one', async () => {
  const expired = () => stream(event(1), ending('UNAUTHENTICATED'))
  const renewed = await followed([expired(), stream(complete)], { hasNewToken: async () => true })
  expect(renewed).toMatchObject({ resumedAfter: [undefined, '1'], status: { isFault: false } })
  expect(await followed([expired()])).toMatchObject({
    resumedAfter: [undefined],
    status: { words: 'The token has expired, or is no longer valid.', isFault: true },
  })
})

test('a subscription that cannot be resumed ends with the reason of the gateway', async () => {
  const gone = Response.json({ errors: [{ message: 'no such field' }] }, { status: 400 })
  expect(await followed([stream(event(1)), gone])).toMatchObject({
    total: 1,
    status: { kind: 'ended', words: 'no such field', isFault: true },
  })
})

test('a user who stops it while it waits ends it without a fault', async () => {
  const controller = new AbortController()
  const wait = () => {
    controller.abort()
    return 60_000
  }
  expect(await followed([stream(event(1))], { signal: controller.signal, wait })).toMatchObject({
    status: { kind: 'ended', words: 'Stopped.', isFault: false },
  })
})
