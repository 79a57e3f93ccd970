/** Connections that ask for another protocol and are refused. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { endConnection } from '../../../gateway/server/end-connection.ts'
import { startGraph } from '../../support/graph.ts'
import { keep } from '../../support/keep.ts'
import { listen } from '../../support/listen.ts'

const upgrade =
  'GET /nowhere HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

/** Each resets its connection as soon as the request is sent. */
function sendAndReset(port: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(upgrade, () => socket.resetAndDestroy()))
    socket.on('error', () => {}).on('close', () => resolve())
  })
}

test('a client that is gone before it is refused does not end the process', async () => {
  await using graph = await startGraph()
  const port = Number(new URL(graph.url).port)
  for (let client = 0; client < 200; client += 1) await sendAndReset(port)
  expect((await graph.ask('{ __typename }')).status).toBe(200)
})

test('a connection is closed although its client keeps it', async () => {
  const server = createServer({ allowHalfOpen: true })
  const { port } = keep(await listen(server))
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void client.destroy())
  client.on('error', () => {}).resume()
  const [socket] = await accepted
  const closed = once(socket, 'close')
  endConnection(socket, 'refused')
  await closed
  expect(socket.destroyed).toBe(true)
})
