/**
 * One request on its way through the gateway: who asks, until when, and what each subgraph that runs in this
 * process holds for it. A subgraph's context is made when its first fetch starts and lives as long as the
 * request. Waiting for the deadline costs one shared timer, and nothing for a request without listeners.
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
import { notInBag } from '../shared/runtime/bag.ts'
import { stopWaiting, type Waiter, wait } from '../shared/runtime/deadlines.ts'
import type { Subgraph } from '../shared/subgraph.ts'

export interface GatewayRequest extends SubgraphRequest {
  /** The caller; undefined if callers are not authenticated. */
  readonly identity: Identity | undefined
  /** What becomes of the answer if a field fails. */
  readonly onError: ErrorBehavior
  cacheOnly: boolean
  /** Set if units were reserved for it. */
  allowance: Allowance | undefined
  /**
   * The number of the last change that its caller made (`changes.ts`): nothing that began before may be shared with the
   * request. Infinity: it shares what others began in no case.
   */
  notBefore: number
  /** For how long and for whom the parts that were fetched may be kept; undefined if that is not noted. */
  answerPolicy: AnswerPolicy | undefined
  readonly idempotencyKeys: IdempotencyKeys | undefined
  earlierAttempt: EarlierAttempt | undefined
  /** Whether its answer is that of an earlier request with the same idempotency key. */
  replayed: boolean
  /** Of a subscription that a client takes up again: the id of the last event that it has. */
  readonly resumeAfter: string | undefined
  readonly meter: RecordingMeter
  /** The names of the caller's headers, in lower case. */
  headerNames(): readonly string[]
  /** What this request holds of a subgraph that runs in this process. */
  contextOf(subgraph: Subgraph): object
  /**
   * The client went away: nothing more is started, and the listeners are called. Where another request waits for what
   * this one began, that happens when the last of those is released.
   */
  cancel(): void
  /** Another request waits for what this one began. Each needs a `release`. */
  hold(): void
  release(): void
}

/** For how long an answer may be kept, and whether only for callers like the one that asked. */
export interface AnswerPolicy {
  readonly freshMs: number
  readonly isPrivate: boolean
}

export interface RecordingMeter extends Meter {
  /** What was booked so far; undefined if it is not kept. */
  readonly records?: readonly CallRecord[] | undefined
}

export interface GatewayRequestInit {
  readonly id: string
  readonly deadline: number
  header(name: string): string | undefined
  /** The caller's headers by their names in lower case, for what looks for names. */
  readonly headers?: Readonly<Record<string, unknown>> | undefined
  /** Their names, instead of `headers`. */
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

export function createGatewayRequest(init: GatewayRequestInit): GatewayRequest {
  return new PlainRequest(init)
}

/**
 * What the engine needs of a request, without what came from the client: its deadline, its cancellation, and what each
 * subgraph in this process holds for it. Who knows more of a request makes a class of it.
 */
export abstract class EngineRequest implements Waiter {
  readonly id: string
  /** It may be set until something is begun. */
  deadline: number
  identity: Identity | undefined
  onError: ErrorBehavior = 'PROPAGATE'
  idempotencyKeys: IdempotencyKeys | undefined
  earlierAttempt: EarlierAttempt | undefined
  replayed = false
  cacheOnly = false
  allowance: Allowance | undefined
  notBefore = 0
  answerPolicy: AnswerPolicy | undefined
  #cancelled = false
  #holders = 0
  /** Whether it is cancelled as soon as it is held by no one. */
  #left = false
  // Most requests have one listener: the call that they wait for.
  #listener: Entry | undefined
  #listeners: Entry[] | undefined
  #listening = 0
  place = notInBag
  // Most requests touch one subgraph: the first needs no map.
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
    let context = this.#others.get(subgraph)
    if (context === undefined) {
      context = subgraph.createContext(this)
      this.#others.set(subgraph, context)
    }
    return context
  }

  onCancel(listener: () => void): () => void {
    if (this.cancelled) {
      listener()
      return nothing
    }
    // Each registration counts for itself, also of one and the same function.
    const entry: Entry = { listener }
    if (this.#listener === undefined) this.#listener = entry
    else if (this.#listeners === undefined) this.#listeners = [entry]
    else this.#listeners.push(entry)
    this.#listening += 1
    if (this.#listening === 1) wait(this)
    return () => {
      if (entry.listener === undefined) return
      entry.listener = undefined
      if (this.#listener === entry) this.#listener = undefined
      this.#listening -= 1
      if (this.#listening > 0) return
      this.#listeners = undefined
      stopWaiting(this)
    }
  }

  hold(): void {
    this.#holders += 1
  }

  release(): void {
    this.#holders -= 1
    if (this.#holders === 0 && this.#left) this.expire()
  }

  cancel(): void {
    if (this.#holders > 0) this.#left = true
    else this.expire()
  }

  /** At the deadline, whether it is held or not. */
  expire(): void {
    if (this.#cancelled) return
    this.#cancelled = true
    stopWaiting(this)
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
  /** Undefined once it was called or removed. */
  listener: (() => void) | undefined
}

function nothing(): void {}
