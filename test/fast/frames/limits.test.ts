/** What one side of a connection in frames may make the other hold, and what it does with a peer that gives no seal. */
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createHttpTransport, type HttpTransportOptions } from '../../../engine/subgraphs/index.ts'
import {
  FrameReader,
  FrameWriter,
  framesProtocol,
  frameTypes,
  nonceHeader,
  responseIn,
} from '../../../fast/frames/format/index.ts'
import { openFrames } from '../../../fast/frames/index.ts'
import { remoteHeaders } from '../../../gateway/transports/remote-subgraph.ts'
import { asking, secret, startFramedService, until, upgradedSocket } from '../../support/framed-service.ts'
import { subgraphOperation } from '../../support/subgraph-operation.ts'
import { endOf } from '../../support/wait.ts'

/** A connection in frames to the service, by hand. Nothing is read of it after the upgrade. */
async function upgrade(url: string) {
  const { socket, sealOf } = await upgradedSocket(url)
  socket.pause()
  return { socket, writer: new FrameWriter(socket, sealOf(secret)) }
}

test('a gateway that does not read an answer is cut when the time to write is over', async () => {
  await using both = await startFramedService({}, { env: { TESSERA_WRITE_TIMEOUT_MS: '200' } })
  const { socket, writer } = await upgrade(both.url)
  writer.document(0, undefined, '{ long(times: 10000) }')
  writer.request(1, 0, '', '{}')
  writer.flush()
  expect(await both.connections()).toBe(1)
  await until(async () => (await both.connections()) === 0)
  socket.destroy()
})

test('a gateway that does not read its answers gets no more requests read', async () => {
  let begun = 0
  await using both = await startFramedService({
    slow: () => {
      begun += 1
      return 'x'.repeat(40_000)
    },
  })
  const { socket, writer } = await upgrade(both.url)
  writer.document(0, undefined, '{ slow }')
  let asked = 0
  const ask = (): void => {
    for (let at = 0; at < 100; at++) {
      asked += 1
      writer.request(asked, 0, '', '{}')
    }
    writer.flush()
  }
  ask()
  // A hundred more, as long as the last hundred is taken. A hundred other answers without one of these: it has stopped.
  for (let still = 0; still < 100; still++) {
    const before = begun
    await both.prepare('{ echo }')({}, asking())
    if (begun === asked && asked < 2000) ask()
    if (begun > before || begun === asked) still = 0
    if (begun === 2000) break
  }
  expect(begun).toBeLessThan(1000)
  const answered = new Set<number>()
  const reader = new FrameReader((type, exchange) => {
    if (type === frameTypes.response) answered.add(exchange)
  })
  socket.on('data', (chunk: Buffer) => reader.push(chunk))
  socket.resume()
  await until(() => answered.size === asked)
  expect(begun).toBe(asked)
  socket.destroy()
})

test('a second request with the id of one whose answer is not written yet closes the connection', async () => {
  await using both = await startFramedService({})
  const { socket, writer } = await upgrade(both.url)
  const closed = endOf(socket)
  const statuses: number[] = []
  const reader = new FrameReader((type, _exchange, frame) => {
    if (type !== frameTypes.response) return
    statuses.push(responseIn(frame)?.status ?? 0)
    // As many bytes as no socket takes are still to come.
    writer.request(129, 0, '', '{}')
    writer.flush()
    socket.pause()
    setImmediate(() => socket.resume())
  })
  socket.on('data', (chunk: Buffer) => reader.push(chunk))
  writer.document(0, undefined, '{ long(times: 30000) }')
  writer.request(1, 0, '', '{}')
  writer.flush()
  socket.resume()
  await closed
  expect(statuses).toEqual([200])
})

/** Answers HTTP requests, and treats connections that request frames as `upgraded` says. */
async function startPeer(upgraded: (socket: Socket) => void) {
  const seen: Buffer[] = []
  const sockets = new Set<Socket>()
  let asked = 0
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      asked += 1
      response.setHeader('content-type', 'application/json').end('{"data":{"echo":"by HTTP"}}')
    })
  })
  server.on('upgrade', (_request, socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('end', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    upgraded(socket)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
  const sent: string[] = []
  const open = (frames: HttpTransportOptions['frames'], connections?: number) => {
    const transport = createHttpTransport({
      ...{ name: 'one', url, frames, connections },
      headers: remoteHeaders({
        ...{ name: 'one', url, secret, token: false },
        ...{ assertion: undefined, traces: undefined, forwarding: undefined },
      }),
      sent: (protocol) => sent.push(protocol),
    })
    const fetch = transport.prepare(subgraphOperation('query ($text: String) { echo(text: $text) }'))
    /** One that went in frames; before there is a connection, requests go by HTTP. */
    const framed = async (request = asking()) => {
      for (;;) {
        const before = sent.length
        const answer = fetch({}, request)
        await until(() => sent.length > before)
        if (sent.at(-1) === 'frames') return { answer }
        await answer
      }
    }
    return { fetch, framed, close: () => transport.close() }
  }
  return {
    open,
    seen,
    sent,
    sockets,
    get asked() {
      return asked
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

const switching = `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${framesProtocol}\r\n`

test.each([
  ['no nonce', ''],
  ['an empty nonce', `${nonceHeader}: \r\n`],
])('with a secret and %s in the answer to the upgrade, requests go only by HTTP', async (_, header) => {
  const written: Buffer[] = []
  await using peer = await startPeer((socket) => {
    socket.on('data', (chunk: Buffer) => written.push(chunk))
    socket.write(`${switching}${header}\r\n`)
  })
  const { fetch, close } = peer.open({ open: openFrames, secret })
  for (let at = 0; at < 5; at++)
    expect((await fetch({ text: 'x' }, asking())).data).toEqual({ echo: 'by HTTP' })
  await until(() => peer.sockets.size === 0)
  expect([peer.sent, peer.asked, written]).toEqual([Array.from({ length: 5 }, () => 'http'), 5, []])
  await close()
})

test('a service without a secret takes no frames of a gateway that has one, and answers by HTTP', async () => {
  await using both = await startFramedService({}, { env: { TESSERA_SUBGRAPH_SECRET: '' } })
  for (let at = 0; at < 5; at++) expect(await both.echo('x')).toEqual({ echo: 'x' })
  expect(new Set(both.sent)).toEqual(new Set(['http']))
})

test('a service that does not read is cut when the time to write is over, and asked by HTTP', async () => {
  await using peer = await startPeer((socket) => {
    socket.pause()
    socket.write(`${switching}${nonceHeader}: a-nonce\r\n\r\n`)
  })
  // Under load a second connection would be opened. No bytes wait there, so it would not be cut.
  const connections = 1
  const {
    fetch,
    framed: begin,
    close,
  } = peer.open({ open: openFrames, secret, writeTimeoutMs: 200 }, connections)
  const first = await begin()
  peer.sent.length = 0
  const text = 'x'.repeat(60_000)
  const answers = await Promise.all(Array.from({ length: 200 }, () => fetch({ text }, asking())))
  expect(new Set(answers.map(({ data }) => data?.echo))).toEqual(new Set(['by HTTP']))
  // What did not find room on the connection did not wait for it, and all of the others came after it was cut.
  const framed = peer.sent.filter((protocol) => protocol === 'frames').length
  expect(framed).toBeGreaterThan(0)
  expect(framed).toBeLessThan(128)
  expect((await first.answer).data).toEqual({ echo: 'by HTTP' })
  peer.sent.length = 0
  expect((await fetch({ text: 'after it' }, asking())).data).toEqual({ echo: 'by HTTP' })
  expect(peer.sent).toEqual(['http'])
  await close()
})

test('a service that announces long bodies and sends none of them takes no memory of the gateway', async () => {
  const most = 64 * 1024 * 1024
  const asked = 100
  let begun = 0
  await using peer = await startPeer((socket) => {
    socket.write(`${switching}\r\n`)
    const reader = new FrameReader((type, exchange) => {
      if (type !== frameTypes.request) return
      begun += 1
      const frame = Buffer.alloc(9 + 10 + 1)
      frame.writeUInt32BE(11)
      frame[4] = frameTypes.response
      frame.writeUInt32BE(exchange, 5)
      frame.writeUInt16BE(200, 9)
      frame.writeUInt32BE(most, 11)
      socket.write(frame)
    })
    socket.on('data', (chunk: Buffer) => reader.push(chunk))
  })
  const { fetch, framed, close } = peer.open({ open: openFrames, secret: undefined })
  const before = process.memoryUsage().arrayBuffers
  const first = asking()
  const { answer } = await framed(first)
  const others = Array.from({ length: asked - 1 }, () => asking())
  const answers = [answer, ...others.map((request) => fetch({}, request))]
  await until(() => begun === asked)
  // Once the last request that is sent is answered by HTTP, what the others got in frames has been read.
  expect((await fetch({ text: 'x'.repeat(100_000) }, asking())).data).toEqual({ echo: 'by HTTP' })
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(most)
  for (const request of [first, ...others]) request.cancel()
  await Promise.all(answers)
  await close()
})
