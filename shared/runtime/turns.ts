/** Turns of the event loop, between which requests are served. Browsers have no `setImmediate`. */
import type { Steps } from './steps.ts'

/** A request needs several turns of the event loop, and each waits for a turn of the work. */
const longTurnMs = 5

/** Does the work over as many turns of the event loop as it takes, in which requests are served, too. */
export async function runInTurns<Made>(work: () => Steps<Made>): Promise<Made> {
  const steps = work()
  for (;;) {
    const end = performance.now() + longTurnMs
    let step = steps.next()
    while (step.done !== true && performance.now() < end) step = steps.next()
    if (step.done === true) return step.value
    await nextTurn()
  }
}

/** Lets requests run in between. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
