/** Fragments of a document by name, and response keys of fields. */
import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind } from 'graphql'

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

const known = new WeakMap<DocumentNode, Fragments>()

/** The fragments of a document by name. Equal documents return the same map. */
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

/** The response key of a field. */
export function responseKey(field: FieldNode): string {
  return (field.alias ?? field.name).value
}
