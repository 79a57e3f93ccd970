/**
 * Conditions of `@skip` and `@include`: reads, joins, compares and decides them. Literal conditions are decided when
 * a selection is read. Conditions on variables become values that are decided for each request. A condition holds if
 * its variable is `true` and must be `true`, or is anything else and must not be.
 *
 * A list of conditions is their conjunction and has each variable once.
 */
import { type DirectiveNode, type DocumentNode, Kind, visit } from 'graphql'

type Variables = Readonly<Record<string, unknown>>

export interface Condition {
  readonly variable: string
  /** Whether the variable must be `true`. */
  readonly value: boolean
}

interface Selected {
  readonly directives?: readonly DirectiveNode[] | undefined
}

const none: readonly Condition[] = []

/**
 * The conditions on variables under which the node is selected, in addition to the `outer` ones around it. Undefined
 * if it never is, because a literal condition or two contradicting conditions exclude it.
 */
export function conditionsOf(
  { directives }: Selected,
  outer: readonly Condition[] = none,
): readonly Condition[] | undefined {
  if (directives === undefined || directives.length === 0) return outer
  let all = outer
  for (const directive of directives) {
    const skip = directive.name.value === 'skip'
    if (!skip && directive.name.value !== 'include') continue
    const argument = directive.arguments?.find(({ name }) => name.value === 'if')?.value
    if (argument?.kind === Kind.VARIABLE) {
      const joined = both(all, [{ variable: argument.name.value, value: !skip }])
      if (joined === undefined) return undefined
      all = joined
    } else if ((argument?.kind === Kind.BOOLEAN && argument.value) === skip) return undefined
  }
  return all
}

/** The conditions of both: `some` itself if `more` adds nothing. Undefined if they contradict each other. */
export function both(
  some: readonly Condition[],
  more: readonly Condition[],
): readonly Condition[] | undefined {
  let all: Condition[] | undefined
  for (const condition of more) {
    const known = (all ?? some).find(({ variable }) => variable === condition.variable)
    if (known === undefined) all = [...(all ?? some), condition]
    else if (known.value !== condition.value) return undefined
  }
  return all ?? some
}

/** Whether `weak` holds whenever `strong` does. */
export function implies(strong: readonly Condition[], weak: readonly Condition[]): boolean {
  return weak.every((needed) =>
    strong.some(({ variable, value }) => variable === needed.variable && value === needed.value),
  )
}

/** Holds if any of the conjunctions does. Undefined always holds. */
export type AnyOf = readonly (readonly Condition[])[] | undefined

export function anyHolds(any: AnyOf, variables: Variables): boolean {
  return any === undefined || any.some((all) => holds(all, variables))
}

export function holds(conditions: readonly Condition[], variables: Variables): boolean {
  for (const { variable, value } of conditions) if ((variables[variable] === true) !== value) return false
  return true
}

export function isIncluded(node: Selected, variables: Variables): boolean {
  const conditions = conditionsOf(node)
  return conditions !== undefined && holds(conditions, variables)
}

/** Whether anything in the document has a condition, literal or not. */
export function hasConditions(document: DocumentNode): boolean {
  let found = false
  visit(document, {
    Directive({ name }) {
      if (name.value === 'skip' || name.value === 'include') found = true
    },
  })
  return found
}
