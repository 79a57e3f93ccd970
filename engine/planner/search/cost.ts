/** What plans cost, and how an attempt at one can end before it is made. */

/** In the order of their weight. */
export interface Cost {
  readonly stages: number
  readonly fetches: number
  readonly fields: number
}

/** Which of several options an attempt took, of how many. */
export interface Choice {
  readonly taken: number
  readonly count: number
}

/** The options that were taken lead to no plan. */
export class DeadEnd extends Error {}
/** It costs no less than the best plan that is known. */
export class TooExpensive extends Error {}
/** The steps that were granted are used up, or the time is. */
export class OutOfSteps extends Error {}

// Made once: they are thrown often, and their stacks are not read.
export const deadEnd: DeadEnd = new DeadEnd()
export const tooExpensive: TooExpensive = new TooExpensive()
export const outOfSteps: OutOfSteps = new OutOfSteps()

export function costsLess(a: Cost, b: Cost): boolean {
  if (a.stages !== b.stages) return a.stages < b.stages
  if (a.fetches !== b.fetches) return a.fetches < b.fetches
  return a.fields < b.fields
}
