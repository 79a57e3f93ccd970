/**
 * Checks representations that a correct router never sends: those of a type that the subgraph cannot look up,
 * without the fields of a key, or with a value that the field cannot have. Each of them fails alone, as the
 * client's fault. `@apollo/subgraph` would fail all of `_entities` as an internal error, or pass the value to the
 * resolver unchecked.
 */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLSchema,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql'
import { badInput } from '../../shared/errors.ts'
import { namesIn, parseFieldSet } from '../../shared/graphql/field-set.ts'
import { argumentsOf } from '../../shared/graphql/literals.ts'
import { append } from '../../shared/runtime/maps.ts'

type Key = readonly string[]

/** The resolvable keys of each type by name. A composite key is listed by its outermost fields. */
function keysOf({ definitions }: DocumentNode): ReadonlyMap<string, readonly Key[]> {
  const keys = new Map<string, Key[]>()
  for (const definition of definitions) {
    if (!('directives' in definition) || !('name' in definition) || definition.name === undefined) continue
    for (const directive of definition.directives ?? []) {
      const { fields, resolvable } = argumentsOf(directive)
      if (directive.name.value !== 'key' || resolvable === false || fields === undefined) continue
      append(keys, definition.name.value, namesIn(parseFieldSet(String(fields))))
    }
  }
  return keys
}

type Representation = Readonly<Record<string, unknown>>

/** The kind of value in the outermost fields of a type's keys. */
type KeyKind = GraphQLLeafType | 'list' | 'object'

interface Entity {
  readonly keys: readonly Key[]
  readonly kinds: ReadonlyMap<string, KeyKind>
}

function entitiesOf(schema: GraphQLSchema, typeDefs: DocumentNode): ReadonlyMap<string, Entity> {
  const entities = new Map<string, Entity>()
  for (const [typename, keys] of keysOf(typeDefs)) {
    const type = schema.getType(typename)
    const kinds = new Map<string, KeyKind>()
    for (const name of keys.flat()) {
      const field = isObjectType(type) ? getNullableType(type.getFields()[name]?.type) : undefined
      if (field != null) kinds.set(name, isLeafType(field) ? field : isListType(field) ? 'list' : 'object')
    }
    entities.set(typename, { keys, kinds })
  }
  return entities
}

/**
 * The value in the form that resolvers take, for instance the text of an id that came as a number; undefined if it
 * has none.
 */
function keyValue(value: unknown, kind: KeyKind): unknown {
  if (kind === 'list') return Array.isArray(value) ? value : undefined
  if (kind === 'object') return typeof value === 'object' && !Array.isArray(value) ? value : undefined
  try {
    return kind.parseValue(value)
  } catch {
    return undefined
  }
}

/** The representation in the form that resolvers take, or an error. */
function checked(
  representation: unknown,
  entities: ReadonlyMap<string, Entity>,
): Representation | GraphQLError {
  if (typeof representation !== 'object' || representation === null)
    return badInput('A representation must be an object with __typename and the fields of a key.')
  const fields = representation as Representation
  const typename = fields.__typename
  const entity = typeof typename === 'string' ? entities.get(typename) : undefined
  if (entity === undefined)
    return badInput(
      entities.size === 0
        ? 'No entity of this subgraph can be looked up.'
        : `__typename of a representation must name an entity that can be looked up here: ${[...entities.keys()].join(', ')}.`,
    )
  if (!entity.keys.some((key) => key.every((name) => fields[name] != null))) {
    const keys = entity.keys.map((key) => key.join(' with ')).join(', or ')
    return badInput(`A representation of ${String(typename)} must have the fields of a key: ${keys}.`)
  }
  let coerced = fields
  for (const [name, kind] of entity.kinds) {
    const given = fields[name]
    if (given == null) continue
    const value = keyValue(given, kind)
    if (value === undefined)
      return badInput(
        `A representation of ${String(typename)} has a wrong value for ${name}: it must be ${typeof kind === 'string' ? `of the kind ${kind}` : `of the type ${kind.name}`}.`,
      )
    if (value !== given) coerced = { ...coerced, [name]: value }
  }
  return coerced
}

/** Wraps `_entities` of the schema, if it has one. `typeDefs` says which keys its types have. */
export function checkRepresentations(schema: GraphQLSchema, typeDefs: DocumentNode): GraphQLSchema {
  const field = schema.getQueryType()?.getFields()._entities
  const resolve = field?.resolve
  if (field === undefined || resolve === undefined) return schema
  const entities = entitiesOf(schema, typeDefs)
  field.resolve = (source, args: { readonly representations: readonly unknown[] }, context, info) => {
    const all = args.representations.map((representation) => checked(representation, entities))
    const right = all.filter((each) => !(each instanceof GraphQLError))
    const among = (found: readonly unknown[]): readonly unknown[] => {
      const values = found.values()
      return all.map((each) => (each instanceof GraphQLError ? each : values.next().value))
    }
    const found: unknown = resolve(source, { representations: right }, context, info)
    return found instanceof Promise ? found.then(among) : among(found as readonly unknown[])
  }
  return schema
}
