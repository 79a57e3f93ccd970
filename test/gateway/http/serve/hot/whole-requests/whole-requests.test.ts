/** Requests without `node:http`: clients see what they see where it reads every request, and nothing is misread. */
import { createHash } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { EventEmitter, once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { asByteString, jsonText } from '../../../../../../contract/hot/byte-string.ts'
import { readPlain, runPlainly } from '../../../../../../contract/hot/switch.ts'
import { createCompression } from '../../../../../../gateway/http/serve/compression.ts'
import { createGraphqlHandler, type GraphqlHandler } from '../../../../../../gateway/http/serve/graphql.ts'
import { createHttpServer } from '../../../../../../gateway/http/serve/server.ts'
import { openTls, type Tls } from '../../../../../../gateway/http/serve/tls.ts'
import { createTraffic, type Traffic } from '../../../../../../gateway/http/serve/traffic.ts'
import type { Gate, Waiting } from '../../../../../../gateway/http/shedding/index.ts'
import type { GatewayRequest } from '../../../../../../gateway/engine/request.ts'
import { createLogger } from '../../../../../../gateway/observe/log.ts'
import { createMetrics } from '../../../../../../gateway/observe/metrics/index.ts'
import { campaignSize } from '../../../../../support/campaign-size.ts'
import { makeCertificate } from '../../../../../support/certificate.ts'
import { usualConnections } from '../../../../../support/connections.ts'
import { endOf, until } from '../../../../../support/patience.ts'
import { begins, post, refused, requests } from './requests.ts'

const servers: Server[] = []
beforeEach(() => runPlainly([]))
afterEach(() => {
  runPlainly(readPlain(process.env.TESSERA_PLAIN))
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

interface Serving {
  readonly port: number
  readonly isTls: boolean
  readonly handler: GraphqlHandler
  readonly traffic: Traffic
  readonly gate: Gate & { sheds: boolean }
  /** Requests that wait at the gate. */
  readonly held: readonly Waiting[]
  /** From now on they are kept until `decide`. */
  hold(): void
  decide(): void
  /** Answers what has "slow" in its body, which waits for it. */
  answerSlow(): void
  /** Requests that `node:http` has read. */
  read(): number
  /** Requests that the gate has let through and that have not ended. */
  underWay(): number
  /** Operations that were cancelled. */
  cancelled(): number
  readonly sockets: readonly Socket[]
}

function selfSigned(): Tls {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-whole-requests-'))
  makeCertificate(folder, 'server')
  const files = { certificate: join(folder, 'server.pem'), key: join(folder, 'server.key') }
  return openTls({ ...files, clientAuthorities: undefined }, createLogger({ level: 'silent' }))
}

interface ServeOptions {
  /** All by `node:http`. */
  readonly plain?: boolean
  readonly keepAliveMs?: number
  readonly tls?: Tls | undefined
  /**
   * Node reads by way of its streams from the beginning, as it does after a request that it did not read. Its other way differs in what
   * it still sends where one read holds a request that cannot be read.
   */
  readonly byStreams?: boolean
}

/** The response to what has "large" in its body: more than the system keeps between two sockets. */
const large = Buffer.alloc(32 * 1024 * 1024, 'x')

/** A handler whose gate lets through what has "begin" in its body, and refuses all else. */
async function serve(options: ServeOptions = {}): Promise<Serving> {
  const { plain = false, tls, byStreams = false, keepAliveMs } = options
  runPlainly(plain ? ['whole-requests'] : [])
  const held: Waiting[] = []
  const slow = Promise.withResolvers<void>()
  let underWay = 0
  let cancelled = 0
  let holds = false
  const decide = (): void => {
    if (holds) return
    for (const request of held.splice(0)) {
      if (request.isGone() || request.rank() > 0) request.refuse()
      else {
        underWay += 1
        request.begin()
      }
    }
  }
  const gate = {
    sheds: true,
    opens() {
      if (!gate.sheds) underWay += 1
      return !gate.sheds
    },
    wait(request: Waiting) {
      held.push(request)
      setImmediate(decide)
    },
    ended() {
      underWay -= 1
    },
    waitMs: () => 0,
  }
  const connections = usualConnections(keepAliveMs === undefined ? {} : { keepAliveMs })
  const traffic = createTraffic()
  const handler = createGraphqlHandler({
    respond: async ({ id, body }, watch) => {
      watch({
        cancel() {
          cancelled += 1
        },
      } as GatewayRequest)
      if (body.includes('slow')) await slow.promise
      if (body.includes('garbled')) return { status: 200, head: ['x-a', 'b\r\nc: d'], body: jsonText({}) }
      if (body.includes('large'))
        return { status: 200, head: [], body: [asByteString('"'), large, asByteString('"')] }
      const digest = createHash('sha256').update(body).digest('hex')
      return { status: 200, head: ['content-type', 'application/json'], body: jsonText({ id, digest }) }
    },
    log: createLogger({ level: 'silent' }),
    maxBodyBytes: 100_000,
    connections,
    corsOrigins: [],
    csrf: true,
    chooseEncoding: createCompression('off'),
    traffic,
    metrics: createMetrics(),
    gate,
    rank: ({ body }) => (body.includes('begin') ? 0 : 1),
    // The rule of `serve/index.ts`, with one id for all that have none.
    requestId: (given) => (typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : 'own'),
  })
  let read = 0
  const sockets: Socket[] = []
  const server = createHttpServer(
    (request, response) => {
      read += 1
      if (request.url?.startsWith('/graphql')) handler.handle(request, response)
      else response.writeHead(404, { 'content-length': 0 }).end()
    },
    connections,
    tls,
  )
  server.on('connection', (socket) => {
    sockets.push(socket)
    if (!byStreams) return
    const none = (): void => {}
    socket.on('data', none).off('data', none)
  })
  handler.watch(server)
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    ...{ port, isTls: tls !== undefined, handler, traffic, gate, held, sockets },
    hold() {
      holds = true
    },
    decide() {
      holds = false
      decide()
    },
    answerSlow: () => slow.resolve(),
    read: () => read,
    underWay: () => underWay,
    cancelled: () => cancelled,
  }
}

interface Client {
  readonly socket: Socket
  text(): string
  /** Responses that have come, without interim ones. */
  count(): number
  readonly ended: Promise<void>
}

async function open({ port, isTls }: Serving): Promise<Client> {
  const address = { port, host: '127.0.0.1', noDelay: true }
  const socket = isTls ? connectTls({ ...address, rejectUnauthorized: false }) : connect(address)
  let text = ''
  socket.setEncoding('latin1').on('data', (more: string) => {
    text += more
  })
  await once(socket, isTls ? 'secureConnect' : 'connect')
  const count = (): number => text.match(/HTTP\/1\.1 (?!100)\d{3} /g)?.length ?? 0
  return { socket, text: () => text, count, ended: endOf(socket) }
}

/** A refused request has been answered, so that the next one of its connection does without `node:http`. */
async function openRefused(serving: Serving): Promise<Client> {
  const client = await open(serving)
  client.socket.write(refused)
  await until(() => client.count() === 1, 'the first refusal')
  return client
}

/** The same, and then a request that is kept at the gate. */
async function openHeld(serving: Serving, request: string): Promise<Client> {
  const client = await openRefused(serving)
  serving.hold()
  client.socket.write(request)
  await until(() => serving.held.length === 1, 'it is held')
  return client
}

/** Without what differs from one run to the next, or from one refusal to the next. */
const normal = (text: string): string =>
  text
    .replaceAll(/^Date: [^\r]*/gm, 'Date: …')
    .replaceAll(/^retry-after: \d/gm, 'retry-after: …')
    .replaceAll(/"retryAfter":\d/g, '"retryAfter":…')

/** Bytes that are sent at once, in pieces, before the responses to all of them have come. */
const bursts = fc.array(
  fc.record({
    texts: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom([refused], [refused], [begins]) },
      fc.array(
        fc.oneof(
          fc.constantFrom(
            ...[refused, begins, post(refused), post(begins, ['x-request-id: a-1'])],
            ...[post('{ a }', ['connection: keep-alive', 'x-request-id: a-2']), post('{ a }', [], '/other')],
            'POST /graphql HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{ a\r\n2\r\n }\r\n0\r\n\r\n',
            ...[
              post('{ a }', ['expect: 100-continue']),
              'GET /graphql?query={a} HTTP/1.1\r\nhost: a\r\n\r\n',
            ],
          ),
          requests,
        ),
        { minLength: 1, maxLength: 3 },
      ),
    ),
    cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 2 }),
  }),
  { minLength: 2, maxLength: 8 },
)

async function talk(
  serving: Serving,
  sent: readonly { texts: readonly string[]; cuts: readonly number[] }[],
): Promise<{ readonly text: string; readonly isReset: boolean }> {
  const client = await open(serving)
  let isOver = false
  let isReset = false
  client.socket.on('error', () => {
    isReset = true
  })
  void client.ended.then(() => {
    isOver = true
  })
  for (const { texts, cuts } of sent) {
    const bytes = Buffer.from(texts.join(''), 'latin1')
    const before = client.count()
    const ends = [...cuts.map((cut) => Math.floor(cut * bytes.length)).sort((a, b) => a - b), bytes.length]
    let from = 0
    for (const end of ends) {
      if (end > from) client.socket.write(bytes.subarray(from, end))
      from = end
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    // What is not a whole request gets no response: the next burst goes on with it.
    for (let turns = 0; turns < 20 && !isOver && client.count() < before + texts.length; turns++)
      await new Promise((resolve) => setTimeout(resolve, 1))
  }
  client.socket.end()
  await client.ended
  return { text: normal(client.text()), isReset }
}

test('a client receives what it receives where node:http reads every request', async () => {
  const plain = await serve({ plain: true, byStreams: true })
  const early = await serve({ byStreams: true })
  let resets = 0
  await fc.assert(
    fc.asyncProperty(bursts, async (sent) => {
      const [one, other] = [await talk(early, sent), await talk(plain, sent)]
      if (!one.isReset && !other.isReset) expect(one.text).toBe(other.text)
      // What was sent after a request that cannot be read resets the connection, and what the client had not read is lost.
      else expect(one.text.startsWith(other.text) || other.text.startsWith(one.text)).toBe(true)
      resets += one.isReset || other.isReset ? 1 : 0
      await until(() => early.underWay() === 0 && plain.underWay() === 0, 'all that began has ended')
    }),
    { numRuns: campaignSize(1000) },
  )
  expect(early.read()).toBeLessThan(plain.read() * 0.9)
  expect(resets).toBeLessThan(campaignSize(1000) / 2)
})

test.each([false, true])(
  'after the first of a connection node:http reads no request, refused or not (TLS: %s)',
  async (isTls) => {
    const serving = await serve({ tls: isTls ? selfSigned() : undefined })
    const client = await openRefused(serving)
    for (let n = 0; n < 30; n++) {
      const before = client.count()
      client.socket.write(n % 3 === 0 ? begins : refused)
      await until(() => client.count() === before + 1, 'a response')
    }
    expect(client.text().match(/HTTP\/1\.1 (\d+)/g)).toEqual([
      'HTTP/1.1 503',
      ...Array.from({ length: 30 }, (_, n) => (n % 3 === 0 ? 'HTTP/1.1 200' : 'HTTP/1.1 503')),
    ])
    expect(serving.underWay()).toBe(0)
    // Nor where nothing is refused any more.
    serving.gate.sheds = false
    for (let n = 0; n < 3; n++) {
      const before = client.count()
      client.socket.write(refused)
      await until(() => client.count() === before + 1, 'a response')
    }
    expect(serving.read()).toBe(1)
    client.socket.destroy()
  },
)

test.each([
  ['a body', `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-length: ${refused.length}\r\n\r\n`],
  ['a body of another path', `POST /other HTTP/1.1\r\nhost: a\r\ncontent-length: ${refused.length}\r\n\r\n`],
  ['a head', 'GET /graphql?query={a} HTTP/1.1\r\nhost: a\r\nx-a: '],
  ['the first line', 'G'],
])('%s that has come in part before a refusal is not taken for the end of a request', async (_what, part) => {
  const results: string[] = []
  for (const plain of [true, false]) {
    const serving = await serve({ plain })
    const client = await open(serving)
    client.socket.write(refused + part)
    await until(() => client.count() > 0, 'the first refusal')
    client.socket.write(refused)
    await until(() => bytesReadBy(serving) === 2 * refused.length + part.length, 'it is read by itself')
    client.socket.write('GET /after HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
    await client.ended
    results.push(normal(client.text()))
  }
  expect(results[1]).toBe(results[0])
})

const bytesReadBy = ({ sockets }: Serving): number => sockets[0]?.bytesRead ?? 0

test('a request that comes while one before it is answered has its response after that', async () => {
  const serving = await serve()
  const client = await open(serving)
  const slow = post('{"query":"{ begin slow }"}')
  client.socket.write(refused + slow)
  await until(() => client.count() === 1, 'the first refusal')
  client.socket.write(refused)
  await until(() => bytesReadBy(serving) === 2 * refused.length + slow.length, 'the third is read')
  await new Promise((resolve) => setTimeout(resolve, 20))
  serving.answerSlow()
  await until(() => client.count() === 3, 'all are answered')
  expect(client.text().match(/HTTP\/1\.1 (\d+)/g)).toEqual(['HTTP/1.1 503', 'HTTP/1.1 200', 'HTTP/1.1 503'])
  client.socket.destroy()
})

test('a second request that does not wait for the first has its response after it, whatever becomes of that', async () => {
  for (const first of [refused, begins]) {
    const serving = await serve()
    const client = await openHeld(serving, first)
    client.socket.write(post('{ second }', ['x-request-id: second']))
    client.socket.write(post('{ begin third }', ['x-request-id: third']))
    await until(() => serving.sockets[0]?.isPaused() === true, 'no more is read')
    serving.decide()
    await until(() => client.count() === 4, 'all three are answered')
    const [, own, second, third] = client.text().split('HTTP/1.1 ').slice(1)
    expect(own).toContain(first === refused ? '503' : '200')
    expect(second).toMatch(/^503[\s\S]*x-request-id: second/)
    expect(third).toMatch(/^200[\s\S]*"id":"third"/)
    client.socket.destroy()
  }
})

test('a client that goes away while its request waits is seen as gone, and nothing is left of it', async () => {
  const serving = await serve()
  const client = await openHeld(serving, begins)
  expect(await isSettled(serving.traffic)).toBe(false)
  client.socket.destroy()
  await until(() => serving.held[0]?.isGone() === true, 'it is gone')
  expect(await isSettled(serving.traffic)).toBe(true)
  serving.decide()
  expect(serving.underWay()).toBe(0)
})

test('a client that goes away before its response is there cancels what runs for it', async () => {
  const serving = await serve()
  const client = await openRefused(serving)
  client.socket.write(post('{ begin slow }'))
  await until(() => serving.underWay() === 1, 'it has begun')
  expect(await isSettled(serving.traffic)).toBe(false)
  client.socket.destroy()
  await until(() => serving.cancelled() === 1, 'it is cancelled')
  expect(await isSettled(serving.traffic)).toBe(true)
  serving.answerSlow()
  await until(() => serving.underWay() === 0, 'it has ended')
})

test('nothing is under way of a response that was not read by a client that has gone', async () => {
  const serving = await serve()
  const client = await openRefused(serving)
  client.socket.pause()
  client.socket.write(post('{ begin large }'))
  await until(() => serving.sockets[0]?.writableLength !== 0, 'what the system takes is written')
  client.socket.destroy()
  await until(() => serving.sockets[0]?.destroyed === true, 'the connection is closed')
  expect(await isSettled(serving.traffic)).toBe(true)
  expect(serving.cancelled()).toBe(0)
})

const isSettled = (traffic: Traffic): Promise<boolean> =>
  Promise.race([
    traffic.settled(60_000).then(() => true),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 20)),
  ])

test('what waits when the server stops is waited for; after that node:http reads all', async () => {
  const serving = await serve()
  const client = await openHeld(serving, begins)
  serving.handler.leave(true)
  const settled = serving.traffic.settled(60_000)
  serving.decide()
  await settled
  await client.ended
  expect(client.text()).toContain('SERVICE_STOPPING')
  expect(serving.underWay()).toBe(0)
})

test('a connection that had refusals can be upgraded', async () => {
  const serving = await serve()
  const client = await openRefused(serving)
  client.socket.write('GET /graphql HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
  await client.ended
  expect(client.text()).toContain('101 Switching Protocols')
})

test('where responses do not leave only so much of them is kept, and the client gets all in the end', async () => {
  const serving = await serve()
  const client = await openRefused(serving)
  const [socket] = serving.sockets as [Socket]
  // As if the client read nothing, without as many requests as fill the buffers of the kernel.
  const write = socket._write.bind(socket)
  const left = Promise.withResolvers<() => void>()
  socket._write = (...args) => left.resolve(() => write(...args))
  const count = 2000
  for (let sent = 0; sent < count; sent++) {
    client.socket.write(refused)
    await new Promise(setImmediate)
  }
  await until(() => socket.isPaused(), 'the connection is not read any more')
  expect(socket.writableLength).toBeGreaterThan(0)
  expect(socket.writableLength).toBeLessThan(2 * socket.writableHighWaterMark)
  socket._write = write
  ;(await left.promise)()
  await until(() => client.count() === count + 1, 'all responses have come')
  client.socket.destroy()
})

test('a response of many bytes is under way until its client has read it', async () => {
  const serving = await serve()
  const client = await openRefused(serving)
  client.socket.pause()
  client.socket.write(post('{ begin large }'))
  await until(() => serving.sockets[0]?.writableLength !== 0, 'what the system takes is written')
  expect(await isSettled(serving.traffic)).toBe(false)
  client.socket.write(begins)
  client.socket.resume()
  await until(() => client.count() === 3, 'the next one is answered')
  expect(client.text()).toContain(`\r\n\r\n"${large.toString()}"HTTP/1.1 200 OK\r\n`)
  expect(await isSettled(serving.traffic)).toBe(true)
  client.socket.destroy()
})

test('a connection is closed by the response that is under way when the server leaves', async () => {
  const serving = await serve()
  const client = await openRefused(serving)
  client.socket.write(post('{ begin slow }'))
  await until(() => serving.underWay() === 1, 'it has begun')
  serving.handler.leave(false)
  serving.answerSlow()
  await client.ended
  const [, last = ''] = client.text().split('HTTP/1.1 200 OK')
  expect(last).toContain('connection: close\r\n')
  expect(last.toLowerCase()).not.toContain('keep-alive')
  expect(await isSettled(serving.traffic)).toBe(true)
})

test('a connection is closed where no request comes in time, and kept for as long as one takes', async () => {
  // Node adds a second.
  const serving = await serve({ keepAliveMs: 100 })
  const client = await openRefused(serving)
  client.socket.write(post('{ begin slow }'))
  const idle = await openRefused(serving)
  await idle.ended
  await new Promise((resolve) => setTimeout(resolve, 500))
  serving.answerSlow()
  await until(() => client.count() === 2, 'it is answered')
  await client.ended
  expect(serving.read()).toBe(2)
})

test('a client that does not send its requests in one piece is left to node:http', async () => {
  const serving = await serve()
  const client = await openRefused(serving)
  const ask = async (...parts: string[]): Promise<void> => {
    const before = client.count()
    for (const part of parts) {
      client.socket.write(part)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await until(() => client.count() === before + 1, 'it is answered')
  }
  for (let n = 0; n < 3; n++) await ask(begins.slice(0, -5), begins.slice(-5))
  expect(serving.read()).toBe(4)
  await ask(begins)
  expect(serving.read()).toBe(5)
  client.socket.destroy()
})

test.each([
  [
    'subscribes to its requests',
    () => {
      const observe = (): void => {}
      subscribe('http.server.request.start', observe)
      return () => unsubscribe('http.server.request.start', observe)
    },
  ],
  [
    'stands before its listeners',
    () => {
      const { prototype } = Server
      Object.assign(prototype, { emit: EventEmitter.prototype.emit })
      return () => Reflect.deleteProperty(prototype, 'emit')
    },
  ],
])('node:http reads all where something %s', async (_what, begin) => {
  const serving = await serve()
  const client = await openRefused(serving)
  const end = begin()
  try {
    for (let n = 2; n < 6; n++) {
      client.socket.write(begins)
      await until(() => client.count() === n, 'it is answered')
    }
  } finally {
    end()
  }
  expect(serving.read()).toBe(5)
  client.socket.destroy()
})

test('a response with a header that none may have does not leave', async () => {
  for (const plain of [true, false]) {
    const serving = await serve({ plain })
    const client = await openRefused(serving)
    client.socket.write(post('{ begin garbled }'))
    await client.ended
    expect(client.count()).toBe(1)
    expect(serving.read()).toBe(plain ? 2 : 1)
  }
})
