/**
 * Refuses requests before `node:http` reads them. The plain way is to refuse them in its handler (`../../graphql.ts`),
 * where most of what a refusal costs is the request and the response that `node:http` makes. Without them a refusal took
 * 13 µs of CPU time in place of 21, and with eight times the load that can be answered 14 % more was answered, with three
 * times 2 % (November 2026). `TESSERA_PLAIN=early-refusal npm run bench -- --overload --only tessera`.
 *
 * Where a response has left while the gate sheds, what is read next of its connection comes here. A request that comes
 * whole and in the plainest form (`whole-request.ts`) waits at the gate as its bytes, which are handed to `node:http`
 * where it begins; else it is answered with the refusal. Everything else is handed on as it came, and so is all that
 * follows, until another response has left.
 *
 * Only where `node:http` is between two requests can that begin: part of a body must not be taken for a request. Node
 * has no public way to ask for it; where the one that is used here is missing, `node:http` reads everything as before.
 */
import type { Socket } from 'node:net'
import { runsPlainly } from '../../../../../contract/hot/switch.ts'
import { busyResponse, type Gate, type Waiting } from '../../../shedding/index.ts'
import { bytesIn, jsonType } from '../../body.ts'
import { type Ending, isGone } from '../../delivery.ts'
import type { Traffic } from '../../traffic.ts'
import { createReadWhole, type ReadWhole, type WholeRequest } from './whole-request.ts'

export interface EarlyRefusalOptions {
  readonly gate: Gate
  readonly traffic: Traffic
  /** Of the requests that the gate lets through. */
  readonly paths: readonly string[]
  /** The longest body of a request. */
  readonly maxBodyBytes: number
  /** How long a connection without a request is kept. */
  readonly keepAliveMs: number
  rank(body: Buffer): number
  /** Names and values of the headers that a refusal has beside its own. `id`: the value of `x-request-id`. */
  headOf(id: string | undefined): readonly string[]
}

/** To be told when a response has left. */
export interface EarlyRefusals extends Ending {
  /** Whether the request that `node:http` hands over right now was let through by the gate already; it says so once. */
  takeBegun(): boolean
  /** From now on `node:http` reads everything. */
  stop(): void
}

/** As in `body.ts`: longer bodies are counted while they arrive. */
const mostBodyBytes = 16 * 1024

export function createEarlyRefusals(options: EarlyRefusalOptions): EarlyRefusals {
  const { gate, traffic, paths, maxBodyBytes } = options
  const readWhole = createReadWhole(paths, Math.min(mostBodyBytes, maxBodyBytes))
  const known = new WeakMap<Socket, Connection>()
  let isOff = runsPlainly('early-refusal')
  let begun = false
  const shared: Shared = {
    ...{ gate, traffic, readWhole },
    rank: options.rank,
    refusalOf: createRefusals(options),
    sheds: () => gate.sheds && !isOff,
    begin(handOn) {
      begun = true
      handOn()
      // Nobody took it: nothing will end what the gate has let through.
      if (begun) gate.ended()
      begun = false
    },
  }
  return {
    ended(_whole, socket) {
      if (!shared.sheds()) return
      let connection = known.get(socket)
      if (connection === undefined) {
        connection = new Connection(socket, shared)
        known.set(socket, connection)
      }
      connection.watch()
    },
    takeBegun() {
      const was = begun
      begun = false
      return was
    },
    stop() {
      isOff = true
    },
  }
}

interface Shared {
  readonly gate: Gate
  readonly traffic: Traffic
  readonly readWhole: ReadWhole
  rank(body: Buffer): number
  refusalOf(id: string | undefined): string
  /** Whether requests are refused, and here. */
  sheds(): boolean
  begin(handOn: () => void): void
}

/** What `node:http` leaves on a socket. */
interface HttpSocket extends Socket {
  /** Its own `finish` says that a message is not at its end, and changes nothing between two. */
  readonly parser?: { readonly finish?: () => Error | undefined } | null
  /** The response that is written. */
  readonly _httpMessage?: object | null
}

type Listener = (bytes: Buffer) => void

/** One connection, whose bytes come here or to `node:http`. One request at a time waits at the gate. */
class Connection implements Waiting {
  readonly #socket: HttpSocket
  readonly #shared: Shared
  /** The listener of `node:http`, while bytes come here. */
  #http: Listener | undefined
  /** The request that waits, and its bytes. */
  #request: WholeRequest | undefined
  #bytes = noBytes

  constructor(socket: Socket, shared: Shared) {
    this.#socket = socket
    this.#shared = shared
  }

  watch(): void {
    const socket = this.#socket
    if (this.#http !== undefined || isGone(socket) || socket.isPaused()) return
    if (!isBetweenRequests(socket)) return
    const [http, other] = socket.listeners('data')
    if (http === undefined || other !== undefined) return
    this.#http = http as Listener
    // In this order: a socket without a listener is not read.
    socket.on('data', this.#read)
    socket.off('data', this.#http)
  }

  /** Hands these bytes to `node:http`, and all that come after them. */
  #handOn(bytes: Buffer): void {
    const socket = this.#socket
    const http = this.#http as Listener
    this.#http = undefined
    socket.on('data', http)
    socket.off('data', this.#read)
    http.call(socket, bytes)
  }

  readonly #read = (bytes: Buffer): void => {
    const socket = this.#socket
    const { gate, traffic, readWhole, sheds } = this.#shared
    if (this.#request !== undefined) {
      // It did not wait for its response. This is read when it is known what becomes of the request.
      socket.pause()
      socket.unshift(bytes)
      return
    }
    // For a client that does not read its responses `node:http` waits.
    const request = sheds() && !socket.writableNeedDrain ? readWhole(bytes) : undefined
    if (request === undefined) {
      this.#handOn(bytes)
      return
    }
    this.#request = request
    this.#bytes = bytes
    traffic.enter()
    gate.wait(this)
  }

  rank(): number {
    return this.#shared.rank(this.#request?.body ?? noBytes)
  }

  isGone(): boolean {
    return isGone(this.#socket)
  }

  begin(): void {
    const bytes = this.#bytes
    this.#goOn()
    this.#shared.begin(() => this.#handOn(bytes))
    this.#shared.traffic.exit()
  }

  refuse(): void {
    const socket = this.#socket
    if (!isGone(socket)) socket.write(this.#shared.refusalOf(this.#request?.id), 'latin1')
    this.#goOn()
    this.#shared.traffic.exit()
  }

  /** It waits no longer: what came after it is read. */
  #goOn(): void {
    this.#request = undefined
    this.#bytes = noBytes
    if (this.#socket.isPaused()) this.#socket.resume()
  }
}

const noBytes: Buffer = Buffer.alloc(0)

/** Whether every request that has come was answered, and nothing of another one has come. */
function isBetweenRequests({ parser, _httpMessage: response }: HttpSocket): boolean {
  return response === null && typeof parser?.finish === 'function' && parser.finish() === undefined
}

/** The refusal as it is written. Its headers are those of `sendBusy`, and what `node:http` adds to them. */
function createRefusals({ headOf, keepAliveMs }: EarlyRefusalOptions): (id: string | undefined) => string {
  const kept = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}`
  return (id) => {
    const { head: own, body } = busyResponse()
    const head = [...headOf(id), 'content-type', jsonType, ...own, 'content-length', String(bytesIn(body))]
    let text = 'HTTP/1.1 503 Service Unavailable\r\n'
    for (let at = 0; at < head.length; at += 2) text += `${head[at]}: ${head[at + 1]}\r\n`
    return `${text}Date: ${dateOfNow()}\r\n${kept}\r\n\r\n${body}`
  }
}

let date = ''
/** In milliseconds: until then it is this date. */
let dateUntil = 0

function dateOfNow(): string {
  const now = Date.now()
  if (now >= dateUntil || now < dateUntil - 1000) {
    dateUntil = now - (now % 1000) + 1000
    date = new Date(now).toUTCString()
  }
  return date
}
