/**
 * `@skip` and `@include`: the one evaluator of both. Literal conditions are decided when a selection is read, those
 * on variables become values that can be decided for each request. A condition holds where its variable is `true`
 * and is required to be, or is anything else and is required not to be.
 */
import { type DirectiveNode, type DocumentNode, Kind, visit } from 'graphql'

type Variables = Readonly<Record<string, unknown>>

export interface Condition {
  readonly variable: string
  /** What the variable has to be. */
  readonly value: boolean
}

interface Selected {
  readonly directives?: readonly DirectiveNode[] | undefined
}

const none: readonly Condition[] = []

/**
 * The conditions on variables under which the node is selected, in addition to `outer`, those that hold around it.
 * Undefined where it never is: a literal condition excludes it, or two conditions exclude each other.
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
      const variable = argument.name.value
      const known = all.find((each) => each.variable === variable)
      if (known === undefined) all = [...all, { variable, value: !skip }]
      else if (known.value === skip) return undefined
    } else if ((argument?.kind === Kind.BOOLEAN && argument.value) === skip) return undefined
  }
  return all
}

/** Whether all of the conditions hold. */
export function holds(conditions: readonly Condition[], variables: Variables): boolean {
  for (const { variable, value } of conditions) if ((variables[variable] === true) !== value) return false
  return true
}

/** Whether the node is selected with these variables. */
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
