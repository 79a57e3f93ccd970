/**
 * Subscribers on raw sockets in their own process: server-sent events or `graphql-transport-ws`, each on its own
 * connection. They note how old each event is when it arrives. Some stop reading.
 */
import { connect, type Socket } from 'node:net'

export type Transport = 'sse' | 'ws'

export type ClientTask =
  | {
      readonly kind: 'open'
      readonly url: string
      /** One for each subscriber. */
      readonly tokens: readonly string[]
      readonly query: string
      readonly transport: Transport
      /** Whether they stop reading after their first event. */
      readonly stops: boolean
    }
  /** Waits for this many events since the last time, or at most this many milliseconds. */
  | { readonly kind: 'await'; readonly events: number; readonly milliseconds: number }
  | { readonly kind: 'close' }

export interface Arrivals {
  readonly events: number
  /** Milliseconds from the change to the client. */
  readonly p50: number
  readonly p99: number
  readonly open: number
}

/** How many connections are opened at the same time. */
const together = 100
const sockets = new Set<Socket>()
let ages: number[] = []

/** The time of the change, which the event contains. */
const marker = Buffer.from('"value":"')

function noteEvent(event: Buffer): boolean {
  const at = event.indexOf(marker)
  if (at < 0) return false
  const from = at + marker.length
  ages.push(Date.now() - Number(event.toString('latin1', from, event.indexOf(0x22, from))))
  return true
}

function subscribe(task: Extract<ClientTask, { kind: 'open' }>, token: string): Promise<void> {
  const { hostname, port, host, pathname } = new URL(task.url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) })
    sockets.add(socket)
    let hasEvent = false
    const arrived = (event: Buffer): void => {
      if (!noteEvent(event) || hasEvent) return
      hasEvent = true
      if (task.stops) socket.pause()
      resolve()
    }
    socket.on('error', reject)
    socket.on('close', () => {
      sockets.delete(socket)
      reject(new Error('a connection was closed before its first event'))
    })
    if (task.transport === 'sse') {
      const body = JSON.stringify({ query: task.query })
      socket.on('data', arrived)
      socket.write(
        `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\naccept: text/event-stream\r\n` +
          `authorization: Bearer ${token}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      )
      return
    }
    speak(socket, token, task.query, { host, pathname, arrived })
  })
}

function speak(
  socket: Socket,
  token: string,
  query: string,
  { host, pathname, arrived }: { host: string; pathname: string; arrived: (event: Buffer) => void },
): void {
  let rest: Buffer = Buffer.alloc(0)
  let isOpen = false
  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    if (!isOpen) {
      const end = rest.indexOf('\r\n\r\n')
      if (end < 0) return
      rest = rest.subarray(end + 4)
      isOpen = true
      send(
        socket,
        1,
        JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }),
      )
    }
    for (;;) {
      const frame = frameIn(rest)
      if (frame === undefined) return
      rest = rest.subarray(frame.length)
      if (frame.opcode === 9) send(socket, 10, '')
      else if (frame.payload.includes('connection_ack'))
        send(socket, 1, JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }))
      else arrived(frame.payload)
    }
  })
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n` +
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n',
  )
}

/** A client's frame, masked with zeros. */
function send(socket: Socket, opcode: number, text: string): void {
  const payload = Buffer.from(text)
  const head =
    payload.length < 126
      ? Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0])
      : Buffer.from([0x80 | opcode, 0x80 | 126, payload.length >> 8, payload.length & 255, 0, 0, 0, 0])
  socket.write(Buffer.concat([head, payload]))
}

function frameIn(bytes: Buffer): { opcode: number; payload: Buffer; length: number } | undefined {
  if (bytes.length < 2) return undefined
  let [size, head] = [bytes.readUInt8(1) & 127, 2]
  if (size === 126) {
    if (bytes.length < 4) return undefined
    ;[size, head] = [bytes.readUInt16BE(2), 4]
  } else if (size === 127) {
    if (bytes.length < 10) return undefined
    ;[size, head] = [Number(bytes.readBigUInt64BE(2)), 10]
  }
  if (bytes.length < head + size) return undefined
  return {
    opcode: bytes.readUInt8(0) & 15,
    payload: bytes.subarray(head, head + size),
    length: head + size,
  }
}

async function open(task: Extract<ClientTask, { kind: 'open' }>): Promise<void> {
  for (let at = 0; at < task.tokens.length; at += together)
    await Promise.all(task.tokens.slice(at, at + together).map((token) => subscribe(task, token)))
}

async function arrivals({ events, milliseconds }: Extract<ClientTask, { kind: 'await' }>): Promise<Arrivals> {
  const until = performance.now() + milliseconds
  while (ages.length < events && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 10))
  const sorted = ages.sort((a, b) => a - b)
  ages = []
  const rank = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  return { events: sorted.length, p50: rank(0.5), p99: rank(0.99), open: sockets.size }
}

process.on('message', async (task: ClientTask) => {
  if (task.kind === 'await') {
    process.send?.(await arrivals(task))
    return
  }
  if (task.kind === 'open') await open(task)
  else for (const socket of sockets) socket.destroy()
  ages = []
  process.send?.({ open: sockets.size })
})
process.on('disconnect', () => process.exit(0))
