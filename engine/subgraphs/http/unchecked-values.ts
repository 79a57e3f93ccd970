/** Which operations have values that the gateway leaves to the subgraph. */
import { BREAK, Kind, parse, specifiedScalarTypes, visit } from 'graphql'
import { namedType } from '../../../shared/graphql/named-type.ts'

/** The gateway makes representations itself. */
const checked: ReadonlySet<string> = new Set([...specifiedScalarTypes.map(({ name }) => name), '_Any'])

/**
 * Whether the operation can have a value of a custom scalar, whose form the subgraph alone knows. The text does not tell the
 * type of a literal, or what is in an input object: each of them can have one.
 */
export function canHaveUncheckedValues(text: string): boolean {
  let found = false
  const note = (): typeof BREAK => {
    found = true
    return BREAK
  }
  visit(parse(text, { noLocation: true }), {
    VariableDefinition: ({ type }) => (checked.has(namedType(type)) ? false : note()),
    Argument: ({ value }) => (value.kind === Kind.VARIABLE ? false : note()),
  })
  return found
}
