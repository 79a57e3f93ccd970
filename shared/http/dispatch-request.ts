/**
 * One request and its response over undici's `dispatch`, which is its cheapest interface. undici's interceptors for
 * compression, retries and caching are not used: each allocates handlers for every call, and none knows the caller's
 * deadline, credential or circuit breaker.
 *
 * `dispatchRequest` never throws. It ends by its deadline or when the caller goes away, holds at most `maxBytes` of the
 * response, compressed or not, and reports whether anything was sent.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { type Dispatcher, errors } from 'undici'
import { clearDeadline, type WithDeadline, watchDeadline } from '../runtime/deadlines.ts'
import { notInSet } from '../runtime/intrusive-set.ts'
import { asError, systemCodeOf } from '../runtime/thrown.ts'
import { type Cancellation, type CancelReason, cancelledBy, cancelReason } from './cancellation.ts'
import { type Coding, codingOf, decodeNow } from './codings.ts'
import { collectGarbageEvery } from './collect-garbage.ts'
import { decodeAnswer } from './decoders.ts'
import { GatheredBytes } from './gathered-bytes.ts'
import { codingsIn, joinHeaderLines, mostInterim } from './response-headers.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Alternating names and values. */
  readonly headers: readonly string[]
  readonly body: string | Uint8Array | AsyncIterable<Buffer> | undefined
  /** The most bytes of the response, compressed or not. */
  readonly maxBytes: number
}

/**
 * Why there is no response. 'connection': it could not be opened, or broke. 'truncated': it broke during the
 * response. 'garbled': the response is not HTTP, or has an unexpected coding. 'unsendable': the request is not valid
 * HTTP.
 */
export type LossReason = CancelReason | 'connection' | 'truncated' | 'garbled' | 'too-large' | 'unsendable'

export interface HttpResult {
  /** Undefined if the response is complete. */
  readonly loss: LossReason | undefined
  /** Whether the service may have received anything of the request. */
  readonly wasSent: boolean
  /** 0 if there is no response. */
  readonly status: number
  /** Each header is one string, even if it had several lines. */
  readonly headers: IncomingHttpHeaders
  /** Decompressed. */
  readonly body: Buffer
  readonly cause: Error | undefined
}

/**
 * A process this much behind its deadline was suspended. Others may have taken over its work by then (they wait
 * longer, see `gateway/pipeline/idempotency/slot.ts`).
 */
const suspendedMs = 1000

const noHeaders: IncomingHttpHeaders = {}
const noBytes = Buffer.alloc(0)

/** The result of a request that was not sent. */
export const nothingSent: HttpResult = {
  loss: 'connection',
  wasSent: false,
  status: 0,
  headers: noHeaders,
  body: noBytes,
  cause: undefined,
}

/** Up to this size decoding here is cheaper than in the thread pool. */
const inlineDecodeBytes = 32 * 1024

const undecoded = {
  garbled: 'the answer is not in the coding that it names',
  window: 'the answer was compressed with too large a window',
  busy: 'too many compressed answers wait to be decoded',
} as const

/** Shorter responses leave most of their garbage in the heap, where V8 collects it in time. */
const longBytes = 256 * 1024
/** Long responses leave buffers behind. With rarer collections many of them would have moved to the old space. */
const collectAfter = collectGarbageEvery(8 * 1024 * 1024)

/** A class, because undici calls methods, and a closure for each would cost more than the rest. */
class ResponseHandler implements Dispatcher.DispatchHandler, WithDeadline {
  readonly deadline: number
  setIndex = notInSet
  readonly #cancellation: Cancellation
  readonly #maxBytes: number
  readonly #tell: (end: HttpResult) => void
  #stop: (() => void) | undefined
  #controller: Dispatcher.DispatchController | undefined
  #ended = false
  #left = false
  #interim = 0
  #status = 0
  #headers: IncomingHttpHeaders = noHeaders
  #body: GatheredBytes | undefined
  #decoding: AbortController | undefined

  constructor(
    maxBytes: number,
    deadline: number,
    cancellation: Cancellation,
    tell: (end: HttpResult) => void,
  ) {
    this.#cancellation = cancellation
    this.#maxBytes = maxBytes
    this.#tell = tell
    this.deadline = deadline
    watchDeadline(this)
    this.#stop = cancellation.onCancel(() => this.lose(cancelReason(this.#cancellation), undefined))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // No caller waits any more, so it must not be sent. A suspended process comes here before its timers do.
    if (!this.#ended && performance.now() >= this.deadline + suspendedMs) this.lose('timeout', undefined)
    if (this.#ended) {
      controller.abort(new Error('given up before it was sent'))
      return
    }
    this.#controller = controller
    this.#left = true
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.#ended) return
    if (status < 200) {
      this.#interim += 1
      if (this.#interim > mostInterim) this.lose('garbled', new Error('too many interim responses came'))
      return
    }
    this.#status = status
    this.#headers = headers
    if (!joinHeaderLines(headers))
      this.lose('garbled', new Error('a header that has one value came with two'))
    else if (Number(headers['content-length'] ?? 0) > this.#maxBytes) this.lose('too-large', undefined)
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended) return
    this.#body ??= new GatheredBytes(this.#maxBytes)
    if (!this.#body.add(chunk)) this.lose('too-large', undefined)
  }

  onResponseEnd(): void {
    if (this.#ended) return
    const bytes = this.#body?.take() ?? noBytes
    if (bytes.length >= longBytes) collectAfter(bytes.length)
    const [name, ...others] = codingsIn(this.#headers)
    const coding = codingOf(name)
    if (coding === undefined || bytes.length === 0) this.#end(undefined, bytes, undefined)
    else if (coding !== null && others.length === 0) this.#decode(bytes, coding)
    else this.#end('garbled', noBytes, new Error('the answer has a content coding that was not asked for'))
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#ended) return
    // The parser also fails if the connection ends within a body.
    if (this.#status !== 0) this.#end('truncated', noBytes, error)
    else this.#end(lossFrom(error), noBytes, error)
  }

  expire(): void {
    this.lose('timeout', undefined)
  }

  /** Ends the request from our side. */
  lose(loss: LossReason, cause: Error | undefined): void {
    if (this.#ended) return
    this.#end(loss, noBytes, cause)
    this.#controller?.abort(new Error(`given up: ${loss}`))
  }

  #decode(bytes: Buffer, coding: Coding): void {
    if (bytes.length > inlineDecodeBytes) {
      void this.#decodeAside(bytes, coding)
      return
    }
    let plain: Buffer
    try {
      plain = decodeNow(bytes, coding, this.#maxBytes)
    } catch (thrown) {
      const error = asError(thrown)
      const isLarge = systemCodeOf(error) === 'ERR_BUFFER_TOO_LARGE'
      this.#end(isLarge ? 'too-large' : 'garbled', noBytes, error)
      return
    }
    this.#end(undefined, plain, undefined)
  }

  /** The decoding stops when no caller waits for it: otherwise decompression bombs would fill the memory. */
  async #decodeAside(bytes: Buffer, coding: Coding): Promise<void> {
    this.#decoding = new AbortController()
    const cancellation = cancelledBy(this.#decoding.signal)
    const decoded = await decodeAnswer(bytes, coding, { maxBytes: this.#maxBytes }, cancellation)
    if (this.#ended) return
    if (typeof decoded !== 'string') this.#end(undefined, decoded, undefined)
    else if (decoded === 'too-large') this.#end('too-large', noBytes, undefined)
    else this.#end('garbled', noBytes, new Error(undecoded[decoded]))
  }

  #end(loss: LossReason | undefined, body: Buffer, cause: Error | undefined): void {
    this.#ended = true
    clearDeadline(this)
    this.#stop?.()
    this.#stop = undefined
    this.#body = undefined
    this.#decoding?.abort()
    this.#decoding = undefined
    this.#tell({ loss, wasSent: this.#left, status: this.#status, headers: this.#headers, body, cause })
  }
}

/** undici's messages for an unexpected `100 Continue` and for a protocol change. */
const unexpectedMessages: ReadonlySet<string> = new Set(['bad response', 'bad upgrade'])

export function lossFrom(error: Error): LossReason {
  if (error instanceof errors.InvalidArgumentError || error instanceof errors.NotSupportedError)
    return 'unsendable'
  const garbled =
    error instanceof errors.HTTPParserError ||
    error instanceof errors.HeadersOverflowError ||
    (error instanceof errors.SocketError && unexpectedMessages.has(error.message)) ||
    // Also for a head with two lengths, equal or not.
    error instanceof errors.ResponseContentLengthMismatchError
  return garbled ? 'garbled' : 'connection'
}

/** Calls `ended` once with the result, possibly synchronously. */
export function dispatchRequest(
  dispatcher: Dispatcher,
  { method, path, headers, body, maxBytes }: HttpRequest,
  deadline: number,
  cancellation: Cancellation,
  ended: (end: HttpResult) => void,
): void {
  const handler = new ResponseHandler(maxBytes, deadline, cancellation, ended)
  const options = { method, path, headers: headers as string[], body: body ?? null }
  dispatcher.dispatch(options as Dispatcher.DispatchOptions, handler)
}
