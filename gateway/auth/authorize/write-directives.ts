/** Rules that are written into a document as directives, so that every reader of the graph's rules sees them. */
import { type ConstDirectiveNode, type DocumentNode, Kind, type NameNode, parseConstValue } from 'graphql'

const named = (value: string): NameNode => ({ kind: Kind.NAME, value })

/** `given`: its arguments as JSON; undefined leaves one out. */
export function directiveNode(name: string, given: Readonly<Record<string, unknown>>): ConstDirectiveNode {
  return {
    kind: Kind.DIRECTIVE,
    name: named(name),
    arguments: Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => ({
        kind: Kind.ARGUMENT,
        name: named(key),
        value: parseConstValue(JSON.stringify(value), { noLocation: true }),
      })),
  }
}

/** `directivesOf` gets the coordinate of each field, `Type.field`. */
export function withDirectives(
  document: DocumentNode,
  directivesOf: (coordinate: string) => readonly ConstDirectiveNode[],
): DocumentNode {
  const definitions = document.definitions.map((definition) => {
    switch (definition.kind) {
      case Kind.OBJECT_TYPE_DEFINITION:
      case Kind.OBJECT_TYPE_EXTENSION:
      case Kind.INTERFACE_TYPE_DEFINITION:
      case Kind.INTERFACE_TYPE_EXTENSION: {
        const fields = (definition.fields ?? []).map((field) => {
          const more = directivesOf(`${definition.name.value}.${field.name.value}`)
          return more.length === 0 ? field : { ...field, directives: [...(field.directives ?? []), ...more] }
        })
        return { ...definition, fields }
      }
      default:
        return definition
    }
  })
  return { ...document, definitions }
}
