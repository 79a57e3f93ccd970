/**
 * Equal calls at the same moment are one: who comes while it runs rides along. Everybody waits by their
 * own patience, and the call itself is given up only when the last rider has left.
 */
import type { Patience } from './patience.ts'

export interface Flight<T> {
  /** When it began. */
  readonly since: number
  readonly landing: Promise<T>
  board(): void
  /** `timedOut` tells whether it was for want of an answer. */
  leave(timedOut: boolean): void
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
      const since = performance.now()
      const listeners = new Set<() => void>()
      let riders = 0
      let abandoned = false
      let deadline = since + timeoutMs
      const patience: Patience = {
        get deadline() {
          return deadline
        },
        get cancelled() {
          return abandoned
        },
        onCancel(listener) {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      }
      const forget = (): void => {
        if (flights.get(key) === flight) flights.delete(key)
      }
      const flight: Flight<T> = {
        since,
        // One turn later, so that the flight exists before it can land.
        landing: Promise.resolve()
          .then(() => fly(patience))
          .finally(forget),
        board() {
          riders += 1
        },
        leave(timedOut) {
          riders -= 1
          if (riders > 0) return
          abandoned = true
          if (timedOut) deadline = performance.now()
          forget()
          for (const listener of [...listeners]) listener()
        },
      }
      flights.set(key, flight)
      return flight
    },
  }
}
