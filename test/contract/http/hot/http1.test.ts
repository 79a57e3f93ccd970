/** Our own connection against undici's client: over the same bytes both end the same way. */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { buildConnector, Client } from 'undici'
import { describe, expect, test } from 'vitest'
import type { Cancellation } from '../../../../contract/http/cancellation.ts'
import { type Exchanged, type Exchanger, exchange } from '../../../../contract/http/exchange.ts'
import { type CreateConnector, createHttp1Connection } from '../../../../contract/http/hot/http1/index.ts'
import { makeCertificate } from '../../../support/certificate.ts'
import { deadUrl } from '../../../support/faulty-server.ts'

const connect = buildConnector({ timeout: 5000, allowH2: false })
const createConnector: CreateConnector = (reading) =>
  reading === undefined ? connect : buildConnector({ timeout: 5000, allowH2: false, onread: reading })
const ownWay = (origin: string): Exchanger => createHttp1Connection(origin, createConnector)
const plainWay = (origin: string): Exchanger =>
  new Client(origin, { connect, headersTimeout: 0, bodyTimeout: 0 })

/** What the server does with a request: writes these, one after the other, and then closes or not. */
interface Script {
  readonly pieces: readonly (string | Buffer)[]
  readonly closes: boolean
}

interface RawServer extends AsyncDisposable {
  readonly origin: string
  /** Whole requests, as they came. */
  readonly requests: string[]
  /** All connections, in their order. */
  readonly sockets: Socket[]
  scripts: Script[]
}

async function startRaw(): Promise<RawServer> {
  const server = createServer({ noDelay: true }, (socket) => {
    kit.sockets.push(socket)
    socket.on('error', () => {})
    let got = ''
    socket.on('data', async (chunk: Buffer) => {
      got += chunk.toString('latin1')
      const head = got.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/.exec(got)?.[1] ?? 0)
      if (head < 0 || got.length < head + 4 + length) return
      kit.requests.push(got)
      got = ''
      const { pieces, closes } = kit.scripts.shift() ?? fine
      for (const piece of pieces) {
        socket.write(piece, 'latin1')
        // The next one is a packet of its own.
        await new Promise(setImmediate)
      }
      if (closes) socket.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const kit: RawServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    sockets: [],
    scripts: [],
    async [Symbol.asyncDispose]() {
      for (const socket of kit.sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return kit
}

const fine: Script = { pieces: ['HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine'], closes: false }

const neverCancelled: Cancellation = {
  cancelled: false,
  deadline: Number.POSITIVE_INFINITY,
  onCancel: () => () => {},
}

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly headers?: readonly string[]
  readonly body?: string
  readonly maxBytes?: number
  readonly timeoutMs?: number
}

function ask(way: Exchanger, asked: Asked = {}): Promise<Exchanged> {
  const { method = 'GET', path = '/', headers = [], body, maxBytes = 1_000_000, timeoutMs = 20_000 } = asked
  const deadline = performance.now() + timeoutMs
  return exchange(way, { method, path, headers, body, deadline, maxBytes }, neverCancelled)
}

const shown = ({ loss, left, status, headers, body }: Exchanged): unknown => ({
  loss,
  left,
  ...(loss === undefined ? { status, headers: { ...headers }, body: body.toString('latin1') } : {}),
})

/** How a script ends, and the request after it on the same way; over how many connections. */
async function endsOf(create: typeof ownWay, script: Script, asked: Asked = {}): Promise<object> {
  await using server = await startRaw()
  server.scripts = [script]
  const way = create(server.origin)
  const first = shown(await ask(way, asked))
  const second = shown(await ask(way))
  await way.destroy()
  return { first, second, connections: server.sockets.length }
}

const cut = (bytes: Buffer, places: readonly number[]): Buffer[] => {
  const at = [...new Set([0, ...places.map((place) => place % bytes.length), bytes.length])].sort(
    (a, b) => a - b,
  )
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end))
}

describe('a response', () => {
  const token = fc.constantFrom('x-one', 'X-Two', 'Content-Type', 'ETag', 'etag', 'set-cookie', 'constructor')
  const value = fc.constantFrom(
    '',
    'a',
    'two words',
    ' \tpadded',
    'caf\xe9',
    '"quoted", and more',
    'x'.repeat(300),
  )
  const body = fc.constantFrom('', '{}', 'é€😀', '\r\n\r\n', 'HTTP/1.1 200 OK\r\n\r\n', 'y'.repeat(70_000))
  const responses = fc.record({
    version: fc.constantFrom('1.1', '1.1', '1.1', '1.0'),
    status: fc.constantFrom(
      '200 OK',
      '200 ',
      '200',
      '201 Created',
      '304 Not Modified',
      '204 No Content',
      '404 Nö',
      '503 x',
    ),
    headers: fc.array(fc.tuple(token, value), { maxLength: 8 }),
    connection: fc.constantFrom(
      '',
      '',
      'connection: keep-alive\r\n',
      'Connection: Close\r\n',
      'connection: a, close\r\n',
    ),
    keepAlive: fc.constantFrom('', '', 'keep-alive: timeout=5\r\n', 'Keep-Alive: timeout=1\r\n'),
    framing: fc.constantFrom('length', 'chunked', 'close'),
    body,
    chunks: fc.array(fc.nat(80_000), { maxLength: 4 }),
    extension: fc.constantFrom('', ';name=value', ' ;a'),
    trailer: fc.constantFrom('', 'x-trailer: 1\r\n'),
    early: fc.constantFrom('', '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
    places: fc.array(fc.nat(), { maxLength: 6 }),
    lost: fc.option(fc.nat(), { freq: 4 }),
  })

  test('ends the same way, however it is framed, cut into pieces and broken off', async () => {
    await fc.assert(
      fc.asyncProperty(responses, async (one) => {
        const bytes = Buffer.from(one.body)
        const bodiless = /^(204|304)/.test(one.status)
        let text = `${one.early}HTTP/${one.version} ${one.status}\r\n${one.connection}${one.keepAlive}`
        for (const [name, text_] of one.headers) text += `${name}:${text_}\r\n`
        let framed = bytes
        if (one.framing === 'length') text += `Content-Length: ${bodiless ? 0 : bytes.length}\r\n`
        if (one.framing === 'chunked' && !bodiless && one.version === '1.1') {
          text += 'transfer-encoding: Chunked\r\n'
          const parts = bytes.length === 0 ? [] : cut(bytes, one.chunks)
          framed = Buffer.concat([
            ...parts.flatMap((part) => [
              Buffer.from(`${part.length.toString(16)}${one.extension}\r\n`),
              part,
              Buffer.from('\r\n'),
            ]),
            Buffer.from(`0\r\n${one.trailer}\r\n`),
          ])
        }
        let whole = Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), bodiless ? Buffer.alloc(0) : framed])
        if (one.lost !== null) whole = whole.subarray(0, 1 + (one.lost % whole.length))
        const script = {
          pieces: cut(whole, one.places),
          closes: one.lost !== null || one.framing !== 'length',
        }
        const [own, plain] = await Promise.all([endsOf(ownWay, script), endsOf(plainWay, script)])
        expect(own).toEqual(plain)
      }),
      { numRuns: 200 },
    )
  }, 120_000)

  test.each([
    ['no status', 'HTTP/1.1 OK\r\n\r\n'],
    ['another protocol', 'SMTP/1.1 200 OK\r\n\r\n'],
    ['a line feed alone', 'HTTP/1.1 200 OK\r\nx: 1\nv: 2\r\ncontent-length: 0\r\n\r\n'],
    ['a name with a blank', 'HTTP/1.1 200 OK\r\nx : 1\r\ncontent-length: 0\r\n\r\n'],
    ['no name', 'HTTP/1.1 200 OK\r\n: 1\r\ncontent-length: 0\r\n\r\n'],
    ['a line without a colon', 'HTTP/1.1 200 OK\r\nx\r\ncontent-length: 0\r\n\r\n'],
    ['a zero byte', 'HTTP/1.1 200 OK\r\nx: \0\r\ncontent-length: 0\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['a length that is none', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'],
    ['a length with a sign', 'HTTP/1.1 200 OK\r\ncontent-length: +1\r\n\r\na'],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a head without an end', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(70_000)}`],
    ['a chunk without a size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n\r\n'],
    [
      'a chunk that is too long',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n',
    ],
  ])('with %s is refused by both', async (_, text) => {
    const script = { pieces: [text], closes: false }
    const own = await endsOf(ownWay, script)
    expect(own).toMatchObject({
      first: { loss: expect.stringMatching(/garbled|truncated/), left: true },
      second: { status: 200 },
      connections: 2,
    })
    // Undici calls some of them a broken connection.
    const plain = await endsOf(plainWay, script)
    expect({ ...plain, first: 0 }).toEqual({ ...own, first: 0 })
    expect(plain).toMatchObject({ first: { loss: expect.any(String), left: true } })
  })

  test.each([
    ['a header line that is continued', 'HTTP/1.1 200 OK\r\nx: 1\r\n y\r\ncontent-length: 0\r\n\r\n'],
    ['another transfer coding', 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['bytes that are not HTTP and no end', 'ready when you are'],
  ])('with %s is refused', async (_, text) => {
    expect(await endsOf(ownWay, { pieces: [text], closes: false })).toMatchObject({
      first: { loss: 'garbled', left: true },
      second: { loss: undefined, status: 200 },
      connections: 2,
    })
  })

  test('has values without the blanks around them', async () => {
    const script = { pieces: ['HTTP/1.1 200 OK\r\nx:\t a b \t\r\ncontent-length: 0 \r\n\r\n'], closes: false }
    expect(await endsOf(ownWay, script)).toMatchObject({ first: { headers: { x: 'a b' } }, connections: 1 })
  })

  test.each(['100 Continue', '101 Switching Protocols'])(
    'of status %s, which was not asked for, is refused by both',
    async (status) => {
      const script = {
        pieces: [`HTTP/1.1 ${status}\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n`],
        closes: false,
      }
      const own = await endsOf(ownWay, script)
      expect(own).toMatchObject({ first: { loss: 'connection', left: true }, connections: 2 })
      expect(own).toEqual(await endsOf(plainWay, script))
    },
  )

  test('that is longer than announced ends with its length, and its connection is not used again', async () => {
    const script = {
      pieces: [
        'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfineHTTP/1.1 500 no\r\ncontent-length: 0\r\n\r\n',
      ],
      closes: false,
    }
    const own = await endsOf(ownWay, script)
    expect(own).toMatchObject({
      first: { status: 200, body: 'fine' },
      second: { status: 200, body: 'fine' },
      connections: 2,
    })
  })

  test('that is larger than allowed is given up, and nothing of it reaches the next request', async () => {
    const script = {
      pieces: [`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabcde\r\n5\r\nfghij\r\n0\r\n\r\n`],
      closes: false,
    }
    for (const way of [ownWay, plainWay]) {
      expect(await endsOf(way, script, { maxBytes: 4 })).toMatchObject({
        first: { loss: 'too-large' },
        second: { status: 200, body: 'fine' },
        connections: 2,
      })
    }
  })
})

describe('a request', () => {
  const requests: Asked[] = [
    {},
    { path: '/a/b?c=%20d', headers: ['accept', 'application/json', 'X-Caf\xe9'.slice(0, 5), 'caf\xe9'] },
    { method: 'POST', body: '{"text":"é€😀"}', headers: ['content-type', 'application/json'] },
    { method: 'POST' },
    { method: 'PUT', body: 'x'.repeat(300_000) },
    { method: 'DELETE' },
  ]

  test.each(requests)('is written as by undici: %j', async (asked) => {
    const written = async (create: typeof ownWay): Promise<string> => {
      await using server = await startRaw()
      const way = create(server.origin)
      expect(await ask(way, asked)).toMatchObject({ loss: undefined, status: 200 })
      await way.destroy()
      return (server.requests[0] ?? '').replace(/host: [^\r]*/, 'host')
    }
    const [head = '', ...body] = (await written(ownWay)).split('\r\n\r\n')
    const [plainHead = '', ...plainBody] = (await written(plainWay)).split('\r\n\r\n')
    expect(head.split('\r\n').sort()).toEqual(plainHead.split('\r\n').sort())
    expect(body).toEqual(plainBody)
  })

  test.each<[string, Asked]>([
    ['a line break in a header', { headers: ['x', 'a\r\ny: b'] }],
    ['a character beyond Latin-1 in a header', { headers: ['x', '€'] }],
    ['a name that is none', { headers: ['x y', '1'] }],
    ['a line break in its path', { path: '/a\r\nx: y' }],
    ['a blank in its path', { path: '/a b' }],
    ['a coding of its own', { headers: ['Transfer-Encoding', 'chunked'] }],
    ['a method that is none', { method: 'G T' }],
  ])('with %s leaves by neither way', async (_, asked) => {
    await using server = await startRaw()
    for (const create of [ownWay, plainWay]) {
      const way = create(server.origin)
      expect(await ask(way, asked)).toMatchObject({ loss: 'unsendable', left: false })
      expect(await ask(way)).toMatchObject({ status: 200 })
      await way.destroy()
    }
    expect(server.requests).toHaveLength(2)
  })

  test('is not taken while another one is under way', async () => {
    await using server = await startRaw()
    const way = createHttp1Connection(server.origin, createConnector)
    const first = ask(way)
    await expect(ask(way)).rejects.toThrow('under way')
    expect(await first).toMatchObject({ status: 200 })
    await way.destroy()
  })
})

describe('a connection', () => {
  test('that the service closed while nothing was under way is opened again, also for a write', async () => {
    await using server = await startRaw()
    const way = createHttp1Connection(server.origin, createConnector)
    for (const method of ['GET', 'POST']) {
      expect(await ask(way)).toMatchObject({ status: 200 })
      const last = server.sockets.at(-1)
      last?.end()
      if (last?.closed === false) await once(last, 'close')
      expect(await ask(way, { method })).toMatchObject({ loss: undefined, status: 200 })
    }
    await way.destroy()
  })

  test('on which something comes that was not asked for is not used again', async () => {
    await using server = await startRaw()
    const way = createHttp1Connection(server.origin, createConnector)
    expect(await ask(way)).toMatchObject({ status: 200 })
    const [first] = server.sockets
    first?.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nwrong')
    if (first?.closed === false) await once(first, 'close')
    expect(await ask(way)).toMatchObject({ status: 200, body: Buffer.from('fine') })
    expect(server.sockets).toHaveLength(2)
    await way.destroy()
  })

  test('keeps what it has read, whatever others read meanwhile', async () => {
    await using server = await startRaw()
    const lengths = [1, 100, 5000, 60_000, 200_000]
    const bodies = lengths.flatMap((length) => [...'abcdefgh'].map((letter) => letter.repeat(length)))
    const ways = bodies.map(() => createHttp1Connection(server.origin, createConnector))
    server.scripts = bodies.map((body) => {
      const middle = body.length >> 1
      const head = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`
      return { pieces: [head + body.slice(0, middle), body.slice(middle)], closes: false }
    })
    const answers = await Promise.all(ways.map((way) => ask(way)))
    const given = answers.map(({ body }) => body.toString('latin1'))
    expect(given.map((body) => body[0]?.repeat(body.length))).toEqual(given)
    expect(given.sort()).toEqual(bodies.sort())
    await Promise.all(ways.map((way) => way.destroy()))
  })

  test('that cannot be had ends the request, which has not left', async () => {
    for (const create of [ownWay, plainWay]) {
      const way = create(await deadUrl())
      expect(await ask(way)).toMatchObject({ loss: 'connection', left: false })
      await way.destroy()
    }
  })

  test('that is destroyed ends what is under way, and leaves no socket', async () => {
    await using server = await startRaw()
    server.scripts = [{ pieces: [], closes: false }]
    const way = createHttp1Connection(server.origin, createConnector)
    const pending = ask(way)
    while (server.requests.length === 0) await pause(5)
    await way.destroy()
    expect(await pending).toMatchObject({ loss: 'connection', left: true })
    expect(await ask(way)).toMatchObject({ loss: 'connection', left: false })
    while (server.sockets.some(({ closed }) => !closed)) await pause(5)

    const opening = createHttp1Connection(server.origin, createConnector)
    const never = ask(opening)
    await opening.destroy()
    expect(await never).toMatchObject({ loss: 'connection', left: false })
    while (server.sockets.some(({ closed }) => !closed)) await pause(5)
    expect(server.requests).toHaveLength(1)
  })

  test('whose request timed out is not used again', async () => {
    await using server = await startRaw()
    server.scripts = [{ pieces: ['HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nhalf'], closes: false }]
    const way = createHttp1Connection(server.origin, createConnector)
    expect(await ask(way, { timeoutMs: 1000 })).toMatchObject({ loss: 'timeout', left: true })
    expect(await ask(way)).toMatchObject({ status: 200, body: Buffer.from('fine') })
    expect(server.sockets).toHaveLength(2)
    await way.destroy()
  })

  test('with TLS is used again, and is not had where the certificate is not trusted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tessera-http1-'))
    makeCertificate(folder, 'own')
    const [cert, key] = ['own.pem', 'own.key'].map((name) => readFileSync(join(folder, name), 'utf8'))
    rmSync(folder, { recursive: true })
    let opened = 0
    let requests = 0
    const server = createTlsServer({ cert, key }, (_request, response) => {
      requests += 1
      response.end(`answer ${requests}`)
    })
    server.on('secureConnection', () => {
      opened += 1
    })
    server.listen(0, 'localhost')
    await once(server, 'listening')
    const origin = `https://localhost:${(server.address() as AddressInfo).port}`

    const trusting = createHttp1Connection(origin, () => buildConnector({ ca: cert, allowH2: false }))
    for (const number of [1, 2, 3])
      expect(await ask(trusting)).toMatchObject({ status: 200, body: Buffer.from(`answer ${number}`) })
    expect(opened).toBe(1)
    const stranger = createHttp1Connection(origin, createConnector)
    expect(await ask(stranger)).toMatchObject({ loss: 'connection', left: false })
    expect(requests).toBe(3)
    await Promise.all([trusting.destroy(), stranger.destroy()])
    server.close()
    await once(server, 'close')
  })
})
