/** Work in steps: a generator that yields between them, so that other work can run meanwhile. */

export type Steps<Made> = Generator<undefined, Made, undefined>

/** Does the work without pausing, and returns its result. */
export function runToEnd<Made>(work: () => Steps<Made>): Made {
  const steps = work()
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}
