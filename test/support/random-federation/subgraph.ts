/**
 * A subgraph of a world, executed by graphql-js: it answers what its SDL lets it know and nothing else. What a
 * gateway must not do is an error here: reading an `@external` field where no path provides it, a field that was
 * overridden, a lookup by a key that is not resolvable or not whole, a field whose `@requires` came wrong, an
 * operation that is not valid. The answers of a correct gateway therefore hold none of these errors.
 */
import { buildSubgraphSchema } from '@apollo/subgraph'
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FieldNode,
  GraphQLError,
  GraphQLList,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getDirectiveValues,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  validate,
} from 'graphql'
import { type ErrorBehavior, haltedBy } from '../../../shared/graphql/error-behavior.ts'
import type { Service, ServiceField } from './services.ts'
import { canonical } from './values.ts'
import { covers, type Faults, type World, type WorldObject } from './world.ts'

/** An object as one subgraph sees it. */
interface Seen {
  /** Its type in this subgraph, which can be an interface object. */
  readonly __typename: string
  readonly object: WorldObject
  /** What the path to it provides beside the fields of the subgraph. */
  readonly provided: SelectionSetNode | undefined
  /** What the gateway sent of it, if it was looked up. */
  readonly representation: Readonly<Record<string, unknown>> | undefined
}

export interface SubgraphFaults extends Faults {
  /** Whether this subgraph does not know the entity. */
  readonly missing?: ((subgraph: string, type: string, id: string) => boolean) | undefined
}

export interface WorldContext {
  readonly faults?: SubgraphFaults | undefined
  /** Told of every mutation field, in the order of execution. */
  readonly mutated?: ((field: string, given: unknown) => void) | undefined
  /** What becomes of fields that fail; `PROPAGATE` unless given. */
  readonly onError?: ErrorBehavior | undefined
}

export interface WorldSubgraph {
  readonly name: string
  readonly schema: GraphQLSchema
  /** Of all its types, as `buildSubgraphSchema` takes them. Their context is a `WorldContext`. */
  readonly resolvers: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Does not reject. */
  execute(
    document: DocumentNode,
    variables: Readonly<Record<string, unknown>>,
    context?: WorldContext,
  ): ExecutionResult | Promise<ExecutionResult>
}

export function createWorldSubgraph(world: World, name: string): WorldSubgraph {
  const service = world.services.get(name)
  if (service === undefined) throw new Error(`There is no subgraph ${name}.`)

  const see = (
    { type, id }: WorldObject,
    provided?: SelectionSetNode,
    representation?: Record<string, unknown>,
  ): Seen => {
    const own = service.types.get(type)
    // If the type is not known, an interface object stands for it.
    const __typename = own?.kind === 'object' ? type : (interfaceObjectFor(world, service, type) ?? type)
    return { __typename, object: { type, id }, provided, representation }
  }
  const seeAll = (value: unknown, provided: SelectionSetNode | undefined): unknown => {
    if (Array.isArray(value)) return value.map((each) => seeAll(each, provided))
    return value === null ? null : see(value as WorldObject, provided)
  }

  // Asynchronous, so that one that is not found takes no other along.
  const lookUp = async (
    representation: Record<string, unknown>,
    { faults }: WorldContext,
  ): Promise<Seen | null> => {
    const type = String(representation.__typename)
    const keys = service.types.get(type)?.keys ?? []
    if (keys.length === 0) throw new Error(`${name} has no entity ${type}`)
    for (const { selection, resolvable } of keys) {
      if (!resolvable) continue
      const object = world.find(type, selection, representation)
      if (object === undefined) continue
      return faults?.missing?.(name, object.type, object.id) === true
        ? null
        : see(object, undefined, representation)
    }
    throw new Error(`${name} finds no ${type} by ${canonical(representation)}`)
  }

  const resolve = (
    source: unknown,
    args: unknown,
    context: WorldContext,
    info: GraphQLResolveInfo,
  ): unknown => {
    const given = args as Record<string, unknown>
    const seen =
      source === undefined
        ? { ...rootOf(info), provided: undefined, representation: undefined }
        : (source as Seen)
    const { object, provided } = seen
    const { fieldName, parentType } = info
    if (parentType.name === 'Mutation') context.mutated?.(fieldName, given)
    const type = service.types.get(parentType.name)
    const field = type?.fields.get(fieldName)
    if (type === undefined || field === undefined)
      throw new Error(`${name} has no ${parentType.name}.${fieldName}`)
    const isKey = type.keys.some(({ selection }) => fieldOf(selection, fieldName, object.type) !== undefined)
    const providing = provided && fieldOf(provided, fieldName, object.type)
    if (!isKey) {
      if (field.external && providing === undefined)
        throw new Error(`${name} does not know ${parentType.name}.${fieldName} here`)
      const moved = movedAway(world, service, parentType.name, field)
      if (moved !== undefined) throw new Error(`${parentType.name}.${fieldName} of ${name} ${moved}`)
    }
    if (field.requires !== undefined) checkInputs(world, name, seen, field)
    const value = world.resolve(object, fieldName, given, context.faults)
    if (isLeafType(getNamedType(info.returnType))) return marked(value, info)
    return seeAll(value, both(field.provides, providing?.selectionSet))
  }

  const resolvers: Record<string, Record<string, unknown>> = {}
  for (const { name: type, kind, keys, fields } of service.types.values()) {
    const isAbstract = kind === 'interface' || kind === 'union'
    if (!isAbstract && kind !== 'object') continue
    resolvers[type] = {
      ...(isAbstract ? { __resolveType: ({ __typename }: Seen) => __typename } : {}),
      ...(keys.length > 0 ? { __resolveReference: lookUp } : {}),
      ...(kind === 'object' ? Object.fromEntries([...fields.keys()].map((field) => [field, resolve])) : {}),
    }
  }
  const makeSchema = (): GraphQLSchema =>
    buildSubgraphSchema([
      { typeDefs: service.document, resolvers: resolvers as unknown as Record<string, never> },
    ])
  const schema = makeSchema()
  let lenient: GraphQLSchema | undefined
  return {
    name,
    schema,
    resolvers,
    async execute(document, variableValues, context = {}) {
      const { onError = 'PROPAGATE' } = context
      if (onError === 'NULL') lenient ??= withoutNonNull(makeSchema())
      const result = await execute({
        schema: onError === 'NULL' && lenient !== undefined ? lenient : schema,
        ...{ document, variableValues, contextValue: context },
      })
      return haltedBy(onError, result)
    },
  }
}

/** Changes the schema: all that is answered may be null. With it `execute` keeps every null where it arises. */
function withoutNonNull(schema: GraphQLSchema): GraphQLSchema {
  const nullable = (type: GraphQLOutputType): GraphQLOutputType => {
    if (isNonNullType(type)) return nullable(type.ofType)
    return isListType(type) ? new GraphQLList(nullable(type.ofType)) : type
  }
  for (const type of Object.values(schema.getTypeMap()))
    if ((isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith('__'))
      for (const field of Object.values(type.getFields())) field.type = nullable(field.type)
  return schema
}

/** The faults of an operation for this subgraph; none for those of a correct gateway. */
export function faultsOf(subgraph: WorldSubgraph, document: DocumentNode): readonly GraphQLError[] {
  return validate(subgraph.schema, document).map(
    ({ message }) => new GraphQLError(`${subgraph.name} got an operation that is not valid: ${message}`),
  )
}

function rootOf({ parentType }: GraphQLResolveInfo): { __typename: string; object: WorldObject } {
  return { __typename: parentType.name, object: { type: parentType.name, id: '' } }
}

function interfaceObjectFor(world: World, service: Service, type: string): string | undefined {
  return [...service.types.values()].find(
    ({ name, interfaceObject }) => interfaceObject && world.possibleIn(service, name).has(type),
  )?.name
}

function checkInputs(world: World, subgraph: string, seen: Seen, { name, requires }: ServiceField): void {
  if (requires === undefined) return
  const expected = world.gather(seen.object, requires)
  if (covers(seen.representation, expected)) return
  throw new Error(
    `${subgraph}: ${seen.__typename}.${name} requires ${canonical(expected)}, got ${canonical(seen.representation)}`,
  )
}

/** Why a field is another subgraph's because of `@override`. Labels that are no percentage are off. */
function movedAway(world: World, service: Service, type: string, field: ServiceField): string | undefined {
  if (field.override?.label !== undefined && shareOf(field.override.label) === 0)
    return `is not yet taken over from ${field.override.from}`
  for (const other of world.services.values()) {
    const override = other.types.get(type)?.fields.get(field.name)?.override
    if (override?.from !== service.name) continue
    if (override.label === undefined || shareOf(override.label) === 100)
      return `was taken over by ${other.name}`
  }
  return undefined
}

/** The share of requests that an `@override` label sends to the new subgraph. */
export function shareOf(label: string): number {
  const [, percent] = /^percent\((\d+(?:\.\d+)?)\)$/.exec(label) ?? []
  return percent === undefined ? 0 : Number(percent)
}

/** The field's node within a selection, for an object of this type. */
function fieldOf(selection: SelectionSetNode, name: string, type: string): FieldNode | undefined {
  for (const node of selection.selections) {
    if (node.kind === Kind.FIELD && node.name.value === name) return node
    if (node.kind !== Kind.INLINE_FRAGMENT) continue
    const condition = node.typeCondition?.name.value
    // A condition on an interface is met by all that stand there.
    const found =
      condition === undefined || condition === type ? fieldOf(node.selectionSet, name, type) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function both(
  a: SelectionSetNode | undefined,
  b: SelectionSetNode | undefined,
): SelectionSetNode | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return { kind: Kind.SELECTION_SET, selections: [...a.selections, ...b.selections] }
}

/** Strings show the `@mark(tag:)` of their field, so that an executable directive that gets lost is seen. */
export function marked(value: unknown, info: GraphQLResolveInfo): unknown {
  const directive = info.schema.getDirective('mark')
  if (directive == null || typeof value !== 'string' || getNamedType(info.returnType).name !== 'String')
    return value
  const tags = info.fieldNodes.map((node) => getDirectiveValues(directive, node, info.variableValues)?.tag)
  const shown = [...new Set(tags.filter((tag) => tag != null))].sort()
  return shown.length === 0 ? value : `${value}@${shown.join()}`
}
