/** A server of the GraphQL handler whose gate is the test's, and raw connections to it. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterEach, beforeEach } from 'vitest'
import { asByteString, jsonText } from '../../../../../../contract/hot/byte-string.ts'
import { readPlain, runPlainly } from '../../../../../../contract/hot/switch.ts'
import type { GatewayRequest } from '../../../../../../gateway/engine/request.ts'
import { createCompression } from '../../../../../../gateway/http/serve/compression.ts'
import { createGraphqlHandler, type GraphqlHandler } from '../../../../../../gateway/http/serve/graphql.ts'
import { createHttpServer } from '../../../../../../gateway/http/serve/server.ts'
import { openTls, type Tls } from '../../../../../../gateway/http/serve/tls.ts'
import { createTraffic, type Traffic } from '../../../../../../gateway/http/serve/traffic.ts'
import type { Gate, Waiting } from '../../../../../../gateway/http/shedding/index.ts'
import { createLogger } from '../../../../../../gateway/observe/log.ts'
import { createMetrics } from '../../../../../../gateway/observe/metrics/index.ts'
import { makeCertificate } from '../../../../../support/certificate.ts'
import { usualConnections } from '../../../../../support/connections.ts'
import { endOf, until } from '../../../../../support/patience.ts'
import { refused } from './requests.ts'

const servers: Server[] = []
beforeEach(() => runPlainly([]))
afterEach(() => {
  runPlainly(readPlain(process.env.TESSERA_PLAIN))
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

export interface Serving {
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

export function selfSigned(): Tls {
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
   * Node reads by way of its streams from the beginning, as it does after a request that it did not read. Its other way
   * differs in what it still sends where one read holds a request that cannot be read.
   */
  readonly byStreams?: boolean
}

/** The response to what has "large" in its body: more than the system keeps between two sockets. */
export const large = Buffer.alloc(32 * 1024 * 1024, 'x')

/** A handler whose gate lets through what has "begin" in its body, and refuses all else. */
export async function serve(options: ServeOptions = {}): Promise<Serving> {
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

export interface Client {
  readonly socket: Socket
  text(): string
  /** Responses that have come, without interim ones. */
  count(): number
  readonly ended: Promise<void>
}

export async function open({ port, isTls }: Serving): Promise<Client> {
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
export async function openRefused(serving: Serving): Promise<Client> {
  const client = await open(serving)
  client.socket.write(refused)
  await until(() => client.count() === 1, 'the first refusal')
  return client
}

/** The same, and then a request that is kept at the gate. */
export async function openHeld(serving: Serving, request: string): Promise<Client> {
  const client = await openRefused(serving)
  serving.hold()
  client.socket.write(request)
  await until(() => serving.held.length === 1, 'it is held')
  return client
}

/** Sends a request, in one piece or in several after each other, and waits for its response. */
export async function ask(client: Client, ...parts: readonly string[]): Promise<void> {
  const before = client.count()
  for (const part of parts) {
    client.socket.write(part)
    if (parts.length > 1) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await until(() => client.count() === before + 1, 'a response')
}

/** Without what differs from one run to the next, or from one refusal to the next. */
export const normal = (text: string): string =>
  text
    .replaceAll(/^Date: [^\r]*/gm, 'Date: …')
    .replaceAll(/^retry-after: \d/gm, 'retry-after: …')
    .replaceAll(/"retryAfter":\d/g, '"retryAfter":…')

/** Of the first connection. */
export const bytesReadBy = ({ sockets }: Serving): number => sockets[0]?.bytesRead ?? 0

/** Whether nothing is under way any more. */
export const isSettled = (traffic: Traffic): Promise<boolean> =>
  Promise.race([
    traffic.settled(60_000).then(() => true),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 20)),
  ])
