/** Reads the arguments of `@defer` and `@stream` with the variables of a request. */
import { type DocumentNode, Kind, type ValueNode, visit } from 'graphql'
import { tesseraError } from '../../../shared/errors.ts'
import { hasMarks, type Mark, markOf } from './directives.ts'

type Variables = Readonly<Record<string, unknown>>

export interface MarkArguments {
  readonly isActive: boolean
  readonly initialCount: number
}

/** Throws if a variable has an invalid value. */
export function argumentsOf({ when, initialCount }: Mark, variables: Variables): MarkArguments {
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

/** The variables that decide on the delivery groups of an operation. Undefined if the document has no marks. */
export function dividingVariables(document: DocumentNode): readonly string[] | undefined {
  if (!hasMarks(document)) return undefined
  const names = new Set<string>()
  const note = (value: ValueNode | undefined): void => {
    if (value?.kind === Kind.VARIABLE) names.add(value.name.value)
  }
  visit(document, {
    enter(node) {
      if (node.kind === Kind.DIRECTIVE && (node.name.value === 'skip' || node.name.value === 'include'))
        note(node.arguments?.[0]?.value)
      if (
        node.kind !== Kind.FIELD &&
        node.kind !== Kind.INLINE_FRAGMENT &&
        node.kind !== Kind.FRAGMENT_SPREAD
      )
        return
      const mark = markOf(node)
      if (mark === undefined) return
      note(mark.when)
      note(mark.initialCount)
    },
  })
  return [...names].sort()
}
