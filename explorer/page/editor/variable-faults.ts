/**
 * Missing variables, and variables that are not declared, with their places in the operation and in the JSON. Pure.
 */
import { jsonLanguage } from '@codemirror/lang-json'
import { Kind } from 'graphql'
import { chosenIn } from '../graph/operation.ts'
import { objectFrom } from '../json.ts'

export interface TextFault {
  readonly from: number
  readonly to: number
  readonly message: string
}

export interface VariableFaults {
  /** Places in the operation: declared, required, without a default and without a value. */
  readonly missing: readonly TextFault[]
  /** Places in the variables: given, but declared by no operation. */
  readonly undeclared: readonly TextFault[]
  readonly missingNames: readonly string[]
}

const none: VariableFaults = { missing: [], undeclared: [], missingNames: [] }

/**
 * Returns nothing if either text cannot be parsed, because that is marked separately. `operationName` is the
 * operation that is run.
 */
export function variableFaults(
  query: string,
  variables: string,
  operationName: string | undefined,
): VariableFaults {
  const given = objectFrom(variables)
  const chosen = chosenIn({ query, operationName })
  if (given === undefined || chosen === undefined) return none
  const { operations, operation } = chosen
  const declared = new Set(
    operations.flatMap(({ variableDefinitions = [] }) =>
      variableDefinitions.map((each) => each.variable.name.value),
    ),
  )
  const missing = (operation.variableDefinitions ?? []).filter(
    ({ type, defaultValue, variable }) =>
      type.kind === Kind.NON_NULL_TYPE &&
      defaultValue === undefined &&
      // The name may be that of a member that every object inherits.
      (!Object.hasOwn(given, variable.name.value) || given[variable.name.value] === null),
  )
  return {
    missing: missing.flatMap(({ variable: { loc, name } }) =>
      loc === undefined
        ? []
        : [{ from: loc.start, to: loc.end, message: `The variable $${name.value} has no value.` }],
    ),
    missingNames: missing.map(({ variable }) => variable.name.value),
    undeclared: keysIn(variables)
      .filter(({ name }) => !declared.has(name))
      .map(({ from, to, name }) => ({ from, to, message: `The operation does not declare $${name}.` })),
  }
}

/** The keys of the outermost object, with their quotes. The text is valid JSON. */
function keysIn(text: string) {
  const object = jsonLanguage.parser.parse(text).topNode.getChild('Object')
  const keys = object?.getChildren('Property').flatMap((each) => each.getChild('PropertyName') ?? [])
  return (keys ?? []).map(({ from, to }) => ({ from, to, name: String(JSON.parse(text.slice(from, to))) }))
}
