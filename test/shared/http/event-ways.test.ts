/** What a stream of events of a subgraph is taken for, over bytes as odd servers write them. */
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createHttpTransport } from '../../../engine/subgraphs/index.ts'
import { testGatewayRequest } from '../../support/federation.ts'
import { type ByteScript, startRawServer } from '../../support/raw-server.ts'
import { subgraphOperation } from '../../support/subgraph-operation.ts'

const text = 'subscription { a }'
const value = 'é€😀'
const events = `event: next\ndata: {"data":{"a":"${value}"}}\n\nevent: complete\ndata:\n\n`

/** The values that come, and then 'complete' or the code of the error that ends it. */
async function outcomeOf(script: ByteScript, eventBytes?: number): Promise<readonly unknown[]> {
  await using server = await startRawServer(script)
  const transport = createHttpTransport({
    name: 'shop',
    url: server.url,
    events: { protocol: 'sse', reconnects: 0, eventBytes },
  })
  const subscribed = transport.subscribe?.(subgraphOperation(text))
  const outcome: unknown[] = []
  try {
    const source = await subscribed?.open({}, testGatewayRequest())
    for (;;) {
      const next = await source?.next()
      if (next === undefined || next.done === true) return [...outcome, 'complete']
      outcome.push((next.value.payload as { data: { a: unknown } }).data.a)
    }
  } catch (error) {
    return [...outcome, (error as { extensions: { code: unknown } }).extensions.code]
  } finally {
    await transport.close()
  }
}

const head = (...lines: string[]): string => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n')
const type = 'content-type: text/event-stream'

/** A stream with these lines in its head and a `Content-Length`. */
const stream = (...lines: string[]): ByteScript => ({
  pieces: [head(...lines, `content-length: ${Buffer.byteLength(events)}`), Buffer.from(events)],
})

const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

/** In chunks of one byte, each a packet of its own. */
const byteByByte = (bytes: Buffer | string): Buffer[] =>
  [...Buffer.from(bytes)].map((byte) => chunk(Buffer.of(byte)))
const chunked = head(type, 'transfer-encoding: chunked')
const end = '0\r\n\r\n'

describe('a stream of events is read', () => {
  test.each<[string, ByteScript]>([
    ['with a type in capitals', stream('CONTENT-TYPE: TEXT/EVENT-STREAM ; CHARSET=UTF-8')],
    ['with a type on two lines that are equal', stream(type, type)],
    ['with the coding none', stream(type, 'content-encoding: identity', 'content-encoding: None')],
    ['with a list header on two lines', stream(type, 'vary: accept', 'vary: origin')],
    ['with names of the prototype', stream(type, '__proto__: a', '__proto__: b', 'constructor: a')],
    [
      'behind interim responses',
      {
        pieces: [
          'HTTP/1.1 102 Processing\r\n\r\n',
          'HTTP/1.1 103 Early Hints\r\ncontent-type: text/html\r\n\r\n',
          ...stream(type).pieces,
        ],
      },
    ],
    ['until the connection ends', { pieces: [head(type), Buffer.from(events)], closes: true }],
    ['in chunks of one byte', { pieces: [chunked, ...byteByByte(events), end] }],
    [
      'in chunks of one byte, with lines that end as in Windows',
      { pieces: [chunked, ...byteByByte(events.replaceAll('\n', '\r\n')), end] },
    ],
  ])('%s', async (_, script) => {
    expect(await outcomeOf(script)).toEqual([value, 'complete'])
  })
})

describe('a stream of events is reported immediately', () => {
  const packed = gzipSync(events)

  test.each<[string, ByteScript]>([
    ['with two types that differ', stream(type, 'content-type: text/html')],
    ['with two lengths that are equal', stream(type, `content-length: ${Buffer.byteLength(events)}`)],
    ['with two lengths that differ', stream(type, 'content-length: 1')],
    [
      'with a coding that nobody asked for',
      { pieces: [head(type, 'content-encoding: gzip', `content-length: ${packed.length}`), packed] },
    ],
    ['behind 100 Continue', { pieces: ['HTTP/1.1 100 Continue\r\n\r\n', ...stream(type).pieces] }],
    ['behind 100 Continue, and never', { pieces: ['HTTP/1.1 100 Continue\r\n\r\n'] }],
    [
      'behind interim responses without end',
      { pieces: Array.from({ length: 100 }, () => 'HTTP/1.1 103 x\r\n\r\n') },
    ],
    [
      'that is another protocol',
      { pieces: ['HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'] },
    ],
    ['whose head has no end', { pieces: ['HTTP/1.1 200 OK\r\n', `x: ${'a'.repeat(70_000)}`] }],
    ['whose head is none', { pieces: ['SSH-2.0-OpenSSH_9.6\r\n'] }],
    [
      'that has another type, in chunks of one byte',
      { pieces: [head('transfer-encoding: chunked'), ...byteByByte('no events'), end] },
    ],
  ])('%s', async (_, script) => {
    expect(await outcomeOf(script)).toEqual(['UPSTREAM_BAD_RESPONSE'])
  })

  test('with an event without end, in chunks of one byte', async () => {
    const script = { pieces: [chunked, ...byteByByte(`data: ${'a'.repeat(300)}`)] }
    expect(await outcomeOf(script, 200)).toEqual(['UPSTREAM_BAD_RESPONSE'])
  })

  test('that is broken behind an event, which came', async () => {
    const [first = ''] = events.split('event: complete')
    const script = { pieces: [chunked, chunk(Buffer.from(first)), 'x\r\n'] }
    expect(await outcomeOf(script)).toEqual([value, 'SUBSCRIPTION_RESTART'])
  })
})
