/**
 * One connection in frames at the service: its documents, and the requests that are under way with their responses.
 */
import type { Socket } from 'node:net'
import type { Serving } from '../../../gateway/server/index.ts'
import type { FramedServiceOptions } from '../../../gateway/subgraph-service/index.ts'
import { tesseraError } from '../../../shared/errors.ts'
import type { JsonText } from '../../../shared/json/raw.ts'
import {
  type DocumentMessage,
  documentIn,
  FrameReader,
  type FrameType,
  FrameWriter,
  frameTypes,
  isSealed,
  mostDocuments,
  mostUnderWay,
  readSealed,
  requestIn,
  type Seal,
  slotOf,
} from '../format/index.ts'
import { FramedRequest, type RequestConnection } from './request.ts'

interface FramesConnectionOptions extends FramedServiceOptions {
  readonly socket: Socket
  readonly seal: Seal | undefined
  /** Whether new requests are refused. */
  readonly isRefusing: () => boolean
  readonly closed: (connection: FramesConnection) => void
}

/** While more than this waits for a gateway that reads too slowly, the connection is not read. */
const mostUnreadBytes = 1024 * 1024

/** How long closing waits for what is not written yet. */
const lastMs = 500

export class FramesConnection implements RequestConnection {
  readonly #options: FramesConnectionOptions
  readonly #socket: Socket
  readonly #reader: FrameReader
  readonly #writer: FrameWriter
  readonly #documents: (DocumentMessage | undefined)[] = []
  /** Requests by their slots. */
  readonly #requests: (FramedRequest | undefined)[] = Array.from({ length: mostUnderWay }, () => undefined)
  /** Requests with a long response that is not completely written, by their slots. */
  readonly #long = new Map<number, FramedRequest>()
  #active = 0
  #isGone = false
  #hasLeft = false
  /** When the incomplete frame began to arrive, and when the last request ended. */
  #arrivingSince: number | undefined
  #restingSince = performance.now()

  constructor(options: FramesConnectionOptions) {
    this.#options = options
    this.#socket = options.socket
    this.#reader = new FrameReader((type, exchange, frame) => this.#take(type, exchange, frame))
    this.#writer = new FrameWriter(options.socket)
  }

  /** `first` are the bytes that came with the upgrade. */
  begin(first: Buffer): void {
    const take = (chunk: Buffer): void => {
      if (!this.#reader.push(chunk)) this.#break()
      else if (this.#socket.writableLength > mostUnreadBytes) this.#socket.pause()
    }
    this.#socket.on('data', take)
    this.#socket.on('drain', () => {
      this.#writer.flush()
      this.#socket.resume()
    })
    this.#socket.on('end', () => this.#break())
    this.#socket.on('close', () => this.#break())
    if (first.length > 0) take(first)
  }

  /** Asks the gateway to send no more requests here. It closes the connection when it has the last response. */
  leave(): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    this.#writer.leave()
  }

  /** Closes the connection after the last write. */
  end(): void {
    this.#writer.flush()
    this.#socket.end()
    setTimeout(() => this.#socket.destroy(), lastMs).unref()
  }

  /** Closes the connection if a frame does not arrive in time, or if it has been idle too long. */
  look(now: number, { bodyTimeoutMs, keepAliveMs }: Serving['limits']): void {
    if (this.#reader.held > 0) {
      this.#arrivingSince ??= now
      if (now - this.#arrivingSince > bodyTimeoutMs) this.#break()
    }
    if (this.#active > 0 || now - this.#restingSince <= keepAliveMs) return
    if (this.#hasLeft && now - this.#restingSince > keepAliveMs + bodyTimeoutMs) this.#break()
    this.leave()
  }

  /** Sends a response, unless the gateway has stopped waiting for it. */
  respond(request: FramedRequest, status: number, head: string, body: JsonText): void {
    const slot = slotOf(request.exchange)
    if (this.#requests[slot] !== request) return
    this.#requests[slot] = undefined
    this.#ended()
    const isWhole = this.#writer.response(request.exchange, status, head, body, () => {
      this.#long.delete(slot)
      request.delivered()
    })
    if (!isWhole) this.#long.set(slot, request)
  }

  isWaiting(request: FramedRequest): boolean {
    return this.#requests[slotOf(request.exchange)] === request
  }

  #take(type: FrameType, exchange: number, frame: Buffer): void {
    // The next frame has its own time limit, however slowly its bytes arrive.
    this.#arrivingSince = undefined
    const { seal } = this.#options
    if (seal === undefined) this.#read(type, exchange, frame)
    else if (type !== frameTypes.sealed || !isSealed(frame, seal)) {
      this.#options.log.warn(
        { subgraph: this.#options.name },
        'a frame has a wrong seal: the connection is closed',
      )
      this.#break()
    } else if (!readSealed(frame, this.#readNext)) this.#break()
  }

  /** Returns false if the connection must be closed. */
  readonly #readNext = (type: FrameType, exchange: number, frame: Buffer): boolean => {
    this.#read(type, exchange, frame)
    return !this.#isGone
  }

  #read(type: FrameType, exchange: number, frame: Buffer): void {
    if (type === frameTypes.request) {
      const message = requestIn(frame)
      const document = message === undefined ? undefined : this.#documents[message.document]
      const slot = slotOf(exchange)
      const isTaken = this.#requests[slot] !== undefined || this.#long.has(slot)
      if (message === undefined || document === undefined || isTaken) this.#break()
      else this.#open(new FramedRequest(this, exchange, document, message, this.#options))
    } else if (type === frameTypes.document) {
      const document = documentIn(frame)
      if (document === undefined || exchange >= mostDocuments) this.#break()
      else this.#documents[exchange] = document
    } else if (type === frameTypes.cancel) this.#cancel(exchange)
    else this.#break()
  }

  #open(request: FramedRequest): void {
    const { gate, isRefusing, metrics, traffic } = this.#options
    this.#requests[slotOf(request.exchange)] = request
    this.#active += 1
    traffic.enter()
    if (isRefusing()) {
      metrics.refused('stopping')
      request.fail(503, tesseraError('SERVICE_STOPPING', 'This server is shutting down.'))
    } else gate.enter(request)
  }

  #cancel(exchange: number): void {
    const slot = slotOf(exchange)
    const request = this.#requests[slot]
    if (request?.exchange === exchange) {
      this.#requests[slot] = undefined
      this.#ended()
      request.cancel()
      request.delivered()
      return
    }
    const long = this.#long.get(slot)
    if (long?.exchange !== exchange) return
    this.#writer.drop(exchange)
    this.#long.delete(slot)
    long.delivered()
  }

  #ended(): void {
    this.#active -= 1
    if (this.#active === 0) this.#restingSince = performance.now()
  }

  #break(): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#reader.stop()
    this.#socket.destroy()
    for (const [slot, request] of this.#requests.entries()) {
      this.#requests[slot] = undefined
      request?.cancel()
      request?.delivered()
    }
    for (const request of this.#long.values()) request.delivered()
    this.#options.closed(this)
  }
}
