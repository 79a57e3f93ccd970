/**
 * Deadlines of many requests and calls on one timer, which checks every 25 milliseconds. Timers for each request and
 * call would be expensive for deadlines that are hardly ever reached.
 */
import { IntrusiveSet, notInSet, type SetItem } from './intrusive-set.ts'

export interface WithDeadline extends SetItem {
  /** In milliseconds of `performance.now()`. */
  readonly deadline: number
  /** Called once after the deadline. It is removed before. */
  expire(): void
}

const watched = new IntrusiveSet<WithDeadline>()
const checkEveryMs = 25
let timer: NodeJS.Timeout | undefined

/** Calls `expire` when the deadline has passed, unless that is infinite. The timer keeps no process alive. */
export function watchDeadline(item: WithDeadline): void {
  if (item.deadline === Number.POSITIVE_INFINITY) return
  watched.add(item)
  timer ??= setInterval(expireLate, checkEveryMs).unref()
}

/** Does nothing if the deadline is not watched. */
export function clearDeadline(item: WithDeadline): void {
  watched.delete(item)
}

function expireLate(): void {
  const now = performance.now()
  for (const late of watched.items()) {
    // The expiry of another item may have removed this one.
    if (late.deadline > now || late.setIndex === notInSet) continue
    clearDeadline(late)
    late.expire()
  }
  if (watched.size === 0 && timer !== undefined) {
    clearInterval(timer)
    timer = undefined
  }
}
