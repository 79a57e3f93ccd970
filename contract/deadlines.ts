/**
 * Deadlines of many requests and calls on one timer, which checks every 25 milliseconds: an expiry is reported within
 * that time. A timer for each would cost every request and every call a microsecond or two, for deadlines that are
 * hardly ever reached.
 */

export interface Waiter {
  /** In the time of `performance.now()`. */
  readonly deadline: number
  /** Its index in the list of waiters; `notWaiting` before and after. Maintained by this module. */
  place: number
  /** Called once when the deadline has passed; it is no longer in the list then. */
  expire(): void
}

export const notWaiting = -1

/**
 * An array and not a Set: with this many additions and removals a Set leaves outgrown hash tables behind, and those
 * that were promoted to the old space keep later waiters from being collected young.
 */
const waiters: Waiter[] = []
const checkEveryMs = 25
let timer: NodeJS.Timeout | undefined

/** Adds a waiter. The timer keeps no process alive. */
export function wait(waiter: Waiter): void {
  waiter.place = waiters.push(waiter) - 1
  timer ??= setInterval(expireLate, checkEveryMs).unref()
}

/** Removes a waiter; does nothing where it is not waiting. */
export function stopWaiting(waiter: Waiter): void {
  const { place } = waiter
  if (place === notWaiting) return
  waiter.place = notWaiting
  const last = waiters.pop()
  if (last === undefined || last === waiter) return
  waiters[place] = last
  last.place = place
}

function expireLate(): void {
  const now = performance.now()
  for (const late of waiters.filter(({ deadline }) => deadline <= now)) {
    // The expiry of an earlier one may have removed this one.
    if (late.place === notWaiting) continue
    stopWaiting(late)
    late.expire()
  }
  if (waiters.length === 0 && timer !== undefined) {
    clearInterval(timer)
    timer = undefined
  }
}
