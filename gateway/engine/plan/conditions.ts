/**
 * Conditions of `@skip` and `@include` on variables. A conjunction holds where all of its conditions hold; a list
 * of conjunctions holds where one of them does. Conjunctions are compared by their key.
 */
import type { Condition } from '../../../contract/graphql/conditions.ts'

/** Sorted by variable, each variable once. */
export interface Conjunction {
  readonly key: string
  readonly all: readonly Condition[]
}

/** Any of these. */
export type Conditions = readonly Conjunction[]

export const always: Conjunction = { key: '', all: [] }

const textOf = ({ variable, value }: Condition): string => (value ? `$${variable}` : `!$${variable}`)

/** Both; undefined where they exclude each other. */
export function and(conjunction: Conjunction, more: readonly Condition[]): Conjunction | undefined {
  let all: Condition[] | undefined
  for (const condition of more) {
    const known = (all ?? conjunction.all).find(({ variable }) => variable === condition.variable)
    if (known === undefined) all = [...(all ?? conjunction.all), condition]
    else if (known.value !== condition.value) return undefined
  }
  if (all === undefined) return conjunction
  all.sort((a, b) => (a.variable < b.variable ? -1 : 1))
  return { key: all.map(textOf).join(' '), all }
}

/** Whether `weak` holds wherever `strong` does. */
export function implies(strong: Conjunction, weak: Conjunction): boolean {
  if (weak.all.length === 0 || strong.key === weak.key) return true
  return weak.all.every(({ variable, value }) =>
    strong.all.some((each) => each.variable === variable && each.value === value),
  )
}

export function without(conjunction: Conjunction, given: Conjunction): readonly Condition[] {
  if (given.all.length === 0) return conjunction.all
  return conjunction.all.filter(({ variable }) => !given.all.some((each) => each.variable === variable))
}

/** Adds one more conjunction; false where it was covered. Those that it covers go. */
export function widen(any: Conjunction[], one: Conjunction): boolean {
  if (any.some((each) => implies(one, each))) return false
  let kept = 0
  for (const each of any) if (!implies(each, one)) any[kept++] = each
  any.length = kept
  any.push(one)
  return true
}

/** The conditions as a plan has them: undefined where they always hold. */
export function conditionsOf(any: readonly Conjunction[]): Conditions | undefined {
  if (any.some(({ all }) => all.length === 0)) return undefined
  return [...any].sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** Decides conditions for the variables of a request; undefined where they always hold. */
export function compileConditions(
  conditions: Conditions | undefined,
): ((variables: Readonly<Record<string, unknown>>) => boolean) | undefined {
  if (conditions === undefined) return undefined
  return (variables) =>
    conditions.some(({ all }) => all.every(({ variable, value }) => (variables[variable] === true) === value))
}
