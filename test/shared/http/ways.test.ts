/** What all clients read in the same way, over bytes as odd servers write them. */
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { httpWays } from '../../support/http-ways.ts'
import { type ByteScript, startRawServer } from '../../support/raw-server.ts'

/** An answer with these lines in its head, before those that frame it. */
const answer = (body: Buffer | string, ...lines: string[]): ByteScript => {
  const bytes = Buffer.from(body)
  const head = ['HTTP/1.1 200 OK', ...lines, `content-length: ${bytes.length}`, '', '']
  return { pieces: [Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), bytes])] }
}

async function outcomeOf(way: (typeof httpWays)[number], script: ByteScript): Promise<string> {
  await using server = await startRawServer(script)
  return await way.ask(server.url)
}

describe.each(httpWays)('$name', (way) => {
  const json = (...lines: string[]): ByteScript => answer(way.good, ...lines)
  const packed = (...lines: string[]): ByteScript =>
    answer(gzipSync(way.good), ...lines, 'content-type: application/json')

  test.each<[string, ByteScript]>([
    [
      'a type on two lines that are equal',
      json('Content-Type: application/json', 'content-type: application/json'),
    ],
    ['a type in capitals', json('CONTENT-TYPE: APPLICATION/JSON; CHARSET=UTF-8')],
    ['a coding in capitals', packed('Content-Encoding: GZIP')],
    [
      'a list of codings on two lines, one of which is none',
      packed('content-encoding: identity', 'content-encoding: gzip'),
    ],
    [
      'a list header on two lines',
      json('vary: accept', 'vary: origin', 'cache-control: public', 'cache-control: max-age=1'),
    ],
    [
      'times on two lines that differ',
      json('date: Thu, 01 Jan 1970 00:00:00 GMT', 'date: Fri, 02 Jan 1970 00:00:00 GMT'),
    ],
    ['names of the prototype', json('__proto__: a', '__proto__: b', 'constructor: a', 'constructor: b')],
    [
      'interim responses before',
      {
        pieces: [
          'HTTP/1.1 102 Processing\r\n\r\n',
          'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\ncontent-type: a/b\r\n\r\n',
          ...json('content-type: application/json').pieces,
        ],
      },
    ],
  ])('is read with %s', async (_, script) => {
    expect(await outcomeOf(way, script)).toBe('answered')
  })

  test.each<[string, ByteScript]>([
    ['a type on two lines that differ', json('content-type: application/json', 'content-type: text/html')],
    ['a coding that was applied twice', packed('content-encoding: gzip', 'content-encoding: gzip')],
    ['a coding that nobody asked for', packed('content-encoding: lzma')],
    ['two lengths that differ', json('content-type: application/json', 'content-length: 1')],
    [
      'two lengths that are equal',
      json('content-type: application/json', `content-length: ${Buffer.byteLength(way.good)}`),
    ],
    [
      '100 Continue before the answer',
      { pieces: ['HTTP/1.1 100 Continue\r\n\r\n', ...json('content-type: application/json').pieces] },
    ],
    ['100 Continue and no answer', { pieces: ['HTTP/1.1 100 Continue\r\n\r\n'] }],
    ['a head without an end', { pieces: ['HTTP/1.1 200 OK\r\n', `x: ${'a'.repeat(70_000)}`] }],
    ['more headers than a head may have', json(...Array.from({ length: 10_000 }, (_, at) => `x${at}: a`))],
    [
      'interim responses without end',
      { pieces: Array.from({ length: 100 }, () => 'HTTP/1.1 103 x\r\n\r\n') },
    ],
    [
      'another protocol',
      { pieces: ['HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'] },
    ],
  ])('is reported immediately for %s', async (_, script) => {
    const outcome = await outcomeOf(way, script)
    expect(outcome).not.toBe('answered')
    expect(outcome).not.toMatch(/UPSTREAM_TIMEOUT|in time|timeout/)
    if (way.garbled !== undefined) expect(outcome).toBe(way.garbled)
  })

  test('is reported immediately for a broken body, of chunks of one byte', async () => {
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
    const outcome = await outcomeOf(way, { pieces: [head, '1\r\na\r\n', 'x\r\n'] })
    expect(outcome).not.toBe('answered')
    expect(outcome).not.toMatch(/UPSTREAM_TIMEOUT|in time|timeout/)
  })
})
