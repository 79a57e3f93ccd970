/**
 * The interface of subscriptions between a subgraph and its executor, and of pollers with other processes.
 *
 * `subscribe(source, args, context, info)` returns an async iterable of `LiveEvent`. Each event is the root value of
 * one execution with a new context of the subgraph, and `resolve` returns its `value`. `return()` ends the
 * subscription. If it cannot begin, `subscribe` rejects. If it ends with an error, `next()` rejects. Both errors are
 * made by `tesseraError`. It is done without an error if no event can follow.
 */

/** One event of a subscription. */
export interface LiveEvent<T = unknown> {
  /** The value of the root field. */
  readonly value: T
  /**
   * A later event with the same key replaces this one if it was not delivered yet, because only the newest value of a
   * gauge matters. Events without a key are all delivered.
   */
  readonly key?: string | undefined
  /** The value of the field's argument `after` to resume after this event. Undefined if it has none. */
  readonly id?: string | undefined
  /**
   * On the first event: the subscription began at a place of its own, such as a position or the beginning of a window.
   * Subscribers that come later would miss what came before them, so they get a subscription of their own.
   */
  readonly own?: boolean | undefined
  /** Extensions of the result. The first event has `live`: the interval and the price (`LivePrice`). */
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** The price of a subscription, in `extensions.live` of its first event. */
export interface LivePrice {
  /** The planned seconds between two polls. */
  readonly intervalSeconds: number
  /** The units of one poll, which all subscribers of the same service and credential share. */
  readonly unitsPerPoll: number
  /** The units of an hour at that interval, for all of them. */
  readonly unitsPerHour: number
}

export interface PollEvent {
  readonly service: string
  /** The field of `Subscription`. */
  readonly field: string
  /** `refused`: the budget did not allow it. */
  readonly result: 'changed' | 'unchanged' | 'failed' | 'refused'
  readonly milliseconds: number
  /** The planned time until the next poll. */
  readonly intervalMs: number
}

export interface LiveObserver {
  /** A poller of this process began or ended. */
  poller(service: string, field: string, change: 1 | -1): void
  polled(event: PollEvent): void
  /** Runs one poll in its own trace. */
  around<T>(service: string, field: string, run: () => Promise<T>): Promise<T>
}

/** The time, and timers. Tests replace them. */
export interface LiveClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls `run` once after this time. Returns a function that prevents it. */
  after(milliseconds: number, run: () => void): () => void
}

/**
 * The processes that watch the same topics. One of them, the leader, polls for a topic and sends what it learns to
 * all. Messages are JSON values.
 *
 * A process that cannot reach the others leads alone, and the others do not receive what it learns. When it is back,
 * it requests the whole state: the leader sends the whole result of its next poll, and not only the changes. Requests
 * are numbered. A message has the number of the newest request that was known when its poll began. The requesting process
 * uses it to distinguish messages that may be older than what it learned alone.
 *
 * A process that is held up while it polls may send its result after another leader has sent a newer one. Such a message
 * is refused: each message names the last one that its process had heard when the poll began.
 */
export interface LiveStore {
  /** Joins a topic. Never throws: a process that cannot reach the others leads alone. */
  join(topic: string, member: LiveMember): LiveMembership
  close(): Promise<void>
}

/** A process in a topic, as the store sees it. */
export interface LiveMember {
  /**
   * Whether this process polls from now on; not called before `join` has returned. Several processes may lead for a
   * moment. The result of a poll that is under way when this process ceases to lead must be dropped, because others
   * may know more.
   */
  lead(leading: boolean): void
  /**
   * A message of another leader, in order. A message can arrive twice if the leader changed. With `older` it may be
   * older than what this process learned: it counts only for what is unknown.
   */
  hear(message: unknown, older: boolean): void
  /** The wishes of the other members, after a change. */
  wants(wants: readonly unknown[]): void
  /** Called while this process leads: another process lacks state, so the next poll must be sent as a whole. */
  renew(): void
}

/** What a process knows when a poll begins. */
export interface LiveMark {
  /** The number of the newest request for the whole state. */
  readonly asked: number
  /** The last message that was heard. Undefined if the process is alone. */
  readonly heard: string | undefined
}

export interface LiveMembership {
  /** Sets what this process wants of the topic. */
  want(want: unknown): void
  /** Read when a poll begins, and passed with its result. */
  readonly mark: LiveMark
  /**
   * Sends a message to the other members. `mark` is the value at the beginning of the poll. `whole`: it contains the
   * whole state, as `renew` requested.
   */
  tell(message: unknown, mark: LiveMark, whole?: boolean): void
  /** The current interval in milliseconds, which determines the time of the lease. */
  pace(milliseconds: number): void
  leave(): void
}
