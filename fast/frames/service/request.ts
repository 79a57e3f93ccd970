/**
 * A request that came in a frame. It waits in the same queue as HTTP requests, and goes through the same pipeline.
 */

import { bodyOf } from '../../../gateway/graphql-http/graphql-over-http.ts'
import { paramsFrom } from '../../../gateway/graphql-http/negotiation.ts'
import { busyRefusal, type GatedRequest } from '../../../gateway/overload/index.ts'
import { jsonForm, OperationContext } from '../../../gateway/pipeline/index.ts'
import type { OperationParams } from '../../../gateway/pipeline/operation-request.ts'
import { jsonType } from '../../../gateway/server/index.ts'
import type { FramedServiceOptions } from '../../../gateway/subgraph-service/index.ts'
import { tesseraError } from '../../../shared/errors.ts'
import { onErrorHeader } from '../../../shared/graphql/error-behavior.ts'
import { jsonText } from '../../../shared/json/byte-string.ts'
import type { JsonText } from '../../../shared/json/raw.ts'
import { type DocumentMessage, headerIn, type RequestMessage } from '../format/index.ts'

export interface RequestConnection {
  /** Sends a response, unless the gateway has stopped waiting for it. */
  respond(request: FramedRequest, status: number, head: string, body: JsonText): void
  isWaiting(request: FramedRequest): boolean
}

/** The media type for which our own gateway asks. */
const answerType = 'application/graphql-response+json'
const headOf = (contentType: string): string => `content-type:${contentType}\n`
const answerHead = headOf(`${answerType}; charset=utf-8`)

export class FramedRequest implements GatedRequest {
  readonly exchange: number
  readonly #connection: RequestConnection
  readonly #document: DocumentMessage
  readonly #message: RequestMessage
  readonly #options: FramedServiceOptions
  #running: OperationContext<JsonText> | undefined
  #isDelivered = false

  constructor(
    connection: RequestConnection,
    exchange: number,
    document: DocumentMessage,
    message: RequestMessage,
    options: FramedServiceOptions,
  ) {
    this.#connection = connection
    this.exchange = exchange
    this.#document = document
    this.#message = message
    this.#options = options
  }

  isGone(): boolean {
    return !this.#connection.isWaiting(this)
  }

  begin(): void {
    const { gate, maxBodyBytes, name, pipeline } = this.#options
    const { head, variables } = this.#message
    const { text } = this.#document
    if (text.length + variables.length > maxBodyBytes) {
      gate.ended()
      const message = `The request body is larger than ${maxBodyBytes} bytes.`
      this.fail(413, tesseraError('REQUEST_TOO_LARGE', message))
      return
    }
    const header = (key: string): string | undefined => headerIn(head, key)
    const context = new OperationContext<JsonText>({
      id: header('x-request-id') ?? name,
      method: 'POST',
      header,
      body: () => Buffer.from(text + variables),
      params: () => this.#params(),
      queriesOnly: false,
      mediaType: answerType,
      form: jsonForm,
    })
    this.#running = context
    if (this.isGone()) context.cancel()
    void pipeline(context).then(({ status, result }) => {
      gate.ended()
      this.#connection.respond(this, status, answerHead, bodyOf(result))
    })
  }

  refuse(): void {
    const { status, head, body } = busyRefusal()
    let text = headOf(jsonType)
    for (let at = 0; at + 1 < head.length; at += 2) text += `${head[at]}:${head[at + 1]}\n`
    this.#connection.respond(this, status, text, body)
  }

  fail(status: number, error: object): void {
    this.#connection.respond(this, status, headOf(jsonType), jsonText({ errors: [error] }))
  }

  cancel(): void {
    this.#running?.cancel()
  }

  /** The response is completely written, or nobody waits for it. */
  delivered(): void {
    if (this.#isDelivered) return
    this.#isDelivered = true
    this.#options.traffic.exit()
  }

  /** Variables that are no JSON are refused like other wrong variables. */
  #params(): OperationParams {
    const { text: query, name: operationName } = this.#document
    let variables: unknown = this.#message.variables
    try {
      variables = JSON.parse(this.#message.variables)
    } catch {}
    return paramsFrom({
      query,
      operationName,
      variables,
      onError: headerIn(this.#message.head, onErrorHeader),
    })
  }
}
