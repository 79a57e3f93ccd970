/**
 * One interface for the data that features store. A feature describes its kind of data once: the memory of one process,
 * and the steps that read and change the data. A step is written for each backend, side by side, and is atomic for all
 * processes that use the backend. A backend knows nothing about features, and a feature knows nothing about
 * connections, timeouts and outages.
 *
 * To add a backend, implement `Stores` and add its form to `Step`: the compiler then lists the steps that lack it.
 */

/** A backend. It opens a store for each kind of data. */
export interface Stores {
  /** Whether all processes with this backend see the same data. */
  readonly isShared: boolean
  /** Whether several processes serve one port without a shared backend. */
  readonly isApart: boolean
  open<Kept>(kind: Kind<Kept>): Store<Kept>
  /** Receives what other processes publish on channels. Only shared backends have it. */
  listen?(words: Outage, hear: (channel: string, text: string) => void): Listener
}

export interface Listener {
  /** Resolves to whether the listener receives everything that is published on the channel until the backend is away. */
  subscribe(channel: string): Promise<boolean>
  unsubscribe(channel: string): void
  reached(listener: () => void): void
  close(): void
}

/** What the log says when the backend is away, and when it is back. */
export interface Outage {
  readonly away: string
  readonly back: string
}

/** The data of one feature. */
export interface Kind<Kept> extends Outage {
  /** The feature's name in documents. */
  readonly feature: string
  /** Makes the bounded memory of this process. Without a shared backend, it holds all data. */
  memory(): Kept
  /** Patterns of its keys, in the form of Redis' access rules. */
  readonly keys: readonly string[]
  /** Patterns of the channels that it listens to. */
  readonly channels?: readonly string[]
  readonly steps: readonly SharedStep<never, unknown>[]
  /** Whether its writes are confirmed (`Store.confirm`). */
  readonly isConfirmed?: boolean
  /**
   * Runs the steps of the feature for `tessera check`, with keys that contain `id`, which is new each time. Whatever it
   * stores is small and expires.
   */
  attempt(run: Attempt, id: string): Promise<unknown>
}

/** Runs a step. Rejects with the backend's error. */
type Attempt = <Input, Output>(step: SharedStep<Input, Output>, input: Input) => Promise<Output>

export interface SharedStep<Input, Output> {
  readonly redis: RedisStep<Input, Output>
}

/** A step in every backend. */
export interface Step<Kept, Input, Output> extends SharedStep<Input, Output> {
  memory(kept: Kept, input: Input): Output
}

/** A script, or a single command. */
export type RedisStep<Input, Output> = ({ readonly lua: string } | { readonly command: string }) & {
  keys(input: Input): readonly string[]
  args(input: Input): readonly (string | number)[]
  read(reply: Reply, input: Input): Output
  /** Whether the reply ends with the reply to `TIME`, which sets `Store.now`. */
  readonly isTimed?: boolean
}

export type Reply = string | number | null | readonly Reply[]

export interface Store<Kept> {
  /** The memory of this process. */
  readonly here: Kept
  readonly isShared: boolean
  /**
   * Runs the step in the backend. Resolves to undefined if the backend is away or does not answer in time, which is
   * logged once. It is synchronous if the backend is the memory of this process.
   */
  run<Input, Output>(step: Step<Kept, Input, Output>, input: Input): Output | Promise<Output | undefined>
  /** Runs the step only if the backend is shared, for features that also use `here`. Undefined without one. */
  share<Input, Output>(step: SharedStep<Input, Output>, input: Input): Promise<Output | undefined>
  /**
   * Whether all completed writes are on as many replicas as are configured, so that they survive the loss of a server.
   * If not, that is logged once.
   */
  confirm(): Promise<boolean> | true
  /** The clock of all that share the backend, in milliseconds since 1970; undefined until it is known. */
  now(): number | undefined
  /** Called whenever the backend can be reached again, and when it is reached for the first time. */
  reached(listener: () => void): void
  close(): void
}
