/**
 * Deadlines of many requests and calls on one timer, which checks every 25 milliseconds. Timers for each request and
 * call would be expensive for deadlines that are hardly ever reached.
 */
import { Bag, type Bagged, notInBag } from './bag.ts'

export interface Waiter extends Bagged {
  /** In milliseconds of `performance.now()`. */
  readonly deadline: number
  /** Called once after the deadline. The waiter is removed before. */
  expire(): void
}

const waiters = new Bag<Waiter>()
const checkEveryMs = 25
let timer: NodeJS.Timeout | undefined

/** Adds a waiter. The timer keeps no process alive. A waiter without a deadline needs none. */
export function wait(waiter: Waiter): void {
  if (waiter.deadline === Number.POSITIVE_INFINITY) return
  waiters.add(waiter)
  timer ??= setInterval(expireLate, checkEveryMs).unref()
}

/** Removes a waiter. Does nothing if it is not waiting. */
export function stopWaiting(waiter: Waiter): void {
  waiters.delete(waiter)
}

function expireLate(): void {
  const now = performance.now()
  for (const late of waiters.items()) {
    // The expiry of another waiter may have removed this one.
    if (late.deadline > now || late.place === notInBag) continue
    stopWaiting(late)
    late.expire()
  }
  if (waiters.size === 0 && timer !== undefined) {
    clearInterval(timer)
    timer = undefined
  }
}
