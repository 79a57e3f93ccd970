/** Fragments of a document by name, the fields of selections, and their response keys. */
import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { memoByObject } from '../runtime/memo.ts'

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

export const fragmentsOf = memoByObject(
  ({ definitions }: DocumentNode): Fragments =>
    new Map(
      definitions.flatMap((definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
      ),
    ),
)

/** The names of the variables in a node. */
export function variablesIn(node: ASTNode): Set<string> {
  const names = new Set<string>()
  visit(node, { Variable: ({ name }) => void names.add(name.value) })
  return names
}

export function responseKey(field: FieldNode): string {
  return (field.alias ?? field.name).value
}

/** The fields of a selection set, those in fragments too. A fragment that contains itself ends there. */
export function selectedFields(
  { selections }: SelectionSetNode,
  fragments: Fragments,
  around: readonly string[] = [],
): FieldNode[] {
  return selections.flatMap((each) => {
    if (each.kind === Kind.FIELD) return [each]
    if (each.kind === Kind.INLINE_FRAGMENT) return selectedFields(each.selectionSet, fragments, around)
    const { value } = each.name
    const fragment = around.includes(value) ? undefined : fragments.get(value)
    return fragment === undefined ? [] : selectedFields(fragment.selectionSet, fragments, [...around, value])
  })
}
