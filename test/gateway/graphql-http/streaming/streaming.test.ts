/** Streamed responses, as they come over a real connection: framing, signs of life, and clients that do not read. */
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMultipart, Sse, type Stream } from '../../../../gateway/graphql-http/streaming/index.ts'
import { asByteString, byteString, jsonText } from '../../../../shared/json/byte-string.ts'
import type { JsonText } from '../../../../shared/json/raw.ts'
import { keep } from '../../../support/keep.ts'
import { listen } from '../../../support/listen.ts'

async function serve(respond: (response: ServerResponse) => void): Promise<number> {
  const server = createServer((_request, response) => respond(response))
  return keep(await listen(server)).port
}

/** Calls `seen` with the whole text so far each time that more of it has come. */
async function read(
  port: number,
  seen: (text: string) => void = () => {},
): Promise<{ head: IncomingMessage['headers']; text: string }> {
  const response = await new Promise<IncomingMessage>((resolve) => get({ port, host: '127.0.0.1' }, resolve))
  let text = ''
  response.setEncoding('utf8')
  for await (const chunk of response) {
    text += chunk
    seen(text)
  }
  return { head: response.headers, text }
}

/** A client that sends a request and reads nothing. */
function connectWithoutReading(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  onTestFinished(() => void socket.destroy())
  return socket
}

/** The events of a text, by the rules of the HTML Living Standard. */
function parseEvents(text: string): { event?: string; data?: string; id?: string; retry?: string }[] {
  return text
    .split(/\n\n/)
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) =>
      Object.fromEntries(
        block.split(/\r\n|\n|\r/).map((line) => {
          const colon = line.indexOf(':')
          return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
        }),
      ),
    )
}

const mostBytes = 1_000_000

describe('multipart/mixed', () => {
  test('each part is followed immediately by its delimiter, the last one by the closing one', async () => {
    const port = await serve((response) => {
      const multipart = createMultipart(response, {
        mostBytes,
        parameters: 'subscriptionSpec=1.0',
        head: ['x-request-id', 'r1'],
      })
      multipart.part(jsonText({ data: { title: 'Ä' } }))
      multipart.part([asByteString('{"data":'), Buffer.from('"ß"'), asByteString('}')])
      multipart.end(jsonText({ last: true }))
    })
    const { head, text } = await read(port)
    expect(head['content-type']).toBe('multipart/mixed;boundary="graphql";subscriptionSpec=1.0')
    expect(head['cache-control']).toBe('no-store, no-transform')
    expect(head['content-encoding']).toBeUndefined()
    expect(head['x-request-id']).toBe('r1')
    const partHead = '\r\ncontent-type: application/json; charset=utf-8\r\n\r\n'
    expect(text).toBe(
      `--graphql${partHead}{"data":{"title":"Ä"}}\r\n--graphql${partHead}{"data":"ß"}\r\n--graphql${partHead}{"last":true}\r\n--graphql--\r\n`,
    )
  })

  test('heartbeats are sent while there is nothing else', async () => {
    const multiparts: ReturnType<typeof createMultipart>[] = []
    const port = await serve((response) => {
      multiparts.push(createMultipart(response, { mostBytes, heartbeatMs: 20 }))
    })
    const { text } = await read(port, (soFar) => {
      if (soFar.split('{}').length > 2) multiparts[0]?.end()
    })
    expect(text.endsWith('\r\n--graphql--\r\n')).toBe(true)
  })
})

describe('server-sent events', () => {
  const events = async (send: (sse: Sse) => void): Promise<string> => {
    const port = await serve((response) => {
      const sse = new Sse(response, { mostBytes })
      send(sse)
      sse.end()
    })
    return (await read(port)).text
  }

  test('have a name, one line of data, an id, and a time to wait before connecting again', async () => {
    const text = await events((sse) => {
      sse.retry(1500)
      sse.send({ event: 'next', data: jsonText({ a: 'Ä' }), id: 'c:1' })
      for (const id of ['a\nb', 'a\rb', 'a\0b', 'x'.repeat(513)]) sse.send({ event: 'next', id })
      sse.send({ event: 'complete' })
    })
    const unnamed = 'event: next\ndata: \n\n'.repeat(4)
    expect(text).toBe(
      `retry: 1500\n\nid: c:1\nevent: next\ndata: {"a":"Ä"}\n\n${unnamed}event: complete\ndata: \n\n`,
    )
  })

  test('any JSON arrives as it is, however it is laid out and cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json(),
        fc.constantFrom(undefined, '\t', 2),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        async (json, indent, lineEnd, inBytes) => {
          const laidOut = JSON.stringify(JSON.parse(json), null, indent).replaceAll('\n', lineEnd)
          const half = Buffer.from(laidOut).subarray(0, Math.floor(Buffer.byteLength(laidOut) / 2))
          const rest = Buffer.from(laidOut).subarray(half.length)
          const data: JsonText = inBytes ? [half, rest] : byteString(laidOut)
          const [first, ...more] = parseEvents(await events((sse) => sse.send({ event: 'next', data })))
          expect(JSON.parse(first?.data ?? '')).toEqual(JSON.parse(json))
          expect(more).toEqual([])
        },
      ),
      { numRuns: 60 },
    )
  })

  test('comments are sent while there is nothing else', async () => {
    const streams: Sse[] = []
    const port = await serve((response) => {
      streams.push(new Sse(response, { mostBytes, heartbeatMs: 20 }))
    })
    const { text } = await read(port, (soFar) => {
      if (soFar.split(':').length > 2) streams[0]?.end()
    })
    expect(text).toMatch(/^(:\n){2,}$/)
  })
})

describe('a client that does not read', () => {
  // Smaller than what Node takes before it says that it has enough.
  const piece = asByteString('x'.repeat(10 * 1024))

  /** Writes until the stream says that the client does not keep up. */
  function fill(stream: Stream): void {
    for (let count = 0; count < 1000; count++) if (!stream.write(piece)) return
    throw new Error('The stream is always ready.')
  }

  test('is not written to until it reads again', async () => {
    const streams: Stream[] = []
    let told = 0
    const port = await serve((response) => {
      const { stream } = new Sse(response, { mostBytes: 100_000_000, heartbeatMs: 5 })
      streams.push(stream)
      const writeMore = (): void => {
        fill(stream)
        stream.ready(() => {
          told += 1
        })
      }
      // What the system takes in is more than one filling.
      while (stream.waitingBytes < 20_000_000) writeMore()
    })
    const socket = connectWithoutReading(port)
    await expect.poll(() => streams[0]?.waitingBytes ?? 0).toBeGreaterThan(500_000)
    const [stream] = streams as [Stream]
    expect(stream.isReady).toBe(false)
    expect(told).toBe(0)
    socket.resume()
    await expect.poll(() => told).toBeGreaterThan(0)
    await expect.poll(() => stream.isReady).toBe(true)
  })

  test('is disconnected when more waits for it than may', async () => {
    let closed = 0
    const streams: Stream[] = []
    const port = await serve((response) => {
      const { stream } = new Sse(response, { mostBytes: 300_000, closing: { closed: () => (closed += 1) } })
      streams.push(stream)
      for (let count = 0; count < 1000 && !stream.isOver; count++) stream.write(piece)
    })
    connectWithoutReading(port)
    await expect.poll(() => closed).toBe(1)
    const [stream] = streams as [Stream]
    expect(stream.isOver).toBe(true)
    expect(stream.write(piece)).toBe(false)
  })

  test('and goes away is reported once, and what waits for it is released', async () => {
    let closed = 0
    let released = 0
    const streams: Stream[] = []
    const port = await serve((response) => {
      const { stream } = createMultipart(response, {
        mostBytes: 100_000_000,
        closing: { closed: () => (closed += 1) },
      })
      streams.push(stream)
      while (stream.waitingBytes < 20_000_000) stream.write(piece)
      stream.ready(() => (released += 1))
    })
    const socket = connectWithoutReading(port)
    await expect.poll(() => streams.length).toBe(1)
    socket.destroy()
    await expect.poll(() => [closed, released]).toEqual([1, 1])
  })
})
