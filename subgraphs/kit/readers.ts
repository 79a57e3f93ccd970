/**
 * Readers by the SDL: one function for each field of each object type, made from the field's own type.
 *
 * A service whose JSON differs from the SDL in a regular way (defaults left out, another spelling) says that
 * way once; its JSON then stays the model, and nothing is converted that is not selected.
 */
import type { DocumentNode, TypeNode } from 'graphql'

/** Reads the value of one field from its source. */
export type Reader<Source> = (source: Source) => unknown

/** Readers by type and field. */
export type Readers<Source> = ReadonlyMap<string, ReadonlyMap<string, Reader<Source>>>

/** What a reader can be made from. */
export interface ReadableField {
  readonly parent: string
  readonly name: string
  readonly type: TypeNode
  /** The values of each enum of the document, in their order. */
  readonly enums: ReadonlyMap<string, readonly string[]>
  /** The names of the document's object types. */
  readonly objects: ReadonlySet<string>
}

/** A reader for each field of each object type of the document, by type and field. */
export function readersOf<Source>(
  document: DocumentNode,
  readerFor: (field: ReadableField) => Reader<Source>,
): Readers<Source> {
  const enums = new Map<string, readonly string[]>()
  const objects = new Set<string>()
  for (const definition of document.definitions) {
    if (definition.kind === 'ObjectTypeDefinition') objects.add(definition.name.value)
    if (definition.kind === 'EnumTypeDefinition') {
      enums.set(
        definition.name.value,
        (definition.values ?? []).map((value) => value.name.value),
      )
    }
  }
  const readers = new Map<string, Map<string, Reader<Source>>>()
  for (const definition of document.definitions) {
    if (definition.kind !== 'ObjectTypeDefinition') continue
    const parent = definition.name.value
    const fields = new Map<string, Reader<Source>>()
    for (const field of definition.fields ?? []) {
      const name = field.name.value
      fields.set(name, readerFor({ parent, name, type: field.type, enums, objects }))
    }
    readers.set(parent, fields)
  }
  return readers
}

/**
 * `explicit` with a reader for every field that has no resolver of its own. `own` names types whose
 * resolvers hand over plain objects of ours, which need no reading; `resolverFor` makes a resolver of a reader.
 */
export function withReaders<Source, Resolvers extends object>(
  explicit: Resolvers,
  readers: Readers<Source>,
  own: ReadonlySet<string>,
  resolverFor: (type: string, field: string, read: Reader<Source>) => unknown,
): Resolvers {
  const all: Record<string, object> = {}
  for (const [type, fields] of readers) {
    if (own.has(type)) continue
    all[type] = Object.fromEntries(
      [...fields].map(([field, read]) => [field, resolverFor(type, field, read)] as const),
    )
  }
  for (const [type, resolvers] of Object.entries(explicit)) {
    const fields = all[type]
    // Scalars have no fields, and are no plain objects.
    all[type] = fields === undefined ? resolvers : { ...fields, ...resolvers }
  }
  return all as Resolvers
}
