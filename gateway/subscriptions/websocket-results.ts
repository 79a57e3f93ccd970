/** Results for `graphql-ws`. Their bytes are made once for all receivers. */
import type { GraphQLError } from 'graphql'
import { parse } from 'graphql'
import type { WebSocket } from 'ws'
import { responseBody } from '../../engine/index.ts'
import { bytesOfJson, type JsonText } from '../../shared/json/raw.ts'
import type { OperationResponse } from '../pipeline/index.ts'
import { type Listening, Subscriber } from './subscriber.ts'

/** Service Restart (RFC 6455, registry of close codes): clients connect again after a while. */
export const restartCode = 1012

/** A connection whose client can be asked to reconnect. */
export interface Restarting {
  readonly socket: WebSocket
  /** Closed as soon as there are no `beginnings`. */
  isRestarting: boolean
  readonly beginnings: object | undefined
}

/** Asks the client to reconnect, after the results of the operations that are under way. Some may be mutations. */
export function restart(connection: Restarting): void {
  connection.isRestarting = true
  if (connection.beginnings === undefined) connection.socket.close(restartCode, 'Service Restart')
}

export type Begun = Pick<OperationResponse<JsonText | Subscriber>, 'result'>

/** The arguments that the library receives: a document of the right kind, and the result that we have made. */
export interface Execution {
  readonly document: typeof aSubscription
  readonly operationName: undefined
  readonly made: Results | RawResult
}

const aSubscription = parse('subscription { events }', { noLocation: true })
const aQuery = parse('{ result }', { noLocation: true })

export function executionOf({ result }: Begun, connection: Restarting): Execution | readonly GraphQLError[] {
  const { data, errors, extensions } = result
  if (data instanceof Subscriber)
    return { document: aSubscription, operationName: undefined, made: new Results(data, connection) }
  // The protocol has a message of its own for operations that were not executed.
  if (data === undefined && errors !== undefined && errors.length > 0) return errors
  const made = new RawResult(bytesOfJson(responseBody({ data, errors, extensions })))
  return { document: aQuery, operationName: undefined, made }
}

/** A result with its JSON. A placeholder stands for the JSON while the library writes its message. */
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

/** Sends a message, with the placeholder replaced by the result. Resolves when the system has accepted it. */
export function send(socket: WebSocket, text: string): Promise<void> {
  const result = marked
  marked = undefined
  if (socket.readyState !== socket.OPEN) return Promise.resolve()
  return new Promise((resolve) => {
    // A failing connection closes, which releases the waiting results.
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
 * The results of a subscription, one by one as the client reads them. It has no async functions, because a waiting one
 * keeps more memory than this whole object.
 */
class Results implements AsyncIterableIterator<RawResult, undefined, undefined>, Listening {
  readonly #subscriber: Subscriber
  readonly #connection: Restarting
  #resolve: ((step: Step | Promise<Step>) => void) | undefined

  constructor(subscriber: Subscriber, connection: Restarting) {
    this.#subscriber = subscriber
    this.#connection = connection
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

  /** The next result; undefined if there is none yet. */
  #step(): Step | Promise<Step> | undefined {
    const delivery = this.#subscriber.take()
    if (delivery !== undefined) return { done: false, value: new RawResult(delivery.body) }
    const { end } = this.#subscriber
    if (end === undefined) return undefined
    if (end.kind === 'failed') return Promise.reject(end.error)
    if (end.kind === 'complete') return { done: true, value: undefined }
    // The library must not go on. It would send `complete`, after which the client does not subscribe again, and would
    // take an operation that has the id by now for this one.
    if (end.kind === 'restart') restart(this.#connection)
    return undefined
  }

  [Symbol.asyncIterator](): this {
    return this
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
}
