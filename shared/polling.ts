/**
 * Subscriptions between a subgraph and its executor: what `Subscription.<field>.subscribe` yields, and what the
 * pollers behind it have in common with those of other processes.
 *
 * `subscribe(source, args, context, info)` returns an async iterable of `LiveEvent`; each event is the root value of one
 * execution, for which `resolve` hands over its `value`, with a context of that subgraph made anew. `return()` ends the
 * subscription. If it cannot begin, `subscribe` rejects; where it ends for a reason, `next()` rejects, both with an error of
 * `tesseraError`. It is done without an error if nothing can follow.
 */

/** One event of a subscription. */
export interface LiveEvent<T = unknown> {
  /** The value of the root field. */
  readonly value: T
  /**
   * Of a gauge: an event that was not delivered yet is replaced by a later one of the same key, as only the newest value
   * matters. Without it the event belongs to a list, of which none may be left out.
   */
  readonly key?: string | undefined
  /** Where to resume after this event: what the field's argument `after` takes; undefined if it has none. */
  readonly id?: string | undefined
  /** Beside `data`: in the first event `live`, the interval and the price (`LivePrice`). */
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** What a subscription costs, as `extensions.live` of its first event says it. */
export interface LivePrice {
  /** The seconds between two polls that are planned now. */
  readonly intervalSeconds: number
  /** The units of one poll, which all subscribers of the same service and credential share. */
  readonly unitsPerPoll: number
  /** The units of an hour at that interval, for all of them together. */
  readonly unitsPerHour: number
}

/** What came of one poll. */
export interface PollEvent {
  readonly service: string
  /** The field of `Subscription` that it is for. */
  readonly field: string
  /** `refused`: the budget did not allow it. */
  readonly result: 'changed' | 'unchanged' | 'failed' | 'refused'
  readonly milliseconds: number
  /** Until the next one, as planned now. */
  readonly intervalMs: number
}

/** Who measures pollers. */
export interface LiveObserver {
  /** A poller of this process has begun, or ended. */
  poller(service: string, field: string, change: 1 | -1): void
  polled(event: PollEvent): void
  /** Runs one poll, as a trace of its own. */
  around<T>(service: string, field: string, run: () => Promise<T>): Promise<T>
}

/** The time, and timers; tests hold them. */
export interface LiveClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls `run` once after so many milliseconds; returns how to prevent it. */
  after(milliseconds: number, run: () => void): () => void
}

/**
 * The processes that watch the same topics. For each topic one of them polls, the leader, and hands what it learns to
 * all. Messages are JSON values.
 *
 * A process that cannot reach the others leads alone, and the others do not get what it learns. When it is back, it asks
 * for the whole state: the leader hands on the whole result of its next poll, not only what changed. Requests are
 * numbered. A message carries the number of the newest request that was known when its poll began (`mark`): by that the
 * process that asked distinguishes messages that may be older than what it learned alone from newer ones.
 */
export interface LiveStore {
  /** Joins those that watch a topic. Never throws: a process that cannot reach the others leads alone. */
  join(topic: string, member: LiveMember): LiveRoom
  close(): Promise<void>
}

/** One process in a topic, as the store sees it. */
export interface LiveMember {
  /**
   * Whether this process polls from now on; not before `join` has returned. More than one may for a moment. A poll that is
   * under way when this process ceases to lead must come to nothing, as what other processes learn may be newer.
   */
  lead(leading: boolean): void
  /**
   * A message of the leader, in order; its own are not among them. One can come twice if the leader changed. With
   * `older` it may be older than what this process learned by itself: it counts only for what nothing is known of.
   */
  hear(message: unknown, older: boolean): void
  /** What the other members want, after it changed. */
  wants(wants: readonly unknown[]): void
  /** Called while this process leads: another one may lack what was learned, so the next poll has to be handed on whole. */
  renew(): void
}

/** What a member does in a topic. */
export interface LiveRoom {
  /** What this process wants of the topic; replaces what it wanted before. */
  want(want: unknown): void
  /** Read when a poll begins, and given with what came of it. */
  readonly mark: number
  /**
   * Hands a message to the other members. `mark`: as of when it holds. `whole`: it says everything that is known, as
   * `renew` wanted it.
   */
  tell(message: unknown, mark: number, whole?: boolean): void
  /** The current interval, by which the time of the lease is measured: in milliseconds. */
  pace(milliseconds: number): void
  leave(): void
}
