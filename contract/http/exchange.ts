/**
 * One request and its answer over undici's `dispatch`, the cheapest way through it (no stream, no
 * AbortSignal, no promise), or over a connection of our own that is used alike (`hot/http1/`). undici's
 * interceptors for compression, retry and caching are not used: each allocates a chain of handlers a call,
 * and none knows the caller's deadline, credential or breaker.
 *
 * An exchange never throws. It ends by its deadline or when the caller goes away, holds at most
 * `maxBytes` of the answer, compressed or not, and tells whether anything left for the service.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Transform } from 'node:stream'
import { type Dispatcher, errors } from 'undici'
import { notInBag } from '../bag.ts'
import { stopWaiting, type Waiter, wait } from '../deadlines.ts'
import { collectPassing } from '../hot/passing-bytes.ts'
import { asError } from '../thrown.ts'
import { type Cancellation, type CancelReason, cancelReason } from './cancellation.ts'
import { type Coding, codingOf, createDecoder, decodeNow } from './codings.ts'
import type { Abortable, ExchangeHandler, Http1Connection } from './hot/http1/index.ts'

export interface Sending {
  readonly method: string
  readonly path: string
  /** Alternating names and values. */
  readonly headers: readonly string[]
  readonly body: string | undefined
  readonly deadline: number
  readonly maxBytes: number
}

/**
 * Why there is no answer. 'connection': none could be opened, or it broke; 'truncated': it broke within
 * the answer; 'garbled': what came is not HTTP, or not in a coding that was asked for; 'unsendable': what
 * was to be sent is no HTTP.
 */
export type Loss = CancelReason | 'connection' | 'truncated' | 'garbled' | 'too-large' | 'unsendable'

export interface Exchanged {
  /** Undefined where the answer is whole. */
  readonly loss: Loss | undefined
  /** Whether the request, or a part of it, may have reached the service. */
  readonly left: boolean
  /** 0 where no answer began. */
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Decompressed. */
  readonly body: Buffer
  readonly cause: Error | undefined
}

/**
 * Who is so late was stopped: by then others may have taken over what it was about to do (they wait for longer, see
 * `gateway/http/idempotency/slot.ts`).
 */
const stoppedMs = 1000

const noHeaders: IncomingHttpHeaders = {}
const noBytes = Buffer.alloc(0)

/** What there is of an exchange that was not begun. */
export const nothingSent: Exchanged = {
  loss: 'connection',
  left: false,
  status: 0,
  headers: noHeaders,
  body: noBytes,
  cause: undefined,
}

/** Up to this size decompressing here is cheaper than a turn through the thread pool. */
const inlineDecodeBytes = 32 * 1024
/** Each piece costs a turn through the thread pool, too. */
const decodeChunkBytes = 256 * 1024

/** Of shorter answers, more garbage lies in the heap than beside it: V8 collects it in time by itself. */
const longBytes = 256 * 1024
/** Long answers leave their pieces behind. Collected less often, many of them would have become old. */
const passed = collectPassing(8 * 1024 * 1024)

/** A class, because undici calls it by method and a closure for each would cost more than the rest of it. */
class Exchange implements Dispatcher.DispatchHandler, ExchangeHandler, Waiter {
  readonly deadline: number
  place = notInBag
  readonly #cancellation: Cancellation
  readonly #maxBytes: number
  readonly #tell: (end: Exchanged) => void
  #stop: (() => void) | undefined
  #controller: Abortable | undefined
  #ended = false
  #left = false
  #status = 0
  #headers: IncomingHttpHeaders = noHeaders
  #chunk: Buffer | undefined
  #more: Buffer[] | undefined
  #bytes = 0
  #unpacking: Transform | undefined

  constructor(sending: Sending, cancellation: Cancellation, tell: (end: Exchanged) => void) {
    this.#cancellation = cancellation
    this.#maxBytes = sending.maxBytes
    this.#tell = tell
    this.deadline = sending.deadline
    wait(this)
    this.#stop = cancellation.onCancel(() => this.lose(cancelReason(this.#cancellation), undefined))
  }

  onRequestStart(controller: Abortable): void {
    // No caller waits any more: it must not leave. A process that was stopped comes here before its timers do.
    if (!this.#ended && performance.now() >= this.deadline + stoppedMs) this.lose('timeout', undefined)
    if (this.#ended) {
      controller.abort(new Error('given up before it was sent'))
      return
    }
    this.#controller = controller
    this.#left = true
  }

  onResponseStart(_: Abortable, status: number, headers: IncomingHttpHeaders): void {
    // Statuses below 200 only announce the answer.
    if (this.#ended || status < 200) return
    this.#status = status
    this.#headers = headers
    if (Number(headers['content-length'] ?? 0) > this.#maxBytes) this.lose('too-large', undefined)
  }

  onResponseData(_: Abortable, chunk: Buffer): void {
    if (this.#ended) return
    this.#bytes += chunk.length
    if (this.#bytes > this.#maxBytes) this.lose('too-large', undefined)
    else if (this.#chunk === undefined) this.#chunk = chunk
    else if (this.#more === undefined) this.#more = [this.#chunk, chunk]
    else this.#more.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#ended) return
    let bytes = this.#chunk ?? noBytes
    if (this.#more !== undefined) {
      bytes = Buffer.concat(this.#more, this.#bytes)
      if (bytes.length >= longBytes) passed(bytes.length)
    }
    const coding = codingOf(this.#headers['content-encoding'])
    if (coding === undefined || bytes.length === 0) this.#end(undefined, bytes, undefined)
    else if (coding !== null) this.#decode(bytes, coding)
    else this.#end('garbled', noBytes, new Error('the answer has a content coding that was not asked for'))
  }

  onResponseError(_: Abortable | null, error: Error): void {
    if (this.#ended) return
    // The parser also fails where the connection ends in the middle of a body.
    if (this.#status !== 0) this.#end('truncated', noBytes, error)
    else this.#end(lossFrom(error), noBytes, error)
  }

  expire(): void {
    this.lose('timeout', undefined)
  }

  /** Ends it from this side. */
  lose(loss: Loss, cause: Error | undefined): void {
    if (this.#ended) return
    this.#end(loss, noBytes, cause)
    this.#controller?.abort(new Error(`given up: ${loss}`))
  }

  #decode(bytes: Buffer, coding: Coding): void {
    if (bytes.length > inlineDecodeBytes) {
      this.#decodeAside(bytes, coding)
      return
    }
    let plain: Buffer
    try {
      plain = decodeNow(bytes, coding, this.#maxBytes)
    } catch (error) {
      this.#decoded(asError(error), noBytes)
      return
    }
    this.#decoded(null, plain)
  }

  /** A stream, because it must stop once no caller waits for it: bombs of many calls would fill the memory. */
  #decodeAside(bytes: Buffer, coding: Coding): void {
    const unpacking = createDecoder(coding, decodeChunkBytes)
    const pieces: Buffer[] = []
    let length = 0
    unpacking.on('data', (piece: Buffer) => {
      length += piece.length
      if (length > this.#maxBytes) this.#end('too-large', noBytes, undefined)
      else pieces.push(piece)
    })
    unpacking.once('end', () => this.#decoded(null, Buffer.concat(pieces, length)))
    unpacking.on('error', (error) => this.#decoded(error, noBytes))
    this.#unpacking = unpacking
    unpacking.end(bytes)
  }

  #decoded(error: Error | null, plain: Buffer): void {
    if (this.#ended) return
    if (error === null) this.#end(undefined, plain, undefined)
    else if ('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') this.#end('too-large', noBytes, error)
    else this.#end('garbled', noBytes, error)
  }

  #end(loss: Loss | undefined, body: Buffer, cause: Error | undefined): void {
    this.#ended = true
    stopWaiting(this)
    this.#stop?.()
    this.#stop = undefined
    this.#chunk = undefined
    this.#more = undefined
    this.#unpacking?.destroy()
    this.#unpacking = undefined
    this.#tell({ loss, left: this.#left, status: this.#status, headers: this.#headers, body, cause })
  }
}

function lossFrom(error: Error): Loss {
  if (error instanceof errors.InvalidArgumentError) return 'unsendable'
  const garbled = error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError
  return garbled ? 'garbled' : 'connection'
}

/** What an exchange goes over: a pool or a client of undici's, or a connection of our own. */
export type Exchanger = Dispatcher | Http1Connection

export function exchange(
  dispatcher: Exchanger,
  sending: Sending,
  cancellation: Cancellation,
): Promise<Exchanged> {
  return new Promise((resolve) => beginExchange(dispatcher, sending, cancellation, resolve))
}

/** Tells `ended` once how it ended, which may be within this very call. */
export function beginExchange(
  dispatcher: Exchanger,
  sending: Sending,
  cancellation: Cancellation,
  ended: (end: Exchanged) => void,
): void {
  const handler = new Exchange(sending, cancellation, ended)
  if (cancellation.cancelled) {
    handler.lose(cancelReason(cancellation), undefined)
    return
  }
  dispatcher.dispatch(
    {
      method: sending.method,
      path: sending.path,
      headers: sending.headers as string[],
      body: sending.body ?? null,
    },
    handler,
  )
}
