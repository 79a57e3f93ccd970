/**
 * An incoming request, as subgraphs see it.
 *
 * The gateway makes one for each operation. A subgraph that is served by itself makes one for each HTTP request.
 * Cancellation is a listener instead of an AbortSignal, which would be too expensive for every request.
 */

import type { Identity } from './identity.ts'

/** How an upstream call was answered. */
export type CallOutcome = 'sent' | 'cached' | 'revalidated' | 'shared' | 'failed' | 'refused'

/** One upstream call, as one request records it. */
export interface CallRecord {
  readonly service: string
  readonly operation: string
  readonly outcome: CallOutcome
  /** The units that the provider charged. 0 if this request paid nothing. */
  readonly units: number
  readonly milliseconds: number
}

/** Records the upstream calls of a request. */
export interface Meter {
  call(record: CallRecord): void
}

/** A request as a subgraph sees it: its deadline, its headers, its cancellation, and the record of its calls. */
export interface SubgraphRequest {
  readonly id: string
  /** The deadline of the whole request, in milliseconds of `performance.now()`. */
  readonly deadline: number
  /** A header of the caller, by its lower-case name. */
  header(name: string): string | undefined
  /** Whether the client went away or the deadline passed. */
  readonly cancelled: boolean
  /** Calls `listener` once when the request is cancelled. Returns a function that removes it. */
  onCancel(listener: () => void): () => void
  readonly meter: Meter
  /** The caller. Undefined if callers are not authenticated. */
  readonly identity?: Identity | undefined
  /**
   * Set if the quota of a service is used up. Calls that cost units may only be answered from the cache then, and are
   * not shared with other requests, which would pay for them.
   */
  readonly cacheOnly?: boolean | undefined
  /** The units that are reserved for it. Undefined if there are none. */
  readonly allowance?: Allowance | undefined
  /** Set for requests without an operation, such as polls: each call is admitted and settled alone. */
  readonly background?: boolean | undefined
  /** Set if an earlier attempt may have made the requested change, which must be found out first. */
  readonly earlierAttempt?: EarlierAttempt | undefined
}

/** Units that were reserved for a request in advance. Its calls take theirs from them. */
export interface Allowance {
  /** Whether this many units are left of them. */
  covers(units: number): boolean
  /** Takes the units of one call, and reserves missing ones. Throws or rejects if that is refused. */
  take(units: number): Promise<void> | undefined
}

/** The idempotency key of each root field of a mutation, by response key. One string if all fields have the same. */
export type IdempotencyKeys = string | ReadonlyMap<string, string>

/** An attempt at a write whose outcome is unknown. */
export interface EarlierAttempt {
  /** Its beginning in milliseconds since 1970, by the clock that all gateways share. */
  readonly since: number
  /** After this many more milliseconds, a change that is not visible at the service was not made. */
  readonly leftMs: number
}

/** Carries an `EarlierAttempt` to a subgraph service. */
export const earlierAttemptHeader = 'tessera-earlier-attempt'

export const earlierAttemptText = ({ since, leftMs }: EarlierAttempt): string =>
  `${Math.round(since)} ${Math.ceil(leftMs)}`

/** Reads the header. Undefined if it is absent or invalid. */
export function readEarlierAttempt(text: string | undefined): EarlierAttempt | undefined {
  const [, since, leftMs] = /^(\d{1,15}) (\d{1,10})$/.exec(text ?? '') ?? []
  return since === undefined ? undefined : { since: Number(since), leftMs: Number(leftMs) }
}

/**
 * One request for several that wait for the same call. It is cancelled when all of them are and has the latest
 * deadline. The first request that has units left pays: its calls are recorded as `shared` on every other.
 */
export function joinRequests(requests: readonly SubgraphRequest[]): SubgraphRequest {
  const [first] = requests
  if (first === undefined) throw new Error('joinRequests needs at least one request')
  return requests.length === 1 ? first : new JoinedRequest(first, requests)
}

/** Whether it can pay for a call without reserving more units. */
const canPay = ({ allowance }: SubgraphRequest, units: number): boolean => allowance?.covers(units) ?? true

/** The record of a call for a request that shares it. */
export function sharedRecord(record: CallRecord): CallRecord {
  return record.outcome === 'sent' || record.outcome === 'revalidated'
    ? { ...record, outcome: 'shared', units: 0 }
    : { ...record, units: 0 }
}

/**
 * A class, because of its getter: each object literal with a getter has its own hidden class, which retains the
 * getter and all that the requests hold until the next full garbage collection.
 */
class JoinedRequest implements SubgraphRequest, Meter, Allowance {
  readonly id: string
  readonly deadline: number
  readonly meter: Meter = this
  readonly identity: Identity | undefined
  readonly allowance: Allowance = this
  readonly #first: SubgraphRequest
  readonly #requests: readonly SubgraphRequest[]
  #payer: SubgraphRequest

  constructor(first: SubgraphRequest, requests: readonly SubgraphRequest[]) {
    this.id = first.id
    this.identity = first.identity
    this.deadline = Math.max(...requests.map((request) => request.deadline))
    this.#first = first
    this.#requests = requests
    this.#payer = first
  }

  header(name: string): string | undefined {
    return this.#first.header(name)
  }

  get cancelled(): boolean {
    return this.#requests.every((request) => request.cancelled)
  }

  onCancel(listener: () => void): () => void {
    let waiting = this.#requests.filter((request) => !request.cancelled).length
    const stops = this.#requests.map((request) =>
      request.onCancel(() => {
        waiting -= 1
        if (waiting === 0) listener()
      }),
    )
    return () => {
      for (const stop of stops) stop()
    }
  }

  covers(units: number): boolean {
    return this.#waiting().some((request) => canPay(request, units))
  }

  take(units: number): Promise<void> | undefined {
    const waiting = this.#waiting()
    const payer = waiting.find((request) => canPay(request, units))
    if (payer === undefined && waiting.length > 1) return this.#takeMissing(waiting, units)
    this.#payer = payer ?? waiting[0] ?? this.#first
    return this.#payer.allowance?.take(units)
  }

  /** None has enough units left: the first one that gets the missing ones pays, so that a refusal of one fails no other. */
  async #takeMissing(waiting: readonly SubgraphRequest[], units: number): Promise<void> {
    let refusal: unknown
    for (const request of waiting) {
      this.#payer = request
      try {
        return await request.allowance?.take(units)
      } catch (error) {
        refusal = error
      }
    }
    throw refusal
  }

  #waiting(): readonly SubgraphRequest[] {
    return this.#requests.filter((request) => !request.cancelled)
  }

  call(record: CallRecord): void {
    this.#payer.meter.call(record)
    const shared = sharedRecord(record)
    for (const request of this.#requests) if (request !== this.#payer) request.meter.call(shared)
  }
}
