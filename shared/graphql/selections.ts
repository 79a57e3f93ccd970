/** What every reader of an operation needs: its fragments by name, and the key of a field in the response. */
import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind } from 'graphql'

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

const known = new WeakMap<DocumentNode, Fragments>()

/** The document's fragments by name; the same map for the same document. */
export function fragmentsOf(document: DocumentNode): Fragments {
  let fragments = known.get(document)
  if (fragments === undefined) {
    fragments = new Map(
      document.definitions.flatMap((definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
      ),
    )
    known.set(document, fragments)
  }
  return fragments
}

/** The key under which the field stands in the response. */
export function responseKey(field: FieldNode): string {
  return (field.alias ?? field.name).value
}
