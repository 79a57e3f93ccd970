/**
 * Equal calls at the same moment are one: who comes while it runs rides along. Everybody waits by their
 * own patience, and the call itself is given up only when the last rider has left.
 */
import type { Patience } from './patience.ts'

/** A running call, and the patience of its riders together. A class, because one is made for every call. */
export class Flight<T> implements Patience {
  /** When it began. */
  readonly since: number
  readonly landing: Promise<T>
  #deadline: number
  #riders = 0
  #abandoned = false
  #listeners: Set<() => void> | undefined
  readonly #forget: (flight: Flight<T>) => void

  constructor(
    timeoutMs: number,
    fly: (patience: Patience) => Promise<T>,
    forget: (flight: Flight<T>) => void,
  ) {
    this.since = performance.now()
    this.#deadline = this.since + timeoutMs
    this.#forget = forget
    this.landing = fly(this).finally(() => forget(this))
  }

  get deadline(): number {
    return this.#deadline
  }

  get cancelled(): boolean {
    return this.#abandoned
  }

  onCancel(listener: () => void): () => void {
    this.#listeners ??= new Set()
    this.#listeners.add(listener)
    return () => this.#listeners?.delete(listener)
  }

  board(): void {
    this.#riders += 1
  }

  /** `timedOut` tells whether it was for want of an answer. */
  leave(timedOut: boolean): void {
    this.#riders -= 1
    if (this.#riders > 0) return
    this.#abandoned = true
    if (timedOut) this.#deadline = performance.now()
    this.#forget(this)
    for (const listener of [...(this.#listeners ?? [])]) listener()
  }
}

export interface Flights<T> {
  find(key: string): Flight<T> | undefined
  /** Begins a flight that takes the place of an older one with this key. */
  begin(key: string, timeoutMs: number, fly: (patience: Patience) => Promise<T>): Flight<T>
}

export function createFlights<T>(): Flights<T> {
  const flights = new Map<string, Flight<T>>()
  return {
    find: (key) => flights.get(key),
    begin(key, timeoutMs, fly) {
      const flight = new Flight(timeoutMs, fly, (ended) => {
        if (flights.get(key) === ended) flights.delete(key)
      })
      flights.set(key, flight)
      return flight
    },
  }
}
