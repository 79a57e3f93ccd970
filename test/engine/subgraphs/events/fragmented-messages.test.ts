/**
 * A subgraph that sends an event over a WebSocket in many fragments, each of which takes more memory than its bytes.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { createHttpTransport } from '../../../../engine/subgraphs/index.ts'
import { testGatewayRequest } from '../../../support/federation.ts'
import { subgraphOperation } from '../../../support/subgraph-operation.ts'

test('an event in many tiny fragments ends the subscription long before it is as long as an event may be', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket) => {
    socket.on('message', (text) => {
      const { type } = JSON.parse(String(text)) as { type: string }
      if (type === 'connection_init') socket.send('{"type":"connection_ack"}')
      else if (type === 'subscribe') for (let sent = 0; sent < 1000; sent++) socket.send(' ', { fin: false })
    })
  })
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
  const transport = createHttpTransport({ name: 'shop', url, events: { eventBytes: 20_000 } })
  const events = await transport
    .subscribe?.(subgraphOperation('subscription { sold { id } }'))
    .open({}, testGatewayRequest({ timeoutMs: 60_000 }))
  await expect(events?.next()).rejects.toMatchObject({
    extensions: { code: 'UPSTREAM_BAD_RESPONSE', service: 'shop' },
  })
  await transport.close()
  for (const socket of server.clients) socket.terminate()
  await new Promise((closed) => server.close(closed))
})
