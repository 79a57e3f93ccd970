/** Selections of fields as directives write them: with braces around them or without. */
import { Kind, type SelectionSetNode } from 'graphql'
import { parseText } from './parse-text.ts'

/** Throws if the text is anything but fields. */
export function parseFieldSet(text: string): SelectionSetNode {
  const braced = text.trim().startsWith('{') ? text : `{ ${text} }`
  const [definition, ...others] = parseText(braced, { noLocation: true }).definitions
  if (definition?.kind !== Kind.OPERATION_DEFINITION || others.length > 0)
    throw new Error('Expected fields alone.')
  return definition.selectionSet
}

/** The names of the outermost fields: `sku` and `brand` of `sku brand { id }`. */
export const namesIn = ({ selections }: SelectionSetNode): string[] =>
  selections.flatMap((each) => (each.kind === Kind.FIELD ? [each.name.value] : []))
