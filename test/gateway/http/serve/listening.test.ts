/** How connections reach a server whose event loop was held, and what its several sockets do not change. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { mayHaveComeAt } from '../../../../gateway/http/serve/accept-queue.ts'
import { closeServer, listenWithSeveral, stopAccepting } from '../../../../gateway/http/serve/listening.ts'
import { createHttpServer, originOf } from '../../../../gateway/http/serve/server.ts'
import { usualConnections } from '../../../support/connections.ts'
import { endOf } from '../../../support/patience.ts'

const host = '127.0.0.1'

async function serve(port = 0, maxConnections = 1000): Promise<{ server: Server; port: number }> {
  const server = createHttpServer(
    (_request, response) => response.end('here'),
    usualConnections({ maxConnections }),
  )
  onTestFinished(() => {
    server.closeAllConnections()
    stopAccepting(server)
  })
  await listenWithSeveral(server, { host, port, backlog: 511 }, async (options) => {
    server.listen(options)
    await once(server, 'listening')
  })
  return { server, port: (server.address() as AddressInfo).port }
}

/**
 * Opens connections in another process and sends a request on each; it ends when the kernel has all of them, and this
 * process is held meanwhile.
 */
function connectFromElsewhere(port: number, count: number): void {
  const script = `let sent = 0
    for (let n = 0; n < ${count}; n++) {
      const socket = require('node:net').connect(${port}, '${host}')
      socket.write('GET / HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n', () => { if (++sent === ${count}) process.exit() })
    }`
  execFileSync(process.execPath, ['-e', script])
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test.runIf(process.platform === 'linux')(
  'two hundred connections that wait are accepted in far fewer turns of the event loop',
  async () => {
    const { server, port } = await serve()
    let accepted = 0
    server.on('connection', () => {
      accepted += 1
    })
    connectFromElsewhere(port, 200)
    let turns = 0
    for (; accepted < 200; turns++) await turn()
    // One socket takes two hundred turns; of 32 the busiest has some twelve, of eight some thirty.
    expect(turns).toBeLessThan(22)
  },
)

test.runIf(process.platform === 'linux')(
  'of the requests that waited to be accepted it is known since when they may have',
  async () => {
    const { server, port } = await serve()
    const times: (number | undefined)[] = []
    server.on('request', (request: IncomingMessage) => {
      times.push(mayHaveComeAt(request.socket))
      // It is known of the first request only.
      expect(mayHaveComeAt(request.socket)).toBeUndefined()
    })
    connectFromElsewhere(port, 200)
    const from = performance.now()
    while (times.length < 200) await turn()
    const late = times.filter((time) => time !== undefined)
    // The first of each socket did not wait behind another one.
    expect(times.length - late.length).toBeGreaterThan(0)
    expect(times.length - late.length).toBeLessThanOrEqual(32)
    expect(Math.min(...late)).toBeGreaterThanOrEqual(from)
    expect(Math.max(...late)).toBeLessThanOrEqual(performance.now())

    // Connections that come one by one do not wait.
    times.length = 0
    for (let count = 0; count < 5; count++) await fetch(originOf(server, host))
    expect(times).toEqual(Array(times.length).fill(undefined))
  },
)

test.runIf(process.platform === 'linux')(
  'a request that comes long after its connection was accepted did not wait for that',
  async () => {
    const { server, port } = await serve()
    const clients = Array.from({ length: 200 }, () => connect(port, host))
    onTestFinished(() => {
      for (const client of clients) client.destroy()
    })
    const accepted = Promise.withResolvers<void>()
    let count = 0
    server.on('connection', () => {
      count += 1
      if (count === 200) accepted.resolve()
    })
    const times: (number | undefined)[] = []
    server.on('request', (request: IncomingMessage) => times.push(mayHaveComeAt(request.socket)))
    await accepted.promise
    for (let turns = 0; turns < 5; turns++) await turn()
    for (const client of clients) client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await Promise.all(clients.map((client) => once(client, 'data')))
    expect(times).toEqual(Array(200).fill(undefined))
  },
)

test('the bound on connections is one for all sockets', async () => {
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
    // What is closed is only read where something is.
    client.resume()
  }
  await closed.promise
  // A round trip later no other one is closed.
  const [kept] = clients.filter(({ destroyed }) => !destroyed)
  kept?.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  expect(String(await once(kept!, 'data'))).toContain('here')
  expect(ended).toBe(20)
  expect(server.listening).toBe(true)
})

test('a port is not shared with another server, and is free as soon as its server is closed', async () => {
  const { server, port } = await serve()
  await expect(serve(port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  const clients = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const client = connect(port, host)
      client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
      await once(client, 'data')
      return { closed: endOf(client) }
    }),
  )
  await closeServer(server, () => new Promise<void>((resolve) => server.close(() => resolve())))
  await Promise.all(clients.map(({ closed }) => closed))
  const again = await serve(port)
  expect(await (await fetch(originOf(again.server, host))).text()).toBe('here')
})

test('no socket accepts where the server is told not to, and open connections stay', async () => {
  const { server, port } = await serve()
  const client = connect(port, host)
  onTestFinished(() => {
    client.destroy()
  })
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(client, 'data')
  stopAccepting(server)
  await Promise.all(
    Array.from({ length: 20 }, () =>
      expect(once(connect(port, host), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' }),
    ),
  )
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  expect(String(await once(client, 'data'))).toContain('here')
})
