/** A subgraph whose events have no ids, or repeated ones: each event is delivered. */
import { createServer } from 'node:http'
import { parse } from 'graphql'
import { expect, test } from 'vitest'
import { createHttpTransport } from '../../../../engine/subgraphs/index.ts'
import { testGatewayRequest } from '../../../support/federation.ts'
import { keep } from '../../../support/keep.ts'
import { listen } from '../../../support/listen.ts'

test('events after one with an id, with the same id or without any, are not taken for its repetition', async () => {
  const eventOf = (sold: number, id: string): string =>
    `event: next\n${id}data: {"data":{"sold":${sold}}}\n\n`
  const connections = [
    eventOf(1, 'id: a\n') + eventOf(2, 'id: a\n') + eventOf(3, '') + eventOf(4, 'id: b\n'),
    // The last event is repeated.
    `${eventOf(4, 'id: b\n')}${eventOf(5, 'id: c\n')}event: complete\ndata:\n\n`,
  ]
  const resumed: unknown[] = []
  const server = createServer((request, response) => {
    resumed.push(request.headers['last-event-id'])
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(connections.shift())
  })
  const { url } = keep(await listen(server))
  const transport = createHttpTransport({ name: 'shop', url, events: { protocol: 'sse', delayMs: 1 } })
  const text = 'subscription { sold }'
  const events = await transport
    .subscribe?.({
      text,
      ...{ document: parse(text), name: undefined, kind: 'subscription', variableNames: [] },
    })
    .open({}, testGatewayRequest({ timeoutMs: 60_000 }))
  const seen: unknown[] = []
  for (let next = await events?.next(); next?.done === false; next = await events?.next())
    seen.push([(next.value.payload as { data: { sold: number } }).data.sold, next.value.id])
  expect(seen).toEqual([
    [1, 'a'],
    [2, 'a'],
    [3, undefined],
    [4, 'b'],
    [5, 'c'],
  ])
  expect(resumed).toEqual([undefined, 'b'])
  await transport.close()
})
