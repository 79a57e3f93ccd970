/**
 * Conditions of `@skip` and `@include` in plans, as conjunctions with a key for comparison. A list of conjunctions
 * holds if one of them does.
 */
import { both, type Condition, holds, implies as impliesAll } from '../../shared/graphql/conditions.ts'

/** Sorted by variable. Each variable occurs once. */
export interface Conjunction {
  readonly key: string
  readonly all: readonly Condition[]
}

/** Holds if any of the conjunctions does. */
export type Conditions = readonly Conjunction[]

export const always: Conjunction = { key: '', all: [] }

/** The conjunction of conditions that are sorted already. */
export const conjunctionOf = (all: readonly Condition[]): Conjunction => ({
  key: all.map(({ variable, value }) => (value ? `$${variable}` : `!$${variable}`)).join(' '),
  all,
})

/** The conjunction of both. Undefined if they exclude each other. */
export function and(conjunction: Conjunction, more: readonly Condition[]): Conjunction | undefined {
  const all = both(conjunction.all, more)
  if (all === undefined) return undefined
  if (all === conjunction.all) return conjunction
  return conjunctionOf(all.toSorted((a, b) => (a.variable < b.variable ? -1 : 1)))
}

/** Whether `weak` holds whenever `strong` does. */
export function implies(strong: Conjunction, weak: Conjunction): boolean {
  return strong.key === weak.key || impliesAll(strong.all, weak.all)
}

export function without(conjunction: Conjunction, given: Conjunction): readonly Condition[] {
  if (given.all.length === 0) return conjunction.all
  return conjunction.all.filter(({ variable }) => !given.all.some((each) => each.variable === variable))
}

/** Adds a conjunction and removes those that it covers. Returns false if it is covered already. */
export function widen(any: Conjunction[], one: Conjunction): boolean {
  if (any.some((each) => implies(one, each))) return false
  let kept = 0
  for (const each of any) if (!implies(each, one)) any[kept++] = each
  any.length = kept
  any.push(one)
  return true
}

/** The conditions in sorted order. Undefined if they always hold. */
export function conditionsOf(any: readonly Conjunction[]): Conditions | undefined {
  if (any.some(({ all }) => all.length === 0)) return undefined
  return [...any].sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** Whether the variables meet conditions. Undefined ones always hold. */
export function areMet(
  conditions: Conditions | undefined,
  variables: Readonly<Record<string, unknown>>,
): boolean {
  return conditions === undefined || conditions.some(({ all }) => holds(all, variables))
}
