/**
 * One request in the gateway: its caller, its deadline, and the context of each subgraph in this process. A context
 * is created at the first fetch and lives as long as the request. All deadlines share one timer, and a request
 * without listeners costs nothing.
 */

import type { ErrorBehavior } from '../shared/graphql/error-behavior.ts'
import type { Identity } from '../shared/identity.ts'
import type {
  Allowance,
  CallRecord,
  EarlierAttempt,
  IdempotencyKeys,
  Meter,
  SubgraphRequest,
} from '../shared/request.ts'
import { clearDeadline, type WithDeadline, watchDeadline } from '../shared/runtime/deadlines.ts'
import { notInSet } from '../shared/runtime/intrusive-set.ts'
import { getOrInsert } from '../shared/runtime/maps.ts'
import type { Subgraph } from '../shared/subgraph.ts'

/** One request as the engine and its transports see it. `createGatewayRequest` makes one for each execution. */
export interface GatewayRequest extends SubgraphRequest {
  /** The caller. Undefined if callers are not authenticated. */
  readonly identity: Identity | undefined
  /** The error behavior of the response. */
  readonly onError: ErrorBehavior
  cacheOnly: boolean
  /** Set if units are reserved for it. */
  allowance: Allowance | undefined
  /**
   * The number of its caller's last change (`change-count.ts`): the request must not join work that began before.
   * Infinity: never join work that is under way.
   */
  notBefore: number
  /** How long and for whom the fetched data may be cached. Undefined if that is not tracked. */
  cachePolicy: CachePolicy | undefined
  readonly idempotencyKeys: IdempotencyKeys | undefined
  earlierAttempt: EarlierAttempt | undefined
  /** Whether its result is that of an earlier request with the same idempotency key. */
  replayed: boolean
  /** The id of the last event that the client has, of a resumed subscription. */
  readonly resumeAfter: string | undefined
  readonly meter: RecordingMeter
  /** The names of the caller's headers, in lower case. */
  headerNames(): readonly string[]
  /** The context of a subgraph in this process. */
  contextOf(subgraph: Subgraph): object
  /**
   * The client went away: nothing more is started, and listeners are called. If other requests wait for work of this
   * one, that happens when the last of them is released.
   */
  cancel(): void
  /** Another request waits for work of this one. Each `hold` needs a `release`. */
  hold(): void
  release(): void
}

/** How long a response may be cached, and whether only for callers like this one. */
export interface CachePolicy {
  readonly freshMs: number
  readonly isPrivate: boolean
}

export interface RecordingMeter extends Meter {
  /** The calls so far. Undefined if they are not recorded. */
  readonly records?: readonly CallRecord[] | undefined
}

/** The options of a request. */
export interface GatewayRequestInit {
  /** For logs and errors. */
  readonly id: string
  /** In milliseconds of `performance.now()`. Infinity for none. */
  readonly deadline: number
  /** The value of a header of the caller, by its lower-case name. */
  header(name: string): string | undefined
  /** The caller's headers, by lower-case name. */
  readonly headers?: Readonly<Record<string, unknown>> | undefined
  /** The names of the headers, instead of `headers`. */
  readonly names?: (() => readonly string[]) | undefined
  readonly identity?: Identity | undefined
  /** `PROPAGATE` by default. */
  readonly onError?: ErrorBehavior | undefined
  readonly meter?: RecordingMeter | undefined
  readonly idempotencyKeys?: IdempotencyKeys | undefined
  readonly earlierAttempt?: EarlierAttempt | undefined
  readonly resumeAfter?: string | undefined
}

const unmetered: RecordingMeter = { call() {} }

/** Makes a request for one execution. The caller must have been checked before. */
export function createGatewayRequest(init: GatewayRequestInit): GatewayRequest {
  return new PlainRequest(init)
}

/**
 * The part of a request that the engine needs, without what the client sent: deadline, cancellation and contexts of
 * subgraphs. Hosts with more information extend this class.
 */
export abstract class EngineRequest implements WithDeadline {
  readonly id: string
  /** It may be set until work begins. */
  deadline: number
  identity: Identity | undefined
  onError: ErrorBehavior = 'PROPAGATE'
  idempotencyKeys: IdempotencyKeys | undefined
  earlierAttempt: EarlierAttempt | undefined
  replayed = false
  cacheOnly = false
  allowance: Allowance | undefined
  notBefore = 0
  cachePolicy: CachePolicy | undefined
  #cancelled = false
  #holders = 0
  /** Whether it is cancelled when the last holder releases it. */
  #isCancelDue = false
  // Most requests have one listener, for the call that they wait for.
  #listener: Entry | undefined
  #listeners: Entry[] | undefined
  #listening = 0
  setIndex = notInSet
  // Most requests touch one subgraph, which needs no map.
  #subgraph: Subgraph | undefined
  #context: object | undefined
  #others: Map<Subgraph, object> | undefined

  constructor(id: string, deadline: number) {
    this.id = id
    this.deadline = deadline
  }

  abstract readonly meter: RecordingMeter
  abstract header(name: string): string | undefined
  abstract headerNames(): readonly string[]

  get cancelled(): boolean {
    return this.#cancelled || performance.now() >= this.deadline
  }

  contextOf(subgraph: Subgraph): object {
    if (this.#subgraph === subgraph && this.#context !== undefined) return this.#context
    if (this.#context === undefined) {
      this.#subgraph = subgraph
      this.#context = subgraph.createContext(this)
      return this.#context
    }
    this.#others ??= new Map()
    return getOrInsert(this.#others, subgraph, () => subgraph.createContext(this))
  }

  onCancel(listener: () => void): () => void {
    if (this.cancelled) {
      listener()
      return nothing
    }
    // Each registration counts, even of the same function.
    const entry: Entry = { listener }
    if (this.#listener === undefined) this.#listener = entry
    else if (this.#listeners === undefined) this.#listeners = [entry]
    else this.#listeners.push(entry)
    this.#listening += 1
    if (this.#listening === 1) watchDeadline(this)
    return () => {
      if (entry.listener === undefined) return
      entry.listener = undefined
      if (this.#listener === entry) this.#listener = undefined
      this.#listening -= 1
      if (this.#listening > 0) return
      this.#listeners = undefined
      clearDeadline(this)
    }
  }

  hold(): void {
    this.#holders += 1
  }

  release(): void {
    this.#holders -= 1
    if (this.#holders === 0 && this.#isCancelDue) this.expire()
  }

  cancel(): void {
    if (this.#holders > 0) this.#isCancelDue = true
    else this.expire()
  }

  /** Ends it at the deadline, even if it is held. */
  expire(): void {
    if (this.#cancelled) return
    this.#cancelled = true
    clearDeadline(this)
    const entries = this.#listener === undefined ? [] : [this.#listener]
    if (this.#listeners !== undefined) entries.push(...this.#listeners)
    this.#listener = undefined
    this.#listeners = undefined
    for (const entry of entries) {
      const { listener } = entry
      entry.listener = undefined
      listener?.()
    }
  }
}

class PlainRequest extends EngineRequest implements GatewayRequest {
  readonly meter: RecordingMeter
  readonly resumeAfter: string | undefined
  readonly #init: GatewayRequestInit

  constructor(init: GatewayRequestInit) {
    super(init.id, init.deadline)
    this.identity = init.identity
    this.onError = init.onError ?? 'PROPAGATE'
    this.meter = init.meter ?? unmetered
    this.idempotencyKeys = init.idempotencyKeys
    this.earlierAttempt = init.earlierAttempt
    this.resumeAfter = init.resumeAfter
    this.#init = init
  }

  header(name: string): string | undefined {
    return this.#init.header(name)
  }

  headerNames(): readonly string[] {
    return this.#init.names?.() ?? Object.keys(this.#init.headers ?? {})
  }
}

interface Entry {
  /** Undefined after it was called or removed. */
  listener: (() => void) | undefined
}

function nothing(): void {}
