/**
 * Readers by the SDL: one function for each field of each object type, made from the field's type.
 *
 * A service's JSON may differ from the SDL in a regular way, such as omitted defaults or another spelling. The
 * service then declares that difference once. Its JSON stays the model, and only selected fields are converted.
 */
import { type DocumentNode, Kind, type TypeNode } from 'graphql'

/** Reads the value of one field from its source. */
export type Reader<Source> = (source: Source) => unknown

/** Readers by type and field. */
export type Readers<Source> = ReadonlyMap<string, ReadonlyMap<string, Reader<Source>>>

/** A field, for which a reader is made. */
export interface ReadableField {
  readonly parent: string
  readonly name: string
  readonly type: TypeNode
  /** The values of each enum of the document, in order. */
  readonly enums: ReadonlyMap<string, readonly string[]>
  readonly objects: ReadonlySet<string>
}

/** A reader for each field of each object type of the document, by type and field. */
export function readersOf<Source>(
  document: DocumentNode,
  readerFor: (field: ReadableField) => Reader<Source>,
): Readers<Source> {
  const types = document.definitions.filter((each) => each.kind === Kind.OBJECT_TYPE_DEFINITION)
  const objects = new Set(types.map(({ name }) => name.value))
  const enums = new Map(
    document.definitions
      .filter((each) => each.kind === Kind.ENUM_TYPE_DEFINITION)
      .map(({ name, values = [] }) => [name.value, values.map((value) => value.name.value)] as const),
  )
  return new Map(
    types.map(({ name: { value: parent }, fields = [] }) => {
      const readers = fields.map(({ name: { value: name }, type }) => {
        return [name, readerFor({ parent, name, type, enums, objects })] as const
      })
      return [parent, new Map(readers)] as const
    }),
  )
}

/**
 * Returns `explicit` with a reader for every field that has no resolver. `own` names types whose resolvers return
 * our own plain objects, which need no reader. `resolverFor` turns a reader into a resolver.
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
    // A scalar has no fields and is not a plain object, so it is kept as it is.
    all[type] = fields === undefined ? resolvers : { ...fields, ...resolvers }
  }
  return all as Resolvers
}
