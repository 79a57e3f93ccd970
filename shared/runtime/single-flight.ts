/**
 * Shares equal work under way: a caller with the same key joins it and receives its result. Each user defines who may
 * join, how long a caller waits, and which results are only for the caller that began the work. Nothing of finished
 * work is kept.
 *
 * Entries, characters of keys and waiting callers are bounded. Beyond the bounds callers work for themselves.
 */
import { HighChurnMap } from './high-churn-map.ts'

/** Work under way. */
export class Flight<Value, Caller> {
  readonly key: string
  /** The caller that began it. */
  readonly leader: Caller
  /** Its beginning, by the clock of the rules. */
  readonly since: number
  readonly result: Promise<Value>
  /** The number of callers that have joined and still wait. */
  waiting = 0

  constructor(
    key: string,
    leader: Caller,
    since: number,
    result: (flight: Flight<Value, Caller>) => Promise<Value>,
  ) {
    this.key = key
    this.leader = leader
    this.since = since
    this.result = result(this)
  }
}

export interface FlightRules<Value, Caller> {
  /** Whether the caller may join. Everybody may by default. */
  readonly mayJoin?: ((flight: Flight<Value, Caller>, caller: Caller) => boolean) | undefined
  /**
   * Waits for the result, or rejects when the caller no longer waits. Undefined if the result is not for this caller,
   * which then joins newer work or begins its own. By default it waits until the work ends.
   */
  readonly wait?: ((flight: Flight<Value, Caller>, caller: Caller) => Promise<Value | undefined>) | undefined
  /** Whether the caller has gone. It finishes alone, and nobody joins that. */
  readonly isOver?: ((caller: Caller) => boolean) | undefined
  /** Converts a result for several callers. Unchanged by default. */
  readonly forMany?: ((value: Value) => Value) | undefined
  /** For `Flight.since`. `performance.now()` by default. */
  readonly clock?: (() => number) | undefined
  /** The most entries that others may join. 10,000 by default. */
  readonly most?: number | undefined
  /** The most characters of one key, and of all. 65,536; 16,777,216. */
  readonly mostCharacters?: { readonly one: number; readonly all: number } | undefined
  /** The most callers that wait for the same work. 10,000 by default. */
  readonly mostWaiting?: number | undefined
}

export class SingleFlight<Value, Caller = undefined> {
  readonly #flights = new HighChurnMap<Flight<Value, Caller>>()
  readonly #rules: FlightRules<Value, Caller>
  readonly #clock: () => number
  readonly #most: number
  readonly #mostCharacters: { readonly one: number; readonly all: number }
  readonly #mostWaiting: number
  #size = 0
  #characters = 0

  constructor(rules: FlightRules<Value, Caller> = {}) {
    this.#rules = rules
    this.#clock = rules.clock ?? (() => performance.now())
    this.#most = rules.most ?? 10_000
    this.#mostCharacters = rules.mostCharacters ?? { one: 65_536, all: 16_777_216 }
    this.#mostWaiting = rules.mostWaiting ?? 10_000
  }

  /** The number of works under way, including forgotten ones. */
  get size(): number {
    return this.#size
  }

  /** Joins work under way, or begins it. Synchronous work is never shared. */
  run(key: string, caller: Caller, work: () => Promise<Value> | Value): Promise<Value> | Value {
    const flight = this.#flights.get(key)
    return flight !== undefined && this.#mayJoin(flight, caller)
      ? this.#follow(flight, caller, work)
      : this.#lead(key, caller, work)
  }

  /** The work under way for a key, for a user that waits in its own way. */
  find(key: string): Flight<Value, Caller> | undefined {
    return this.#flights.get(key)
  }

  /** Begins work that replaces older work under the key. The bounds apply only to `run`. */
  begin(key: string, caller: Caller, work: (caller: Caller) => Promise<Value>): Flight<Value, Caller> {
    return this.#placed(key, caller, this.#clock(), () => work(caller))
  }

  /** Prevents further callers from joining it. */
  forget(flight: Flight<Value, Caller>): void {
    this.#flights.delete(flight.key, flight)
  }

  #mayJoin(flight: Flight<Value, Caller>, caller: Caller): boolean {
    return flight.waiting < this.#mostWaiting && (this.#rules.mayJoin?.(flight, caller) ?? true)
  }

  async #follow(
    first: Flight<Value, Caller>,
    caller: Caller,
    work: () => Promise<Value> | Value,
  ): Promise<Value> {
    const { key } = first
    for (
      let flight: Flight<Value, Caller> | undefined = first;
      flight !== undefined && this.#mayJoin(flight, caller);
      flight = this.#flights.get(key)
    ) {
      const value = await this.#join(flight, caller)
      if (value !== undefined) return value
      if (this.#rules.isOver?.(caller) === true) return work()
    }
    return this.#lead(key, caller, work)
  }

  async #join(flight: Flight<Value, Caller>, caller: Caller): Promise<Value | undefined> {
    const { wait } = this.#rules
    flight.waiting += 1
    try {
      return await (wait === undefined ? flight.result : wait(flight, caller))
    } finally {
      flight.waiting -= 1
    }
  }

  #lead(key: string, caller: Caller, work: () => Promise<Value> | Value): Promise<Value> | Value {
    const since = this.#clock()
    const pending = work()
    if (!(pending instanceof Promise)) return pending
    const { one, all } = this.#mostCharacters
    const isKept = this.#size < this.#most && key.length <= one && this.#characters + key.length <= all
    return isKept ? this.#placed(key, caller, since, () => pending).result : pending
  }

  #placed(key: string, caller: Caller, since: number, work: () => Promise<Value>): Flight<Value, Caller> {
    const flight = new Flight<Value, Caller>(key, caller, since, (own) => this.#watched(own, work()))
    this.#flights.set(key, flight)
    this.#size += 1
    this.#characters += key.length
    return flight
  }

  async #watched(flight: Flight<Value, Caller>, pending: Promise<Value>): Promise<Value> {
    let value: Value
    try {
      value = await pending
    } finally {
      this.#size -= 1
      this.#characters -= flight.key.length
      this.forget(flight)
    }
    const { forMany } = this.#rules
    return forMany === undefined || flight.waiting === 0 ? value : forMany(value)
  }
}
