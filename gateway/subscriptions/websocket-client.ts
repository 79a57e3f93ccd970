/**
 * One connection of `graphql-transport-ws`, as the library of the protocol takes it: its messages, the headers in them, the
 * operations that are beginning on it, and how it ends.
 */
import type { IncomingMessage } from 'node:http'
import { CloseCode, type WebSocket as ProtocolSocket } from 'graphql-ws'
import type { WebSocket } from 'ws'
import type { GatewayRequest } from '../../engine/request.ts'
import { parseWhole } from '../../shared/json/exact-number.ts'
import { parsedJson } from '../../shared/json/parse-json.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Caller, Connection } from './index.ts'
import { type Restarting, restart, send } from './websocket-results.ts'

/** A connection, as the library passes it to our functions. */
export interface Extra extends Connection, Restarting {
  readonly request: UpgradeRequest
  readonly id: string
  caller: Caller | undefined
  /** Operations that are beginning, also those that the client has ended meanwhile. The library forgets these. */
  beginning: number
  /** The client's operations that are beginning, or whose one result is not sent yet, by their ids. */
  beginnings: Map<string, Beginning> | undefined
}

export interface Beginning {
  /** Its request, once it runs. */
  request: GatewayRequest | undefined
  /** Whether its result has been handed to the library. */
  isMade: boolean
}

/** The result is sent, or nobody waits for it. The last one lets a connection end whose client is to reconnect. */
export function forgetBeginning(extra: Extra, id: string): void {
  extra.beginnings?.delete(id)
  if (extra.beginnings?.size !== 0) return
  extra.beginnings = undefined
  if (extra.isRestarting) restart(extra)
}

/** The library keeps this until the operation ends, which may be days for a subscription. */
type Handle = (message: string) => Promise<void>

export interface ClientHost {
  /** Hands a connection to the library; the function is to be called when it is closed. */
  readonly opened: (client: Client) => Client['closed']
  readonly pong: (extra: Extra, payload: Record<string, unknown> | undefined) => Promise<object | undefined>
  readonly isFull: (socket: WebSocket) => boolean
  readonly parse: typeof parseWhole | undefined
  readonly log: Logger
}

/** A connection as the library expects it. What is called for each of them is in common. */
export class Client implements ProtocolSocket {
  /** Whether the client has answered since the last check. */
  isAlive = true
  readonly extra: Extra
  handle: Handle | undefined
  readonly #host: ClientHost
  readonly closed: (code: number, reason: string) => Promise<void>

  constructor(extra: Extra, host: ClientHost) {
    this.extra = extra
    this.#host = host
    this.closed = host.opened(this)
  }

  get protocol(): string {
    return this.extra.socket.protocol
  }

  send(text: string): Promise<void> {
    return send(this.extra.socket, text)
  }

  close(code: number | undefined, reason: string | undefined): void {
    this.extra.socket.close(code, reason)
  }

  onMessage(handle: Handle): void {
    this.handle = handle
  }

  async onPing(payload: Record<string, unknown> | undefined): Promise<void> {
    const answer = await this.#host.pong(this.extra, payload)
    await this.send(JSON.stringify({ type: 'pong', ...(answer === undefined ? {} : { payload: answer }) }))
  }

  take(text: string): void {
    this.isAlive = true
    if (this.#host.isFull(this.extra.socket)) return
    const message = messageOf(text, this.#host.parse)
    this.#cancelCompleted(message)
    this.#follow(this.handle?.(message), (message as { readonly id?: unknown }).id)
  }

  /** The library keeps this until the operation ends, so it must not refer to the message. */
  #follow(handled: Promise<void> | undefined, id: unknown): void {
    handled?.then(
      () => this.#handled(id),
      (error: unknown) => this.#failed(error),
    )
  }

  #handled(id: unknown): void {
    if (typeof id === 'string' && this.extra.beginnings?.get(id)?.isMade === true)
      forgetBeginning(this.extra, id)
  }

  /** Ends an operation that is beginning. The library knows of no request of it. */
  #cancelCompleted(message: unknown): void {
    const { beginnings } = this.extra
    if (beginnings === undefined) return
    const { type, id } = message as { readonly type?: unknown; readonly id?: unknown }
    if (type !== 'complete' || typeof id !== 'string') return
    beginnings.get(id)?.request?.cancel()
    forgetBeginning(this.extra, id)
  }

  #failed(error: unknown): void {
    const { socket, id } = this.extra
    if (isOfServers(error)) {
      socket.close(CloseCode.BadRequest, 'Invalid message received')
      return
    }
    this.#host.log.error({ request: id, err: error }, 'a message over a WebSocket failed')
    socket.close(CloseCode.InternalServerError, 'Internal server error')
  }
}

/**
 * What the text of a message says. The library takes it as well as the text, which it would hold, though its types do not
 * say so. It refuses text that is not JSON.
 */
function messageOf(text: string, parse = parseWhole): string {
  const message = parsedJson(text, parse)
  return typeof message === 'object' && message !== null ? (message as unknown as string) : text
}

/** Whether the client sent a message that only servers send. The library reports it as a server's fault. */
const isOfServers = (error: unknown): boolean =>
  error instanceof Error && /^Unexpected message of type \w+ received$/.test(error.message)

/** The parts of the opening request that are still needed. The rest would take a kilobyte for each connection. */
export interface UpgradeRequest extends Pick<IncomingMessage, 'headers' | 'method' | 'url' | 'socket'> {
  readonly address: string | undefined
}

/** Longer messages of `connection_init` and pings are not read. */
const longestHeader = 16_384

/** Headers in a payload, or in its `headers`, by their lower-case names. */
export function headersIn(
  payload: Readonly<Record<string, unknown>> | undefined,
  allowed: readonly string[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const nested = payload?.headers
  const sources = [payload, typeof nested === 'object' && nested !== null ? nested : undefined]
  for (const source of sources) {
    for (const [key, value] of Object.entries(source ?? {})) {
      const name = key.toLowerCase()
      if (typeof value === 'string' && value.length <= longestHeader && allowed.includes(name))
        found.set(name, value)
    }
  }
  return found
}
