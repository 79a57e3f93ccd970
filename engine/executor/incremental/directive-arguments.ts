/** Reads the arguments of `@defer` and `@stream` with the variables of a request. */
import { Kind, type ValueNode } from 'graphql'
import { tesseraError } from '../../../shared/errors.ts'
import type { NormalisedOperation, Selection } from '../../operation/normalised.ts'
import type { Variables } from '../../operation/variables.ts'
import type { IncrementalDirective } from './directives.ts'

interface DirectiveArguments {
  readonly isActive: boolean
  readonly initialCount: number
}

/** Throws if a variable has an invalid value. */
export function argumentsOf(
  { when, initialCount }: IncrementalDirective,
  variables: Variables,
): DirectiveArguments {
  const count = givenValue(initialCount, variables)
  // A variable without a value gives the default, as for every argument.
  const isActive = givenValue(when, variables) !== false
  if (isActive && typeof count === 'number' && count < 0)
    throw tesseraError('BAD_USER_INPUT', `\`initialCount\` of @stream must be 0 or more, not ${count}.`)
  return { isActive, initialCount: typeof count === 'number' ? count : 0 }
}

function givenValue(node: ValueNode | undefined, variables: Variables): unknown {
  if (node?.kind === Kind.VARIABLE) return variables[node.name.value]
  if (node?.kind === Kind.BOOLEAN) return node.value
  return node?.kind === Kind.INT ? Number(node.value) : undefined
}

/** The variables that decide on the delivery groups of an operation. Undefined if it has neither directive. */
export function dividingVariables({
  selections,
  fields,
}: NormalisedOperation): readonly string[] | undefined {
  const directives: IncrementalDirective[] = []
  const names = new Set<string>()
  const note = (all: readonly Selection[]): void => {
    for (const { when, deferred } of all) {
      for (const { variable } of when?.all ?? []) names.add(variable)
      if (deferred.length > 0) directives.push(...deferred)
    }
  }
  note(selections)
  for (const { selections: below, stream } of fields) {
    if (stream !== undefined) directives.push(stream)
    if (below !== undefined) note(below)
  }
  if (directives.length === 0) return undefined
  for (const { when, initialCount } of directives)
    for (const value of [when, initialCount]) if (value?.kind === Kind.VARIABLE) names.add(value.name.value)
  return [...names].sort()
}
