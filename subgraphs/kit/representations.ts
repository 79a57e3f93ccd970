/**
 * Representations that no router makes: of what cannot be looked up in the subgraph, or without the fields of a key. Each
 * of them fails alone, as the client's fault; @apollo/subgraph would fail all of `_entities` as a fault of its own, or
 * take what has no key for an object.
 */
import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  parse,
  valueFromASTUntyped,
} from 'graphql'
import { badInput } from '../../contract/errors.ts'

/** Names of fields that are one key of a type. */
type Key = readonly string[]

/** The keys that can be resolved of each type by name; of a composite key the outermost fields. */
function keysOf({ definitions }: DocumentNode): ReadonlyMap<string, readonly Key[]> {
  const keys = new Map<string, Key[]>()
  for (const definition of definitions) {
    if (!('directives' in definition) || !('name' in definition) || definition.name === undefined) continue
    for (const { name, arguments: given = [] } of definition.directives ?? []) {
      const resolvable = given.find((argument) => argument.name.value === 'resolvable')
      if (
        name.value !== 'key' ||
        (resolvable !== undefined && valueFromASTUntyped(resolvable.value) === false)
      )
        continue
      const fields = given.find((argument) => argument.name.value === 'fields')
      if (fields === undefined) continue
      const [selection] = parse(`{ ${String(valueFromASTUntyped(fields.value))} }`, {
        noLocation: true,
      }).definitions
      if (selection?.kind !== Kind.OPERATION_DEFINITION) continue
      const key = selection.selectionSet.selections.flatMap((each) =>
        each.kind === Kind.FIELD ? each.name.value : [],
      )
      keys.set(definition.name.value, [...(keys.get(definition.name.value) ?? []), key])
    }
  }
  return keys
}

function faultOf(
  representation: unknown,
  keys: ReadonlyMap<string, readonly Key[]>,
): GraphQLError | undefined {
  if (typeof representation !== 'object' || representation === null)
    return badInput('A representation is an object with __typename and the fields of a key.')
  const fields = representation as Readonly<Record<string, unknown>>
  const typename = fields.__typename
  const own = typeof typename === 'string' ? keys.get(typename) : undefined
  if (own === undefined)
    return badInput(
      keys.size === 0
        ? 'No entity of this subgraph can be looked up.'
        : `__typename of a representation names an entity that can be looked up here: ${[...keys.keys()].join(', ')}.`,
    )
  for (const key of own) if (key.every((name) => fields[name] != null)) return undefined
  return badInput(
    `A representation of ${String(typename)} has the fields of a key: ${own.map((key) => key.join(' with ')).join(', or ')}.`,
  )
}

/** Wraps `_entities` of the schema, where it has one. `typeDefs` says which keys its types have. */
export function checkRepresentations(schema: GraphQLSchema, typeDefs: DocumentNode): GraphQLSchema {
  const field = schema.getQueryType()?.getFields()._entities
  const resolve = field?.resolve
  if (field === undefined || resolve === undefined) return schema
  const keys = keysOf(typeDefs)
  field.resolve = (source, args: { readonly representations: readonly unknown[] }, context, info) => {
    const { representations } = args
    const faults = representations.map((representation) => faultOf(representation, keys))
    if (faults.every((fault) => fault === undefined)) return resolve(source, args, context, info)
    const right = representations.filter((_, at) => faults[at] === undefined)
    const among = (found: readonly unknown[]): readonly unknown[] => {
      const values = found.values()
      return faults.map((fault) => fault ?? values.next().value)
    }
    const found: unknown = resolve(source, { representations: right }, context, info)
    return found instanceof Promise ? found.then(among) : among(found as readonly unknown[])
  }
  return schema
}
