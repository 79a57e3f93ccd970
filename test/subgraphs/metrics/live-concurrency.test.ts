/** Very many pollers take turns, so that the service can answer them as well as queries. */
import { createServer, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { keep } from '../../support/keep.ts'
import { listen } from '../../support/listen.ts'
import { eventually, heldClock, subscribeTo } from '../../support/live.ts'
import { metricsSubgraph } from './kit.ts'

test('at most 32 polls are under way at once, and each question gets its turn', async () => {
  const held: ServerResponse[] = []
  let holds = true
  let underWay = 0
  let most = 0
  const answer = (response: ServerResponse): void => {
    underWay -= 1
    const result = [{ metric: {}, value: [0, '1'] }]
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result } }))
  }
  const server = createServer((_request, response) => {
    underWay += 1
    most = Math.max(most, underWay)
    if (holds) held.push(response)
    else answer(response)
  })
  const { url: baseUrl } = keep(await listen(server))
  const clock = heldClock()
  const subgraph = metricsSubgraph(baseUrl, { interval: '5s', live: { clock } })
  onTestFinished(() => subgraph.close())
  const watched = await Promise.all(
    Array.from({ length: 100 }, (_, at) =>
      subscribeTo(subgraph, `subscription { metricsQuery(query: "up + ${at}") { resultType } }`),
    ),
  )
  for (const watching of watched) watching.read()
  clock.pass(50)
  await eventually(() => held.length === 32, '32 polls')
  holds = false
  for (const response of held) answer(response)
  await Promise.all(watched.map((watching) => watching.until(1)))
  expect(most).toBe(32)
})
