/** Runs a generator to its end without pausing, and returns its result. */
export function runToEnd<Made>(work: () => Generator<undefined, Made, undefined>): Made {
  const steps = work()
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}
