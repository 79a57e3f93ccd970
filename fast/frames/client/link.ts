/**
 * One connection in frames. It never throws: a request that cannot be sent on it is declined, and sent by HTTP. If
 * the connection breaks, its requests fail like those of a broken HTTP connection.
 *
 * A request that has timed out is cancelled at the service. If nothing at all has arrived since it was sent, the
 * connection may be dead, so it gets no new requests.
 */
import type { Socket } from 'node:net'
import type { GatewayRequest } from '../../../engine/request.ts'
import type { FramedDocument, FramedLink } from '../../../engine/subgraphs/index.ts'
import type { CancelReason } from '../../../shared/http/cancellation.ts'
import type { HttpResult } from '../../../shared/http/dispatch-request.ts'
import type { StallDetector } from '../../../shared/http/stall-detector.ts'
import {
  FrameReader,
  type FrameType,
  FrameWriter,
  frameTypes,
  headText,
  mostDocuments,
  mostUnderWay,
  responseIn,
  type Seal,
  slotOf,
} from '../format/index.ts'
import { type CallOwner, FramedCall } from './call.ts'

interface LinkOptions {
  readonly socket: Socket
  readonly first: Buffer
  readonly seal: Seal | undefined
  readonly instance: string | undefined
  readonly maxBytes: number
  /** Called when the connection accepts no more requests. */
  readonly retired: (link: Link) => void
  readonly closed?: ((link: Link) => void) | undefined
}

/** If more than this waits for a service that reads too slowly, requests go by HTTP. */
const mostUnreadBytes = 1024 * 1024
/** After this many exchanges a connection is replaced. */
const mostExchanges = 2 ** 31

export class Link implements CallOwner, FramedLink {
  readonly instance: string | undefined
  readonly since = performance.now()
  readonly #socket: Socket
  readonly #writer: FrameWriter
  readonly #reader: FrameReader
  readonly #maxBytes: number
  readonly #retired: (link: Link) => void
  /** Calls by their slots. */
  readonly #calls: (FramedCall | undefined)[] = Array.from({ length: mostUnderWay }, () => undefined)
  /** The next exchange number of each free slot. */
  readonly #free: number[] = Array.from({ length: mostUnderWay }, (_, at) => mostUnderWay - at)
  readonly #numbers = new Map<FramedDocument, number>()
  readonly #documents: (FramedDocument | undefined)[] = []
  #documentCount = 0
  #isRetired = false
  #isGone = false
  /** How often something has arrived. */
  #heard = 0
  /** When the last request ended. */
  restingSince = performance.now()

  constructor({ socket, first, seal, instance, maxBytes, retired, closed }: LinkOptions) {
    this.instance = instance
    this.#socket = socket
    this.#maxBytes = maxBytes
    this.#retired = retired
    this.#writer = new FrameWriter(socket, seal)
    this.#reader = new FrameReader(
      (type, exchange, frame) => this.#take(type, exchange, frame),
      (exchange, bytes) => {
        const call = this.#callOf(exchange)
        if (call !== undefined) this.#takePart(call, bytes)
      },
    )
    const take = (chunk: Buffer): void => {
      this.#heard += 1
      if (!this.#reader.push(chunk)) this.#break(new Error('the service sent something other than a frame'))
    }
    socket.on('data', take)
    socket.on('drain', () => this.#writer.flush())
    socket.on('error', (error) => this.#break(error))
    socket.on('end', () => this.#break(new Error('the subgraph closed the connection')))
    socket.on('close', () => {
      this.#break(new Error('the connection was closed'))
      closed?.(this)
    })
    if (first.length > 0) take(first)
  }

  get active(): number {
    return mostUnderWay - this.#free.length
  }

  get isOpen(): boolean {
    return !this.#isRetired && this.#free.length > 0 && this.#socket.writable && !this.isBlocked
  }

  /** Whether the service reads too slowly to get more. */
  get isBlocked(): boolean {
    return this.#socket.writableLength > mostUnreadBytes
  }

  /** Undefined if the request cannot be sent here. */
  exchange(
    document: FramedDocument,
    variables: string,
    headers: Readonly<Record<string, string>>,
    request: GatewayRequest,
    deadline: number,
  ): Promise<HttpResult> | undefined {
    if (!this.isOpen || request.cancelled) return undefined
    const head = headText(headers)
    const number = head === undefined ? undefined : this.#numberOf(document)
    if (head === undefined || number === undefined) return undefined
    const exchange = this.#free.pop()
    if (exchange === undefined) return undefined
    if (!this.#writer.request(exchange, number, head, variables)) {
      this.#free.push(exchange)
      return undefined
    }
    const heard = this.#heard
    const cancelling = { owner: this, cancellation: request, deadline, maxBytes: this.#maxBytes, heard }
    return new Promise((resolve) => {
      const call = new FramedCall(exchange, cancelling, resolve)
      this.#calls[slotOf(exchange)] = call
      if (call.ended) this.#over(call)
    })
  }

  givenUp(call: FramedCall, why: CancelReason | 'too-large'): void {
    this.#writer.cancel(call.exchange)
    this.#over(call)
    if (why === 'timeout' && this.#heard === call.heard) this.retire()
  }

  /** Accepts no more requests, and closes when the last one has ended. */
  retire(): void {
    if (this.#isRetired) return
    this.#isRetired = true
    this.#retired(this)
    if (this.active === 0) this.#end()
  }

  /** Closes the connection if the service has stopped reading. Returns whether it did. */
  cutIfStalled(writes: StallDetector, now: number): boolean {
    if (!writes.isStalled(this.#socket, now)) return false
    this.#break(new Error('the subgraph does not read its connection'))
    // Its last request has ended, and all that was left to do was writing.
    this.#socket.destroy()
    return true
  }

  destroy(): void {
    this.#break(new Error('the transport was closed'))
  }

  #numberOf(document: FramedDocument): number | undefined {
    const known = this.#numbers.get(document)
    if (known !== undefined) return known
    const number = this.#documentCount % mostDocuments
    if (!this.#writer.document(number, document.name, document.text)) return undefined
    this.#documentCount += 1
    const before = this.#documents[number]
    if (before !== undefined) this.#numbers.delete(before)
    this.#documents[number] = document
    this.#numbers.set(document, number)
    return number
  }

  #take(type: FrameType, exchange: number, frame: Buffer): void {
    if (type === frameTypes.leave) {
      this.retire()
      return
    }
    if (type !== frameTypes.response) {
      this.#break(new Error('the service sent a frame of the wrong type'))
      return
    }
    const call = this.#callOf(exchange)
    if (call === undefined) return
    const response = responseIn(frame)
    if (response === undefined || !call.begin(response.status, response.head, response.length)) {
      this.#break(new Error('the service sent an unreadable response'))
      return
    }
    this.#takePart(call, response.part)
  }

  /** The call of an exchange; undefined if it was given up. */
  #callOf(exchange: number): FramedCall | undefined {
    const call = this.#calls[slotOf(exchange)]
    return call?.exchange === exchange ? call : undefined
  }

  #takePart(call: FramedCall, bytes: Buffer): void {
    const whole = call.part(bytes)
    if (whole === undefined) this.#break(new Error('the response is longer than announced'))
    else if (whole) this.#over(call)
  }

  #over(call: FramedCall): void {
    const slot = slotOf(call.exchange)
    if (this.#calls[slot] !== call) return
    this.#calls[slot] = undefined
    const next = call.exchange + mostUnderWay
    this.#free.push(next)
    if (this.active === 0) this.restingSince = performance.now()
    if (next >= mostExchanges) this.retire()
    if (this.#isRetired && this.active === 0) this.#end()
  }

  #end(): void {
    if (this.#isGone) return
    this.#writer.flush()
    // Nothing more is expected of the service, so it need not close its side.
    this.#socket.destroySoon()
    this.#socket.unref()
  }

  #break(cause: Error): void {
    if (this.#isGone) return
    this.#isGone = true
    const unfinished = this.#reader.unfinished
    this.#reader.stop()
    this.#socket.destroy()
    this.retire()
    for (const call of this.#calls) {
      if (call === undefined) continue
      this.#calls[slotOf(call.exchange)] = undefined
      call.lose(cause, call.exchange === unfinished)
    }
  }
}
