/** The cost of plans, and the errors that end an attempt early. */

/** Compared in this order. */
export interface Cost {
  readonly stages: number
  readonly fetches: number
  readonly fields: number
}

/** The option that an attempt took, and how many there were. */
export interface Choice {
  readonly taken: number
  readonly count: number
}

/** The options taken so far lead to no plan. */
export class DeadEnd extends Error {}
/** The attempt costs as much as the best known plan. */
export class TooExpensive extends Error {}
/** The steps or the time are used up. */
export class OutOfSteps extends Error {}

// Each is made once: they are thrown often, and nobody reads their stacks.
export const deadEnd: DeadEnd = new DeadEnd()
export const tooExpensive: TooExpensive = new TooExpensive()
export const outOfSteps: OutOfSteps = new OutOfSteps()

export function costsLess(a: Cost, b: Cost): boolean {
  if (a.stages !== b.stages) return a.stages < b.stages
  if (a.fetches !== b.fetches) return a.fetches < b.fetches
  return a.fields < b.fields
}
