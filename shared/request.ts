/**
 * What one incoming request brings to every subgraph that it touches.
 *
 * The gateway makes one for each operation; a subgraph that is served by itself makes one for each HTTP
 * request. Cancellation is a listener and not an AbortSignal, because the hot path must not pay for one.
 */

import type { Identity } from './identity.ts'

/** How an upstream call came to its answer. */
export type CallOutcome = 'sent' | 'cached' | 'revalidated' | 'shared' | 'failed' | 'refused'

/** One upstream call as one request saw it. */
export interface CallRecord {
  readonly service: string
  readonly operation: string
  readonly outcome: CallOutcome
  /** What the provider charged for it, in its own units; 0 if nothing was charged to this request. */
  readonly units: number
  readonly milliseconds: number
}

/** Where a request's upstream calls are booked. */
export interface Meter {
  call(record: CallRecord): void
}

/**
 * One request as a subgraph sees it: its deadline, its headers, whether it was cancelled, and if its calls are
 * recorded.
 */
export interface SubgraphRequest {
  /** The request's id, for logs. */
  readonly id: string
  /** The `performance.now()` time by which the whole request must be answered. */
  readonly deadline: number
  /** A header of the caller, by its lower-case name. */
  header(name: string): string | undefined
  /** Whether the client went away or the deadline passed. */
  readonly cancelled: boolean
  /** Calls `listener` once when the request is cancelled; answers the way to stop listening. */
  onCancel(listener: () => void): () => void
  readonly meter: Meter
  /** The caller; undefined if callers are not authenticated. */
  readonly identity?: Identity | undefined
  /**
   * Set if the quota of a service is used up: what costs units may then be answered from the cache alone, and is
   * not asked for together with other requests, which would pay for it.
   */
  readonly cacheOnly?: boolean | undefined
  /** The units that are reserved for it; undefined if none are. */
  readonly allowance?: Allowance | undefined
  /** Set if no operation made it, as with a poll for subscriptions: each of its calls is admitted and settled alone. */
  readonly background?: boolean | undefined
  /** Set if an earlier attempt may have made the change that is asked for: it is to be found out first. */
  readonly earlierAttempt?: EarlierAttempt | undefined
}

/** Units that were reserved for a request before it runs: what its calls cost is taken from there. */
export interface Allowance {
  /** Takes the units of one call, and reserves what is not left; throws, or rejects, if that is refused. */
  take(units: number): Promise<void> | undefined
}

/** The idempotency key of each root field of a mutation, by its response key; one text if all have the same. */
export type IdempotencyKeys = string | ReadonlyMap<string, string>

/** An attempt at a write whose outcome is unknown. */
export interface EarlierAttempt {
  /** When it began, in milliseconds since 1970, by the clock that all gateways share. */
  readonly since: number
  /** After so many milliseconds more, what does not show at the service was not done. */
  readonly leftMs: number
}

/** Carries an `EarlierAttempt` to a subgraph service. */
export const earlierAttemptHeader = 'tessera-earlier-attempt'

export const earlierAttemptText = ({ since, leftMs }: EarlierAttempt): string =>
  `${Math.round(since)} ${Math.ceil(leftMs)}`

/** What the header says; undefined if there is none, or something else stands in it. */
export function readEarlierAttempt(text: string | undefined): EarlierAttempt | undefined {
  const [, since, leftMs] = /^(\d{1,15}) (\d{1,10})$/.exec(text ?? '') ?? []
  return since === undefined ? undefined : { since: Number(since), leftMs: Number(leftMs) }
}

/**
 * One request that stands for several which wait for the same call: cancelled only when all of them are,
 * as patient as the most patient, and booked as `shared` on every one but the first.
 */
export function joinRequests(requests: readonly SubgraphRequest[]): SubgraphRequest {
  const [first] = requests
  if (first === undefined) throw new Error('joinRequests needs at least one request')
  return requests.length === 1 ? first : new JoinedRequest(first, requests)
}

/** A call as it is booked on a request that shares it with the one that made it. */
export function sharedRecord(record: CallRecord): CallRecord {
  return record.outcome === 'sent' || record.outcome === 'revalidated'
    ? { ...record, outcome: 'shared', units: 0 }
    : { ...record, units: 0 }
}

/**
 * A class, because of its getter: each object literal with one gets a hidden class of its own, which keeps the
 * getter, and with it all that the requests hold, until the next full collection.
 */
class JoinedRequest implements SubgraphRequest, Meter {
  readonly id: string
  readonly deadline: number
  readonly meter: Meter = this
  readonly identity: Identity | undefined
  readonly allowance: Allowance | undefined
  readonly #first: SubgraphRequest
  readonly #requests: readonly SubgraphRequest[]

  constructor(first: SubgraphRequest, requests: readonly SubgraphRequest[]) {
    this.id = first.id
    this.identity = first.identity
    // The first one pays.
    this.allowance = first.allowance
    this.deadline = Math.max(...requests.map((request) => request.deadline))
    this.#first = first
    this.#requests = requests
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

  call(record: CallRecord): void {
    this.#first.meter.call(record)
    const shared = sharedRecord(record)
    for (const request of this.#requests) if (request !== this.#first) request.meter.call(shared)
  }
}
