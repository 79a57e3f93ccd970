/** What plans cost, and how an attempt at one can end before it is made. */

/** In the order of their weight. */
export interface Cost {
  readonly stages: number
  readonly fetches: number
  readonly fields: number
}

export interface Choice {
  readonly taken: number
  readonly count: number
}

/** This way leads nowhere. */
export class DeadEnd extends Error {}
/** It costs no less than what is known already. */
export class TooDear extends Error {}
/** The steps that were granted are used up. */
export class OutOfSteps extends Error {}

export function costsLess(a: Cost, b: Cost): boolean {
  if (a.stages !== b.stages) return a.stages < b.stages
  if (a.fetches !== b.fetches) return a.fetches < b.fetches
  return a.fields < b.fields
}
