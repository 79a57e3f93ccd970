/** What tests of subscriptions share: a gateway, clients that end with the test, and what came to them. */

import { randomBytes } from 'node:crypto'
import { connect as connectTo, type Socket } from 'node:net'
import { createClient as createSseClient } from 'graphql-sse'
import { type Client, type ClientOptions, createClient } from 'graphql-ws'
import { expect, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { type ForeignOptions, startForeignSubgraph } from '../../support/foreign-subgraph.ts'
import { keep } from '../../support/keep.ts'
import {
  createLiveGraph,
  type LiveGateway,
  type LiveGraph,
  type LiveOptions,
  startLiveGraph,
  withOne,
} from '../../support/live-graph.ts'

export const wait = { interval: 10 }

export const start = async (options: LiveOptions = {}): Promise<LiveGateway> =>
  keep(await startLiveGraph(options))

/** A graph whose `clock` is served by other people's servers; `outside` is what gateways see of it. */
export async function startForeignClock(options?: ForeignOptions) {
  const graph = createLiveGraph()
  const [clock] = graph.subgraphs as [LiveGraph['subgraphs'][number]]
  const foreign = keep(await startForeignSubgraph(clock.schema, options))
  return { graph, foreign, outside: withOne(graph, 'names', { clock: foreign.url }) }
}

export interface ConnectOptions extends Partial<ClientOptions> {
  /** In the payload of `connection_init`. */
  readonly authorization?: string
  /** Of the request that opens the connection. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Over a WebSocket. It does not come back by itself unless it is told to. */
export function connect(
  { wsUrl }: { readonly wsUrl: string },
  { authorization, headers, ...options }: ConnectOptions = {},
): Client {
  const client = createClient({
    url: wsUrl,
    webSocketImpl: class extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols, { headers })
      }
    },
    retryAttempts: 0,
    ...(authorization === undefined ? {} : { connectionParams: { authorization } }),
    ...options,
  })
  onTestFinished(async () => client.dispose())
  return client
}

export interface Operation {
  readonly query: string
  readonly variables?: Record<string, unknown>
  readonly onError?: string | undefined
  readonly extensions?: Record<string, unknown>
}

export interface Followed {
  readonly results: {
    // biome-ignore lint/suspicious/noExplicitAny: results are compared, not used
    data?: any
    errors?: readonly { path?: unknown; extensions: { code: string } }[]
    extensions?: object
  }[]
  readonly errors: unknown[]
  completed: boolean
  stop(): void
}

export function follow(client: Client, operation: string | Operation): Followed {
  const followed: Followed = { results: [], errors: [], completed: false, stop: () => stop() }
  const stop = client.subscribe(typeof operation === 'string' ? { query: operation } : { ...operation }, {
    next: (result) => void followed.results.push(result as never),
    error: (error) => void followed.errors.push(error),
    complete: () => {
      followed.completed = true
    },
  })
  return followed
}

export interface Numbers {
  readonly numbers: number[]
  /** The codes with which its connections were closed. */
  readonly closed: number[]
  stop(): void
}

/** The numbers of ticks as an app gets them: it goes on after the last event that it has, at the address of the moment. */
export function followTicks(url: () => string, query: string): Numbers {
  let last: string | undefined
  const client = createClient({
    url,
    webSocketImpl: WebSocket,
    retryAttempts: 100,
    retryWait: () => new Promise((resolve) => setTimeout(resolve, 20)),
    shouldRetry: () => true,
    on: { closed: (event) => void following.closed.push((event as { code: number }).code) },
  })
  onTestFinished(async () => client.dispose())
  const following: Numbers = { numbers: [], closed: [], stop: () => void client.dispose() }
  const extensions = {
    get lastEventId() {
      return last
    },
  }
  client.subscribe(
    { query, extensions },
    {
      next(result) {
        last = (result.extensions as { eventId?: string } | undefined)?.eventId ?? last
        following.numbers.push((result.data as { ticked: { number: number } }).ticked.number)
      },
      error: () => {},
      complete: () => {},
    },
  )
  return following
}

export interface Listening {
  // biome-ignore lint/suspicious/noExplicitAny: events are compared, not used
  readonly events: any[]
  /** How it ended: with `complete`, or with an error. */
  readonly ended: () => unknown
  stop(): void
}

/** By server-sent events. It does not come back by itself. */
export function listen(url: string, operation: Operation, headers: Record<string, string> = {}): Listening {
  const client = createSseClient({ url, retryAttempts: 0, headers })
  const events: unknown[] = []
  let ended: unknown
  const stop = client.subscribe(
    { ...operation },
    {
      next: (result) => void events.push(result),
      error: (error) => {
        ended = error
      },
      complete: () => {
        ended ??= 'complete'
      },
    },
  )
  return { events, ended: () => ended, stop }
}

/** Opens a stream of server-sent events, and reads nothing of it. */
export function readNothing({ url }: LiveGateway, query: string): Socket {
  const socket = connectTo(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  const search = `query=${encodeURIComponent(query)}`
  socket.write(`GET /graphql?${search} HTTP/1.1\r\nhost: a\r\naccept: text/event-stream\r\n\r\n`)
  onTestFinished(() => void socket.destroy())
  return socket
}

/** What a response has brought when it is enough, or has ended; the rest is not read. */
export async function readUntil({ body }: Response, isEnough: (text: string) => boolean): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true })
    // Leaving the loop ends the response.
    if (isEnough(text)) break
  }
  return text
}

export interface RawSocket {
  readonly socket: Socket
  /** What came after the connection was upgraded. */
  received(): Buffer
  readonly closed: Promise<void>
}

/** A WebSocket that is open, whose bytes a test writes and sees. */
export async function openRaw({ url }: LiveGateway): Promise<RawSocket> {
  const { port, host } = new URL(url)
  const socket = connectTo(Number(port), '127.0.0.1').setNoDelay(true)
  onTestFinished(() => void socket.destroy())
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const key = randomBytes(16).toString('base64')
  socket.write(
    `GET /graphql HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n`,
  )
  const received = (): Buffer => Buffer.concat(chunks)
  await expect.poll(() => received().toString('latin1'), wait).toContain(' 101 ')
  chunks.length = 0
  return { socket, received, closed }
}
