/** One connection, whose bytes come here or go to `node:http`. */
import type { Socket } from 'node:net'
import type { Gate } from '../../../shedding/index.ts'
import { isGone } from '../../delivery.ts'
import type { Traffic } from '../../traffic.ts'
import { type AnswerOptions, type Carrier, Exchange } from './exchange.ts'
import type { WholeRequests } from './whole-request.ts'

export interface ReadOptions extends AnswerOptions {
  readonly gate: Gate
  readonly traffic: Traffic
  readonly wholeRequests: WholeRequests
  /** Whether requests are answered here. */
  isOn(): boolean
}

/** A client that does not send its requests in the plainest form, or not at once, is not expected to. */
const mostHandedOn = 3

/** What `node:http` leaves on a socket. */
interface HttpSocket extends Socket {
  /** Its own `finish` says that a message is not at its end, and changes nothing between two. */
  readonly parser?: { readonly finish?: () => Error | undefined } | null
  /** The response that is written. */
  readonly _httpMessage?: object | null
}

type Listener = (bytes: Buffer) => void

/** One connection, whose bytes come here or to `node:http`. One request at a time is answered. */
export class Connection implements Carrier {
  readonly socket: HttpSocket
  readonly #options: ReadOptions
  /** The listener of `node:http`, while bytes come here. */
  #http: Listener | undefined
  #exchange: Exchange | undefined
  /** How often in a row what came was handed on. */
  #handedOn = 0

  constructor(socket: Socket, options: ReadOptions) {
    this.socket = socket
    this.#options = options
    socket.once('close', () => this.#exchange?.closed())
  }

  get isBusy(): boolean {
    return this.#exchange !== undefined
  }

  watch(): void {
    const { socket } = this
    if (this.#http !== undefined || isGone(socket) || socket.isPaused()) return
    if (this.#handedOn === mostHandedOn || !isBetweenRequests(socket)) return
    const [http, other] = socket.listeners('data')
    if (http === undefined || other !== undefined) return
    this.#http = http as Listener
    // In this order: a socket without a listener is not read.
    socket.on('data', this.#read)
    socket.off('data', this.#http)
  }

  /** Hands these bytes to `node:http`, and all that come after them. */
  #handOn(bytes: Buffer): void {
    const { socket } = this
    const http = this.#http as Listener
    this.#http = undefined
    this.#handedOn += 1
    socket.on('data', http)
    socket.off('data', this.#read)
    http.call(socket, bytes)
  }

  readonly #read = (bytes: Buffer): void => {
    const { socket } = this
    const { gate, traffic, wholeRequests, isOn } = this.#options
    if (this.#exchange !== undefined) {
      // It did not wait for its response. This is read when that has left.
      socket.pause()
      socket.unshift(bytes)
      return
    }
    // For a client that does not read its responses `node:http` waits.
    const request = isOn() && !socket.writableNeedDrain ? wholeRequests.read(bytes, socket) : undefined
    if (request === undefined) {
      this.#handOn(bytes)
      return
    }
    this.#handedOn = 0
    const exchange = new Exchange(this, request, this.#options)
    this.#exchange = exchange
    traffic.enter()
    if (gate.opens()) exchange.begin()
    else gate.wait(exchange)
  }

  /** Its request has been answered, or will not be: what came after it is read. */
  over(): void {
    this.#exchange = undefined
    this.#options.traffic.exit()
    if (this.socket.isPaused()) this.socket.resume()
  }
}

/** Whether every request that has come was answered, and nothing of another one has come. */
function isBetweenRequests({ parser, _httpMessage: response }: HttpSocket): boolean {
  return response === null && typeof parser?.finish === 'function' && parser.finish() === undefined
}
