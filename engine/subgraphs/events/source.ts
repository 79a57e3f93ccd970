/**
 * The events of one subscription of a remote subgraph, over several connections if necessary. A lost connection is
 * replaced if no event is lost with it: either the last event has an id after which the subgraph resumes, or the
 * events are those of a gauge, whose newest value comes first. Otherwise the subscription ends with an error code.
 */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../../shared/errors.ts'
import { asError } from '../../../shared/runtime/thrown.ts'
import type { SourceEvent } from '../subgraph-fetch.ts'
import {
  type ConnectionEnd,
  type ConnectionListener,
  type EventConnection,
  neverOpen,
  type ReceivedEvent,
} from './connection.ts'

interface RemoteSourceOptions {
  readonly name: string
  /** The most waiting events. At this number the connection is paused. */
  readonly mostEvents: number
  /** The most bytes of waiting events. A single event always fits. */
  readonly mostBytes: number
  /** The number of connections that may fail in a row before the subscription ends. 0 allows no second connection. */
  readonly reconnects: number
  /** The first reconnection waits a random time up to this. It doubles each time. */
  readonly delayMs: number
  readonly longestDelayMs: number
  /** The event id after which the client resumes. */
  readonly resumeAfter: string | undefined
  readonly random: () => number
  /** Begins another connection. Rejects if that is not possible. */
  connect(lastEventId: string | undefined, listener: ConnectionListener): Promise<EventConnection>
  /** Whether the caller has another token now than the last connection had. */
  isRenewed(): boolean
  /** Converts a received event, or returns the error that ends the subscription. */
  eventFrom(received: ReceivedEvent): SourceEvent | GraphQLError
  noted(what: 'lost' | 'resumed' | 'given-up'): void
  closed(): void
}

type Ended = { readonly error: GraphQLError | undefined }

/** After a connection of this duration, earlier failures no longer count. */
const stableMs = 30_000
/** The same if the subgraph has repeated the last event. Something in front of it may cut streams that are quiet. */
const stableRepeatedMs = 5000

/** The codes of a subgraph that stops or is overloaded: the connection is repeated. */
const transientCodes: ReadonlySet<unknown> = new Set([
  'SERVICE_STOPPING',
  'SUBSCRIPTION_RESTART',
  'SERVICE_BUSY',
])

export class RemoteSource implements AsyncIterator<SourceEvent, unknown, undefined> {
  readonly #options: RemoteSourceOptions
  readonly #waiting: { readonly event: SourceEvent; readonly bytes: number }[] = []
  #bytes = 0
  #wake: (() => void) | undefined
  #ended: Ended | undefined
  #isClosed = false
  /** The wait for the first connection. */
  #opening: PromiseWithResolvers<void> | undefined
  /** Whether a connection has been open. */
  #wasOpen = false
  #connection: EventConnection | undefined
  #isPaused = false
  #failures = 0
  #openedAt = 0
  #timer: NodeJS.Timeout | undefined
  #leastDelayMs = 0
  /** Numbers the connections, so that an old one is not taken for the newest. */
  #number = 0
  #lastId: string | undefined
  /** Whether the next event is the first one of its connection. */
  #isFirst = true
  /** Whether the newest connection began with the last event of an earlier one. */
  #isRepeated = false
  /** Whether the events after a lost connection are known to be complete. */
  #canResume: boolean

  constructor(options: RemoteSourceOptions) {
    this.#options = options
    this.#lastId = options.resumeAfter
    this.#canResume = options.resumeAfter !== undefined
  }

  /** Opens the first connection. Rejects if it is refused, lost before it is open, or no longer wanted. */
  open(): Promise<void> {
    this.#opening = Promise.withResolvers()
    if (this.#isClosed) this.#giveUp()
    else this.#connect()
    return this.#opening.promise
  }

  async next(): Promise<IteratorResult<SourceEvent, unknown>> {
    for (;;) {
      const next = this.#waiting.shift()
      if (next !== undefined) {
        this.#bytes -= next.bytes
        if (this.#isPaused && !this.#isFull) {
          this.#isPaused = false
          this.#connection?.resume()
        }
        return { done: false, value: next.event }
      }
      if (this.#ended?.error !== undefined) {
        const { error } = this.#ended
        this.#ended = { error: undefined }
        throw error
      }
      if (this.#ended !== undefined || this.#isClosed) return { done: true, value: undefined }
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  async return(): Promise<IteratorResult<SourceEvent, unknown>> {
    this.#waiting.length = 0
    this.#bytes = 0
    this.#finish()
    this.#wake?.()
    this.#giveUp()
    return { done: true, value: undefined }
  }

  /** Ends the subscription with an error, after the waiting events. */
  stop(error: GraphQLError): void {
    this.#end(error)
  }

  get #isFull(): boolean {
    const { mostEvents, mostBytes } = this.#options
    return this.#waiting.length >= mostEvents || this.#bytes > mostBytes
  }

  #connect(): void {
    this.#number += 1
    const number = this.#number
    const isCurrent = (): boolean => number === this.#number && !this.#isClosed
    const ended = (end: ConnectionEnd): void => {
      if (!isCurrent()) return
      this.#leave()
      if (this.#wasOpen) this.#connectionEnded(end)
      else this.#neverOpened(end)
    }
    const listener: ConnectionListener = {
      opened: () => {
        if (!isCurrent()) return
        this.#openedAt = performance.now()
        this.#isFirst = true
        this.#isRepeated = false
        if (this.#wasOpen) this.#options.noted('resumed')
        this.#wasOpen = true
        this.#opening?.resolve()
      },
      event: (received) => {
        if (isCurrent()) this.#take(received)
      },
      retryMs: (milliseconds) => {
        this.#leastDelayMs = Math.min(milliseconds, this.#options.longestDelayMs)
      },
      ended,
    }
    this.#options.connect(this.#lastId, listener).then(
      (connection) => {
        if (!isCurrent()) connection.close()
        else {
          this.#connection = connection
          if (this.#isPaused) connection.pause()
        }
      },
      (cause: unknown) => ended(neverOpen(asError(cause))),
    )
  }

  #take(received: ReceivedEvent): void {
    const event = this.#options.eventFrom(received)
    if (!('payload' in event)) {
      this.#connection?.close()
      this.#leave()
      this.#connectionEnded({ kind: 'failed', error: event })
      return
    }
    const { id, key } = event
    const isFirst = this.#isFirst
    this.#isFirst = false
    // A subgraph may repeat the acknowledged event, with which it begins then. Later ones may share an id.
    if (isFirst && id !== undefined && id === this.#lastId) {
      this.#isRepeated = true
      return
    }
    // Only a new event is a success at once: a subgraph that repeats the last one and leaves would be asked again without end.
    this.#failures = 0
    this.#leastDelayMs = 0
    if (id !== undefined) this.#lastId = id
    else if (key === undefined) this.#lastId = undefined
    this.#canResume = id !== undefined || key !== undefined
    this.#waiting.push({ event, bytes: received.bytes })
    this.#bytes += received.bytes
    if (this.#isFull && !this.#isPaused) {
      this.#isPaused = true
      this.#connection?.pause()
    }
    this.#wake?.()
  }

  #leave(): void {
    this.#number += 1
    this.#connection = undefined
    this.#isPaused = false
  }

  #giveUp(): void {
    this.#opening?.reject(this.#unavailable(neverOpen(new Error('given up before it was open'))))
  }

  #neverOpened(end: ConnectionEnd): void {
    if (end.kind === 'complete') {
      this.#end(undefined)
      this.#opening?.resolve()
      return
    }
    this.#finish()
    this.#opening?.reject(end.kind === 'failed' ? end.error : this.#unavailable(end))
  }

  #connectionEnded(end: ConnectionEnd): void {
    const { name, reconnects, noted } = this.#options
    if (end.kind === 'complete') {
      this.#end(undefined)
      return
    }
    if (end.kind === 'failed' && !this.#isTransient(end.error)) {
      this.#end(end.error)
      return
    }
    noted('lost')
    if (!this.#canResume) {
      noted('given-up')
      const message = `The subscription to the subgraph ${name} was interrupted, and events may be missing: subscribe again.`
      const cause = end.kind === 'lost' ? end.cause : end.error
      this.#end(tesseraError('SUBSCRIPTION_RESTART', message, { service: name, cause }))
      return
    }
    const longMs = this.#isRepeated ? stableRepeatedMs : stableMs
    if (this.#openedAt > 0 && performance.now() - this.#openedAt > longMs) this.#failures = 0
    // The next connections may never open.
    this.#openedAt = 0
    if (this.#failures >= reconnects) {
      noted('given-up')
      this.#end(this.#unavailable(end))
      return
    }
    this.#timer = setTimeout(() => this.#connect(), this.#delayFor(end)).unref()
    this.#failures += 1
  }

  /** Whether another connection may succeed after this error. */
  #isTransient({ extensions: { code } }: GraphQLError): boolean {
    return transientCodes.has(code) || (code === 'UNAUTHENTICATED' && this.#options.isRenewed())
  }

  #delayFor(end: ConnectionEnd): number {
    const { delayMs, longestDelayMs, random } = this.#options
    const own = random() * Math.min(longestDelayMs, delayMs * 2 ** this.#failures)
    const given = end.kind === 'lost' && end.retryAfter !== undefined ? end.retryAfter * 1000 : 0
    return Math.min(longestDelayMs, Math.max(this.#leastDelayMs, given)) + own
  }

  #unavailable(end: ConnectionEnd): GraphQLError {
    const { name } = this.#options
    const message = `The subgraph ${name} cannot be subscribed to.`
    if (end.kind !== 'lost') return tesseraError('UPSTREAM_UNAVAILABLE', message, { service: name })
    const { status, retryAfter, cause } = end
    const upstream = status === 0 ? undefined : { status }
    return tesseraError('UPSTREAM_UNAVAILABLE', message, { service: name, retryAfter, cause, upstream })
  }

  #end(error: GraphQLError | undefined): void {
    if (this.#ended !== undefined || this.#isClosed) return
    this.#ended = { error }
    this.#finish()
    this.#wake?.()
  }

  #finish(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#connection?.close()
    this.#connection = undefined
    this.#options.closed()
  }
}
