import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Cancellation } from '../../../../contract/http/cancellation.ts'
import { type Connections, createConnections } from '../../../../contract/http/connections.ts'
import { type Exchanged, exchange } from '../../../../contract/http/exchange.ts'
import { createOwnConnections } from '../../../../contract/http/hot/connections.ts'

const ways = [
  ['a pool', createConnections],
  ['connections of our own', createOwnConnections],
] as const

const atOnce = 6
const notCancelled: Cancellation = {
  cancelled: false,
  deadline: Number.POSITIVE_INFINITY,
  onCancel: () => () => {},
}

async function send(connections: Connections, path: string): Promise<Exchanged> {
  const connection = connections.take()
  const sending = { method: 'GET', path, headers: [], body: undefined, maxBytes: 1000 }
  const deadline = performance.now() + 20_000
  const got = await exchange(connection, { ...sending, deadline }, notCancelled)
  connections.give(connection, got.loss === undefined)
  return got
}

async function startServer(): Promise<{
  server: Server
  origin: string
  open: Set<Socket>
  seen: Set<Socket>
}> {
  const open = new Set<Socket>()
  const seen = new Set<Socket>()
  const server = createServer((request, response) => {
    if (request.url === '/lost') request.socket.destroy()
    else setTimeout(() => response.end(request.url), 5)
  })
  server.on('connection', (socket) => {
    open.add(socket)
    seen.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open, seen }
}

test.each(ways)('%s keep what they opened, replace what was lost, and leave nothing', async (_, create) => {
  const { server, origin, open, seen } = await startServer()
  const connections = create(origin, { connectTimeoutMs: 5000, most: atOnce })
  const paths = Array.from({ length: atOnce }, (_each, at) => `/${at}`)
  for (let round = 0; round < 4; round++) {
    const all = await Promise.all(paths.map((path) => send(connections, path)))
    expect(all.map(({ loss, status, body }) => [loss, status, body.toString()])).toEqual(
      paths.map((path) => [undefined, 200, path]),
    )
  }
  expect(seen.size).toBeLessThanOrEqual(atOnce)

  const lost = await send(connections, '/lost')
  expect([lost.loss, lost.left]).toEqual(['connection', true])
  const after = await Promise.all(paths.map((path) => send(connections, path)))
  expect(after.map(({ status }) => status)).toEqual(paths.map(() => 200))

  await connections.close()
  for (let looks = 0; open.size > 0 && looks < 500; looks++) await pause(10)
  expect(open.size).toBe(0)
  server.close()
  await once(server, 'close')
})
