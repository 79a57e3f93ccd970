/** One connection in frames, at the service: its documents, the requests that are under way, and their answers. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { tesseraError } from '../../contract/errors.ts'
import {
  type DocumentMessage,
  documentIn,
  FrameReader,
  type FrameType,
  FrameWriter,
  frameTypes,
  headerIn,
  headersIn,
  isSealed,
  mostDocuments,
  mostUnderWay,
  type RequestMessage,
  readSealed,
  requestIn,
  type Seal,
  slotOf,
} from '../../contract/frames/index.ts'
import { jsonText } from '../../contract/json/byte-string.ts'
import type { JsonText } from '../../contract/json/raw.ts'
import type { GatewayRequest } from '../engine/request.ts'
import { maskError } from '../http/mask.ts'
import { busyResponse, type Gate } from '../http/overload/index.ts'
import { bytesIn, jsonType } from '../http/serve/body.ts'
import type { ConnectionLimits } from '../http/serve/connections.ts'
import type { Traffic } from '../http/serve/traffic.ts'
import { type Logger, traceField } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics/index.ts'
import type { Admission, AdmittedOperation } from './admission.ts'
import { type ArrivedOperation, type GraphqlRequests, traceIdIn } from './graphql.ts'

export interface FramesServiceOptions {
  /** The name of the subgraph. */
  readonly name: string
  readonly secret: string | undefined
  readonly admission: Admission
  readonly graphql: GraphqlRequests
  readonly gate: Gate
  readonly traffic: Traffic
  readonly limits: ConnectionLimits
  readonly maxBodyBytes: number
  readonly metrics: Metrics
  readonly log: Logger
}

export interface FramesConnectionOptions extends FramesServiceOptions {
  readonly socket: Socket
  readonly seal: Seal | undefined
  /** Whether new requests are refused. */
  readonly isRefusing: () => boolean
  readonly closed: (connection: FramesConnection) => void
}

/** What gateways of ours ask for. */
const answerType = 'application/graphql-response+json'
const headOf = (contentType: string): string => `content-type:${contentType}\n`
const usualType = `${answerType}; charset=utf-8`
const usualHead = headOf(usualType)

/** While more than this waits for a gateway that reads too slowly, nothing is read of it that would bring more. */
const mostUnreadBytes = 1024 * 1024

/** How long the end waits for what is still to be written. */
const lastMs = 500

export class FramesConnection {
  readonly #options: FramesConnectionOptions
  readonly #socket: Socket
  readonly #reader: FrameReader
  readonly #writer: FrameWriter
  readonly #documents: (DocumentMessage | undefined)[] = []
  /** By their slots. */
  readonly #requests: (FramedRequest | undefined)[] = Array.from({ length: mostUnderWay }, () => undefined)
  /** Of which not all was written yet, by their slots. */
  readonly #long = new Map<number, FramedRequest>()
  #active = 0
  #isGone = false
  #hasLeft = false
  /** When a frame began to arrive that is not whole yet, and when the last request ended. */
  #arrivingSince: number | undefined
  #restingSince = performance.now()

  constructor(options: FramesConnectionOptions) {
    this.#options = options
    this.#socket = options.socket
    this.#reader = new FrameReader((type, exchange, frame) => this.#take(type, exchange, frame))
    this.#writer = new FrameWriter(options.socket)
  }

  /** `first`: what came with the upgrade. */
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

  /** Asks the gateway to open no request here any more. It closes the connection when its last one is answered. */
  leave(): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    this.#writer.leave()
  }

  /** Ends it, after what was written. */
  end(): void {
    this.#writer.flush()
    this.#socket.end()
    setTimeout(() => this.#socket.destroy(), lastMs).unref()
  }

  /** Closes it where a frame does not arrive in time, or where it has not been used for long. */
  look(now: number, { bodyTimeoutMs, keepAliveMs }: ConnectionLimits): void {
    if (this.#reader.held > 0) {
      this.#arrivingSince ??= now
      if (now - this.#arrivingSince > bodyTimeoutMs) this.#break()
    }
    if (this.#active > 0 || now - this.#restingSince <= keepAliveMs) return
    if (this.#hasLeft && now - this.#restingSince > keepAliveMs + bodyTimeoutMs) this.#break()
    this.leave()
  }

  /** Sends an answer, unless the gateway does not wait for it any more. */
  respond(request: FramedRequest, status: number, head: string, body: JsonText): void {
    const slot = slotOf(request.exchange)
    if (this.#requests[slot] !== request) return
    this.#requests[slot] = undefined
    this.#ended()
    const isWhole = this.#writer.response(request.exchange, status, head, body, bytesIn(body), () => {
      this.#long.delete(slot)
      request.delivered()
    })
    if (!isWhole) this.#long.set(slot, request)
  }

  isWaiting(request: FramedRequest): boolean {
    return this.#requests[slotOf(request.exchange)] === request
  }

  #take(type: FrameType, exchange: number, frame: Buffer): void {
    // The next one has its own time, however slowly its bytes come.
    this.#arrivingSince = undefined
    const { seal } = this.#options
    if (seal === undefined) this.#read(type, exchange, frame)
    else if (type !== frameTypes.sealed || !isSealed(frame, seal)) {
      this.#options.log.warn({ subgraph: this.#options.name }, 'a frame without its seal: connection closed')
      this.#break()
    } else if (!readSealed(frame, this.#readNext)) this.#break()
  }

  /** False where the connection is of no use any more. */
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

/** What is no JSON is refused like any other wrong variables. */
function variablesIn({ variables }: RequestMessage): unknown {
  try {
    return JSON.parse(variables)
  } catch {
    return variables
  }
}

/** A request that came in a frame. It waits at the gate like those that came by HTTP. */
class FramedRequest implements ArrivedOperation {
  readonly exchange: number
  readonly type = answerType
  readonly #connection: FramesConnection
  readonly #document: DocumentMessage
  readonly #message: RequestMessage
  readonly #options: FramesConnectionOptions
  #operation: AdmittedOperation | undefined
  #request: GatewayRequest | undefined
  #isDelivered = false

  constructor(
    connection: FramesConnection,
    exchange: number,
    document: DocumentMessage,
    message: RequestMessage,
    options: FramesConnectionOptions,
  ) {
    this.#connection = connection
    this.exchange = exchange
    this.#document = document
    this.#message = message
    this.#options = options
  }

  get operation(): AdmittedOperation {
    if (this.#operation === undefined) {
      const { text: query, name: operationName } = this.#document
      const variables = variablesIn(this.#message)
      const json = operationName === undefined ? { query, variables } : { query, operationName, variables }
      this.#operation = { method: 'POST', search: '', json }
    }
    return this.#operation
  }

  get headers(): IncomingHttpHeaders {
    return { 'content-type': 'application/json', accept: answerType, ...headersIn(this.#message.head) }
  }

  header(name: string): string | undefined {
    return headerIn(this.#message.head, name)
  }

  body(): Buffer {
    return Buffer.from(this.#document.text + this.#message.variables)
  }

  follow(request: GatewayRequest): void {
    this.#request = request
    if (!this.#connection.isWaiting(this)) request.cancel()
  }

  isGone(): boolean {
    return !this.#connection.isWaiting(this)
  }

  begin(): void {
    const { gate, graphql, log, maxBodyBytes, name } = this.#options
    if (this.#document.text.length + this.#message.variables.length > maxBodyBytes) {
      gate.ended()
      const message = `The request body is larger than ${maxBodyBytes} bytes.`
      this.fail(413, tesseraError('REQUEST_TOO_LARGE', message))
      return
    }
    graphql.answer(this).then(
      ({ status, contentType, body }) => {
        gate.ended()
        const head = contentType === usualType ? usualHead : headOf(contentType)
        this.#connection.respond(this, status, head, body)
      },
      (error: unknown) => {
        gate.ended()
        const traceId = traceIdIn(this.header('traceparent'))
        log.error({ ...traceField(traceId), err: error }, 'the subgraph service failed')
        this.fail(500, maskError(error, name, log, traceId))
      },
    )
  }

  refuse(): void {
    const { status, head, body } = busyResponse()
    let text = headOf(jsonType)
    for (let at = 0; at + 1 < head.length; at += 2) text += `${head[at]}:${head[at + 1]}\n`
    this.#connection.respond(this, status, text, body)
  }

  fail(status: number, error: object): void {
    this.#connection.respond(this, status, headOf(jsonType), jsonText({ errors: [error] }))
  }

  cancel(): void {
    this.#request?.cancel()
  }

  /** Nothing of its answer is left to write, or it is not waited for. */
  delivered(): void {
    if (this.#isDelivered) return
    this.#isDelivered = true
    this.#options.traffic.exit()
  }
}
