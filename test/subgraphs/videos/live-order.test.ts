/** New comment threads of a service that lists them by time with the oldest first, which the contract allows. */
import { expect, onTestFinished, test } from 'vitest'
import { eventually, heldClock, subscribeTo } from '../../support/live.ts'
import { startScripted } from '../../support/scripted-service.ts'
import { videosAt } from './kit.ts'

test('new threads are sent, oldest first, if the service lists the oldest first', async () => {
  const clock = heldClock()
  let count = 2
  const thread = (minute: number) => ({
    id: `t${minute}`,
    snippet: {
      topLevelComment: { id: `t${minute}`, snippet: { publishedAt: `2026-11-22T12:0${minute}:00Z` } },
    },
  })
  await using service = await startScripted(() => ({
    body: { items: Array.from({ length: count }, (_, at) => thread(at)) },
  }))
  const subgraph = videosAt(service.url, { live: { clock } })
  onTestFinished(() => subgraph.close())
  const listening = await subscribeTo(
    subgraph,
    'subscription { commentThreadAdded(videoId: "v") { gap commentThreadEdge { node { threadId } } } }',
  )
  listening.read()
  clock.pass(50)
  await eventually(() => service.arrived.length === 1)
  count = 4
  await eventually(() => {
    clock.pass(60_000)
    return listening.seen.length === 2
  })
  const added = (threadId: string) => ({
    commentThreadAdded: { gap: false, commentThreadEdge: { node: { threadId } } },
  })
  expect(listening.seen.map(({ data }) => data)).toEqual([added('t2'), added('t3')])
  await listening.close()
})
