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

// Each is made once: they are thrown often, and nobody reads their stacks.
export const deadEnd = new Error('The options taken so far lead to no plan.')
export const tooExpensive = new Error('The attempt costs as much as the best known plan.')
export const outOfSteps = new Error('The steps or the time are used up.')

export function costsLess(a: Cost, b: Cost): boolean {
  if (a.stages !== b.stages) return a.stages < b.stages
  if (a.fetches !== b.fetches) return a.fetches < b.fetches
  return a.fields < b.fields
}
