/**
 * Many who wait, each until a deadline of its own, on one timer that looks every 25 milliseconds: whoever is
 * late is told within that time. A timer for each would cost every request and every call a microsecond or two,
 * for deadlines that hardly ever come.
 */

export interface Waiter {
  /** In the time of `performance.now()`. */
  readonly deadline: number
  /** Where it stands among those that wait; `nowhere` before and after. Kept by this module. */
  place: number
  /** The deadline has passed, and it does not wait any more. */
  expire(): void
}

export const nowhere = -1

/**
 * Not a Set: one with so much coming and going leaves a trail of outgrown tables behind, and those that have
 * become old keep the waiters of later ones from being collected young.
 */
const waiting: Waiter[] = []
const lookEveryMs = 25
let timer: NodeJS.Timeout | undefined

/** Keeps no process alive. */
export function wait(waiter: Waiter): void {
  waiter.place = waiting.push(waiter) - 1
  timer ??= setInterval(look, lookEveryMs).unref()
}

/** Does nothing for who does not wait. */
export function stopWaiting(waiter: Waiter): void {
  const { place } = waiter
  if (place === nowhere) return
  waiter.place = nowhere
  const last = waiting.pop()
  if (last === undefined || last === waiter) return
  waiting[place] = last
  last.place = place
}

function look(): void {
  const now = performance.now()
  for (const late of waiting.filter(({ deadline }) => deadline <= now)) {
    // The one before may have ended this one, too.
    if (late.place === nowhere) continue
    stopWaiting(late)
    late.expire()
  }
  if (waiting.length === 0 && timer !== undefined) {
    clearInterval(timer)
    timer = undefined
  }
}
