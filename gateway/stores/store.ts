/**
 * What features keep, in one interface. A feature describes its kind once: what this process remembers, and its steps.
 * A step is written for each backend, side by side, and is atomic for all that use the backend. Backends share nothing
 * of a feature; features know nothing of connections, timeouts and outages.
 *
 * A third backend implements `Stores`, and adds its form to `Step`: the compiler then lists the steps that lack it.
 */

/** Opens what features keep. */
export interface Stores {
  /** Whether what one process keeps is known to all that were given the same backend. */
  readonly isShared: boolean
  /** Whether several processes serve together without a backend that they share. */
  readonly isApart: boolean
  open<Kept>(kind: Kind<Kept>): Store<Kept>
  /** Hears what others publish on channels; with a shared backend alone. */
  listen?(words: Outage, hear: (channel: string, text: string) => void): Listener
}

export interface Listener {
  /** Whether everything that is published on the channel from now on comes here, until the backend is away. */
  subscribe(channel: string): Promise<boolean>
  unsubscribe(channel: string): void
  /** As for `Store`. */
  reached(listener: () => void): void
  close(): void
}

/** What the log says when the backend is away, and when it is back. */
export interface Outage {
  readonly away: string
  readonly back: string
}

/** What one feature keeps. */
export interface Kind<Kept> extends Outage {
  /** The feature's name in documents. */
  readonly feature: string
  /** Makes the memory of this process: all that there is without a shared backend. It is bounded. */
  memory(): Kept
  /** Patterns of its keys, in the form of Redis' access rules. */
  readonly keys: readonly string[]
  /** Patterns of the channels that it listens to. */
  readonly channels?: readonly string[]
  readonly steps: readonly SharedStep<never, unknown>[]
  /** Whether its writes are confirmed (`Store.confirm`). */
  readonly isConfirmed?: boolean
  /**
   * Does what the feature does, under keys of its own as far as possible, for `tessera check`: `id` is new each time.
   * What it leaves is small and expires.
   */
  attempt(run: Attempt, id: string): Promise<unknown>
}

/** Runs a step; rejects with what the backend refuses. */
export type Attempt = <Input, Output>(step: SharedStep<Input, Output>, input: Input) => Promise<Output>

/** A step in each shared backend. */
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
  /** Whether the reply ends with that of `TIME`, by which `Store.now` goes on. */
  readonly isTimed?: boolean
}

export type Reply = string | number | null | readonly Reply[]

export interface Store<Kept> {
  /** What this process remembers. */
  readonly here: Kept
  readonly isShared: boolean
  /**
   * Runs the step where the kind is kept. Undefined if the backend is away, or does not answer in time; the log says so
   * once. Synchronous in memory.
   */
  run<Input, Output>(step: Step<Kept, Input, Output>, input: Input): Output | Promise<Output | undefined>
  /** For kinds that this process remembers besides: the same with a shared backend, and undefined without one. */
  share<Input, Output>(step: SharedStep<Input, Output>, input: Input): Promise<Output | undefined>
  /**
   * Whether everything that was answered so far survives the loss of a server, as far as that is configured. If not,
   * the log says so once.
   */
  confirm(): Promise<boolean> | true
  /** The clock of all that share the backend, in milliseconds since 1970; undefined until it is known. */
  now(): number | undefined
  /** Called whenever the backend can be reached again, and when it is reached for the first time. */
  reached(listener: () => void): void
  close(): void
}
