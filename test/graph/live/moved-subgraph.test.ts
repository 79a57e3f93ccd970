/** A remote subgraph that gets another address by a reload, while it is subscribed to. */
import { writeFileSync } from 'node:fs'
import { createClient as createSseClient } from 'graphql-sse'
import { expect, onTestFinished, test } from 'vitest'
import { liveSupergraph } from '../../support/live-graph.ts'
import { temporaryFile } from '../../support/temporary.ts'
import { followTicks, start, startForeignClock, wait } from './kit.ts'

const query = 'subscription { ticked { id number name } }'

/** With an id for each event. */
const startClock = () =>
  startForeignClock({ idOf: ({ ticked }) => `a:${(ticked as { number: number }).number}` })

test('its subscriptions end with a code that says to come back, and continue at the new address without loss or repeat', async () => {
  const [before, after] = [await startClock(), await startClock()]
  const live = await start({ graph: before.outside })

  const ws = followTicks(() => live.wsUrl, query)
  // The client takes the end of the stream for one of its network, and comes back by itself.
  const sse = createSseClient({
    url: live.url,
    retryAttempts: 100,
    retry: () => new Promise((resolve) => setTimeout(resolve, 20)),
  })
  onTestFinished(() => sse.dispose())
  const bySse: number[] = []
  let last: string | undefined
  const extensions = {
    get lastEventId() {
      return last
    },
  }
  sse.subscribe<{ ticked: { number: number } }>(
    { query, extensions },
    {
      next(result) {
        last = (result.extensions as { eventId?: string } | undefined)?.eventId ?? last
        bySse.push(result.data?.ticked.number ?? Number.NaN)
      },
      error: () => {},
      complete: () => {},
    },
  )
  await expect.poll(() => live.metric('tessera_subscriptions'), wait).toBe(2)
  await expect.poll(() => before.graph.listening(), wait).toBe(1)
  before.graph.tick(1)
  await expect.poll(() => [ws.numbers, bySse], wait).toEqual([[1], [1]])

  // What the new one has since, while the old one is silent.
  after.graph.tick(1)
  after.graph.tick(2)
  before.outside.supergraph = liveSupergraph(before.graph, { clock: after.foreign.url })
  expect(await live.gateway.reload()).not.toHaveProperty('faults')
  await expect.poll(() => ws.closed, wait).toEqual([1012])
  await expect.poll(() => before.graph.listening(), wait).toBe(0)
  await expect.poll(() => ws.numbers, wait).toEqual([1, 2])
  after.graph.tick(3)
  before.graph.tick(99)
  await expect
    .poll(() => [ws.numbers, bySse], wait)
    .toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
  await expect.poll(() => live.metric('tessera_subscriptions_ended_total{reason="restart"}'), wait).toBe(2)
})

const keyOf = (value: string) => ({
  headers: { subgraphs: { clock: { request: [{ insert: { name: 'x-key', value } }] } } },
})

test.each([
  ['other headers', keyOf('old'), keyOf('new'), ['old', 'new']],
  ['no tokens of callers', { subgraph: { tokens: ['clock'] } }, {}, [undefined]],
  [
    'no say in the messages of errors',
    { errors: { subgraphs: { clock: { messages: true } } } },
    {},
    [undefined],
  ],
])('a reload by which it gets %s lets its subscriptions begin again', async (_, old, next, keys) => {
  const { graph, foreign, outside } = await startClock()
  const path = temporaryFile('tessera.json', JSON.stringify(old))
  const live = await start({
    graph: outside,
    env: { TESSERA_CONFIG: path, TESSERA_SUBGRAPH_SECRET: 'a secret of the subgraphs' },
  })
  const { numbers, closed } = followTicks(() => live.wsUrl, query)
  await expect.poll(() => graph.listening(), wait).toBe(1)
  graph.tick(1)
  await expect.poll(() => numbers, wait).toEqual([1])
  await live.gateway.reload()
  graph.tick(2)
  await expect.poll(() => numbers, wait).toEqual([1, 2])
  expect([foreign.asked.length, closed]).toEqual([1, []])

  writeFileSync(path, JSON.stringify(next))
  await live.gateway.reload()
  await expect.poll(() => foreign.asked.length, wait).toBe(2)
  expect(new Set(foreign.asked.map(({ headers }) => headers['x-key']))).toEqual(new Set(keys))
  graph.tick(3)
  await expect.poll(() => numbers, wait).toEqual([1, 2, 3])
  expect(closed).toEqual([1012])
})
