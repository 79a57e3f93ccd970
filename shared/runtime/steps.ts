/** Work in steps: a generator that yields between them, so that other work can run meanwhile. */

export type Steps<Made> = Generator<undefined, Made, undefined>

/** Does the work without pausing, and returns its result. */
export function runToEnd<Made>(work: () => Steps<Made>): Made {
  const steps = work()
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

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
