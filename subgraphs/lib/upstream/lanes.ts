/**
 * How many calls go to a service at the same time. Those beyond wait in order of arrival, a bounded number
 * of them and no longer than their patience; the rest is refused at once.
 */
import { type Impatience, type Patience, waitFor } from './patience.ts'

export type Turn = 'entered' | 'full' | 'shut' | Impatience

export interface Lanes {
  readonly active: number
  readonly waiting: number
  /** Takes a lane that is free and that nobody waits for. Who entered must `leave`. */
  enter(): boolean
  /** Waits for a lane. */
  wait(deadline: number, patience: Patience): Promise<Turn>
  leave(): void
  /** Sends away all who wait. */
  shut(): void
}

export function createLanes(concurrency: number, capacity: number): Lanes {
  let active = 0
  /** A Set keeps the order of arrival and forgets who left early. */
  const waiters = new Set<(turn: Turn) => void>()

  return {
    get active() {
      return active
    },
    get waiting() {
      return waiters.size
    },
    enter() {
      if (active >= concurrency) return false
      active += 1
      return true
    },
    wait(deadline, patience) {
      if (waiters.size >= capacity) return Promise.resolve('full')
      return new Promise((resolve) => {
        let waiting: { over(): void } | undefined
        const take = (turn: Turn): void => {
          waiters.delete(take)
          waiting?.over()
          resolve(turn)
        }
        waiters.add(take)
        // Whoever's patience has ended already is told within this call.
        waiting = waitFor(deadline, patience, take)
      })
    },
    leave() {
      // The lane goes straight to the next in line: nobody who comes meanwhile can take it.
      for (const take of waiters) {
        take('entered')
        return
      }
      active -= 1
    },
    shut() {
      for (const take of [...waiters]) take('shut')
    },
  }
}
