/** How many connections a server takes, and how it leaves its port. */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import {
  closeServer,
  createNodeServer,
  listen,
  originOf,
  stopAccepting,
} from '../../../gateway/server/server.ts'
import { nextTurn } from '../../../shared/runtime/turns.ts'
import { defaultConnections } from '../../support/connections.ts'
import { endOf } from '../../support/wait.ts'

const host = '127.0.0.1'

async function serve(port = 0, maxConnections = 1000): Promise<{ server: Server; port: number }> {
  const server = createNodeServer(
    (_request, response) => response.end('here'),
    defaultConnections({ maxConnections }),
  )
  onTestFinished(() => {
    server.closeAllConnections()
    return stopAccepting(server)
  })
  server.listen({ host, port, backlog: 511 })
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

const get = (connection = 'keep-alive'): string =>
  `GET / HTTP/1.1\r\nhost: x\r\nconnection: ${connection}\r\n\r\n`

/** Sends a request, and resolves with the first answer. */
async function answerOf(client: Socket, connection?: string): Promise<string> {
  client.write(get(connection))
  const [data] = await once(client, 'data')
  return String(data)
}

/** The answers to twenty clients that connect at the same time. */
const answersToMany = (port: number): Promise<string[]> =>
  Promise.all(Array.from({ length: 20 }, () => answerOf(connect(port, host), 'close')))

test('connections beyond the bound are closed, and no other', async () => {
  const { server, port } = await serve(0, 10)
  const clients = Array.from({ length: 30 }, () => connect(port, host))
  onTestFinished(() => {
    for (const client of clients) client.destroy()
  })
  const closed = Promise.withResolvers<void>()
  let ended = 0
  for (const client of clients) {
    client.on('error', () => {})
    client.on('close', () => {
      ended += 1
      if (ended === 20) closed.resolve()
    })
    // What is closed is only read if something is.
    client.resume()
  }
  await closed.promise
  // A round trip later no other one is closed.
  const [kept] = clients.filter(({ destroyed }) => !destroyed)
  expect(await answerOf(kept!)).toContain('here')
  expect(ended).toBe(20)
  expect(server.listening).toBe(true)
})

test('a port is not shared with another server, and is free as soon as its server is closed', async () => {
  const { server, port } = await serve()
  await expect(serve(port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  const clients = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const client = connect(port, host)
      await answerOf(client)
      return { closed: endOf(client) }
    }),
  )
  await closeServer(server)
  await Promise.all(clients.map(({ closed }) => closed))
  const again = await serve(port)
  expect(await (await fetch(originOf(again.server, host))).text()).toBe('here')
})

test('no connection is taken when the setting says so, and open connections stay', async () => {
  const { server, port } = await serve()
  const client = connect(port, host)
  onTestFinished(() => {
    client.destroy()
  })
  await answerOf(client)
  await stopAccepting(server)
  await Promise.all(
    Array.from({ length: 20 }, () =>
      expect(once(connect(port, host), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' }),
    ),
  )
  expect(await answerOf(client)).toContain('here')
})

test.each([
  ['leaves its port', stopAccepting],
  ['is closed', closeServer],
])('connections that wait to be accepted when a server %s are answered', async (_, leave) => {
  const { server, port } = await serve()
  const all = answersToMany(port)
  // They are connected in the next turn, and the server accepts one in each.
  await nextTurn()
  await leave(server)
  for (const answer of await all) expect(answer).toContain('here')
})

test('connections that wait are answered also if the server is closed while its sockets are read', async () => {
  const { server, port } = await serve()
  const first = connect(port, host)
  first.write(get('close'))
  // Here the turn has looked at the server's socket already.
  await once(first, 'data')
  const answers = answersToMany(port)
  await closeServer(server)
  for (const answer of await answers) expect(answer).toContain('here')
})

test('localhost is every address of that name, at one port, and ends at all of them', async () => {
  const addresses = new Set((await lookup('localhost', { all: true })).map(({ address }) => address))
  const server = createNodeServer((_request, response) => response.end('here'), defaultConnections())
  await listen(server, { host: 'localhost', port: 0 })
  const { port } = server.address() as AddressInfo
  for (const address of addresses) {
    const client = connect(port, address)
    expect(await answerOf(client)).toContain('here')
    client.destroy()
  }
  await closeServer(server)
  for (const address of addresses)
    await expect(once(connect(port, address), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('an address that cannot be used is reported in a line', async () => {
  const { port } = await serve()
  const server = createNodeServer((_request, response) => response.end('here'), defaultConnections())
  const inUse = `port ${port} on ${host} is in use: choose another one with PORT or --port`
  await expect(listen(server, { host, port })).rejects.toThrow(new RegExp(`^${inUse}$`))
  await expect(listen(server, { host: '192.0.2.1', port: 0 })).rejects.toThrow(
    '192.0.2.1 is not an address of this',
  )
})
