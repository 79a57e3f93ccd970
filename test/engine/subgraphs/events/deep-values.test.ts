/** Events of a subgraph with a value of thousands of levels. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { createHttpTransport } from '../../../../engine/subgraphs/index.ts'
import type { SourceEvent } from '../../../../engine/subgraphs/subgraph-fetch.ts'
import { isTooDeep } from '../../../../shared/json/too-deep.ts'
import { testGatewayRequest } from '../../../support/federation.ts'
import { listen } from '../../../support/listen.ts'
import { subgraphOperation } from '../../../support/subgraph-operation.ts'

const levels = 100_000

test.each([
  ['websocket', '1'],
  ['sse', '1'],
  // Beyond a double.
  ['websocket', '12345678901234567890'],
  ['sse', '12345678901234567890'],
] as const)('are read with all other values, by %s with the id %s', async (protocol, number) => {
  const list = `${'['.repeat(levels)}${']'.repeat(levels)}`
  const object = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  const payload = `{"data":{"sold":{"id":${number},"name":[${list},${object}]}}}`
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`event: next\ndata: ${payload}\n\n`)
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => {
    socket.on('message', (text) => {
      const { type, id } = JSON.parse(String(text)) as { type: string; id: string }
      if (type === 'connection_init') socket.send('{"type":"connection_ack"}')
      else if (type === 'subscribe') socket.send(`{"id":"${id}","type":"next","payload":${payload}}`)
    })
  })
  const listening = await listen(server)
  const transport = createHttpTransport({
    name: 'shop',
    url: `${listening.url}/graphql`,
    events: { protocol },
  })
  onTestFinished(async () => {
    await transport.close()
    for (const socket of sockets.clients) socket.terminate()
    await listening[Symbol.asyncDispose]()
  })
  const subscribed = transport.subscribe?.(subgraphOperation('subscription { sold { id name } }'))
  const events = await subscribed?.open({}, testGatewayRequest({ timeoutMs: 60_000 }))
  const event = (await events?.next())?.value as SourceEvent
  const result = await subscribed?.result(event, {}, testGatewayRequest({ timeoutMs: 60_000 }))
  const sold = result?.data?.sold as { id: unknown; name: unknown } | undefined
  expect(String(sold?.id)).toBe(number)
  expect(isTooDeep(sold?.name)).toBe(true)
})
