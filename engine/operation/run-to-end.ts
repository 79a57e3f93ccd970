/** What work in steps makes, its steps one right after the other. */
export function runToEnd<Made>(work: () => Generator<undefined, Made, undefined>): Made {
  const steps = work()
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}
