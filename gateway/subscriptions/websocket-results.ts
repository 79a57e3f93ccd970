/** Results as `graphql-ws` sends them, whose bytes are made once for all who get them. */
import type { GraphQLError } from 'graphql'
import { parse } from 'graphql'
import type { WebSocket } from 'ws'
import { responseBody } from '../../engine/index.ts'
import { bytesOfJson, type JsonText } from '../../shared/json/raw.ts'
import type { OperationResponse } from '../pipeline/index.ts'
import { type Listening, Subscriber } from './subscriber.ts'

/** Service Restart (RFC 6455, registry of close codes): clients connect again after a while. */
export const restartCode = 1012

export type Begun = Pick<OperationResponse<JsonText | Subscriber>, 'result'>

/** What the library executes: a document that says which kind it is, and what was made already. */
export interface Execution {
  readonly document: typeof aSubscription
  readonly operationName: undefined
  readonly made: Results | RawResult
}

const aSubscription = parse('subscription { events }', { noLocation: true })
const aQuery = parse('{ result }', { noLocation: true })

export function executionOf({ result }: Begun, socket: WebSocket): Execution | readonly GraphQLError[] {
  const { data, errors, extensions } = result
  if (data instanceof Subscriber)
    return { document: aSubscription, operationName: undefined, made: new Results(data, socket) }
  // Nothing was executed: the protocol has a message of its own for that.
  if (data === undefined && errors !== undefined && errors.length > 0) return errors
  const made = new RawResult(bytesOfJson(responseBody({ data, errors, extensions })))
  return { document: aQuery, operationName: undefined, made }
}

/** A result whose JSON is made already. While the library writes its message, a mark stands in its place. */
class RawResult {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  toJSON(): string {
    marked = this
    return mark
  }
}

const mark = '\u0001result\u0001'
const markJson = JSON.stringify(mark)
let marked: RawResult | undefined

/** Sends a message, with the result that it is of in its place. Resolves when the system has taken it. */
export function send(socket: WebSocket, text: string): Promise<void> {
  const result = marked
  marked = undefined
  if (socket.readyState !== socket.OPEN) return Promise.resolve()
  return new Promise((resolve) => {
    // A connection that fails closes: what waits is released there.
    const sent = (): void => resolve()
    if (result === undefined) {
      socket.send(text, sent)
      return
    }
    const at = text.lastIndexOf(markJson)
    const whole = Buffer.concat([
      Buffer.from(text.slice(0, at)),
      result.bytes,
      Buffer.from(text.slice(at + markJson.length)),
    ])
    socket.send(whole, { binary: false }, sent)
  })
}

type Step = IteratorResult<RawResult, undefined>

/**
 * The results of a subscription, taken one by one as the client takes them. Without async functions: what one of them
 * keeps while it waits is more than all of this.
 */
class Results implements AsyncGenerator<RawResult, undefined, undefined>, Listening {
  readonly #subscriber: Subscriber
  readonly #socket: WebSocket
  #resolve: ((step: Step | Promise<Step>) => void) | undefined

  constructor(subscriber: Subscriber, socket: WebSocket) {
    this.#subscriber = subscriber
    this.#socket = socket
    subscriber.listen(this)
  }

  wake(): void {
    const resolve = this.#resolve
    if (resolve === undefined) return
    const step = this.#step()
    if (step === undefined) return
    this.#resolve = undefined
    resolve(step)
  }

  /** What comes next; undefined if that is not here yet. */
  #step(): Step | Promise<Step> | undefined {
    const delivery = this.#subscriber.take()
    if (delivery !== undefined) return { done: false, value: new RawResult(delivery.body) }
    const { end } = this.#subscriber
    if (end === undefined) return undefined
    if (end.kind === 'failed') return Promise.reject(end.error)
    if (end.kind === 'restart') this.#socket.close(restartCode, 'Service Restart')
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return()
  }

  next(): Promise<Step> {
    const step = this.#step()
    if (step !== undefined) return Promise.resolve(step)
    return new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  async return(): Promise<IteratorResult<RawResult, undefined>> {
    this.#subscriber.finish({ kind: 'left' })
    return { done: true, value: undefined }
  }

  async throw(): Promise<IteratorResult<RawResult, undefined>> {
    return this.return()
  }
}
