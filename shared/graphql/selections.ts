/** Fragments of a document by name, and response keys of fields. */
import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind } from 'graphql'
import { memoByObject } from '../runtime/memo.ts'

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** The fragments of a document by name. */
export const fragmentsOf = memoByObject(
  ({ definitions }: DocumentNode): Fragments =>
    new Map(
      definitions.flatMap((definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
      ),
    ),
)

export function responseKey(field: FieldNode): string {
  return (field.alias ?? field.name).value
}
