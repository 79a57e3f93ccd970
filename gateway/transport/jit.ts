/**
 * `graphql-jit`, used only where it gives the very result that `graphql` gives. What it does otherwise was found
 * by comparing both; an operation that could meet one of these differences, or is too large for its code to be
 * written between two requests, is not compiled:
 *
 * - it names generated code after types, fields and paths without separators that would keep them apart;
 * - it takes the nullability of a key below an interface or union from any of the types;
 * - it writes out the types of variables in full, which has no end for those that hold themselves;
 * - it makes objects with literals, so that a key `__proto__` would set a prototype;
 * - it knows no asynchronous `resolveType` and `isTypeOf`, and what they throw is lost;
 * - it reads fields without resolvers as plain values: no functions, no promises;
 * - it writes conditions into the document that it is given, and mixes up those of one fragment in two places;
 * - it runs the second field of a mutation by a queue of its own: one with a single field needs none.
 *
 * Lists of promises, another difference, are settled where subgraphs are made (`lib/settled-lists.ts`).
 */
import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLFieldResolver,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isInputObjectType,
  isInputType,
  isListType,
  isObjectType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  typeFromAST,
  valueFromAST,
  visit,
} from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'

export type Compiled = (
  context: object,
  variables: Readonly<Record<string, unknown>>,
) => ExecutionResult | Promise<ExecutionResult>

/** What is known of a schema's resolvers; it can only get worse. */
export interface Soundness {
  /** Whether compiled operations give right results, as far as was seen. */
  sound: boolean
  /** graphql's own default resolver, which also looks for what compiled code could not read. */
  readonly resolveField: GraphQLFieldResolver<unknown, unknown>
}

const known = new WeakMap<GraphQLSchema, Soundness>()

/** Fields of the inputs that variables take, all in all; code for more takes longer than it saves. */
const mostInputs = 200

/** Fields that code is written for, once for each type they can stand on: about 30 ms of work. */
const mostFields = 1000

/** Marks the `info` that compiled code hands out. */
const compiledMark = { compiled: true } as const

export function soundnessOf(schema: GraphQLSchema): Soundness {
  let soundness = known.get(schema)
  if (soundness === undefined) {
    const fresh: Soundness = { sound: true, resolveField: (...args) => resolveField(fresh, ...args) }
    prepareSchema(schema, fresh)
    soundness = fresh
    known.set(schema, soundness)
  }
  return soundness
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

function resolveField(
  soundness: Soundness,
  ...[source, args, context, info]: Parameters<GraphQLFieldResolver<unknown, unknown>>
): unknown {
  if ((typeof source !== 'object' || source === null) && typeof source !== 'function') return undefined
  const property: unknown = (source as Record<string, unknown>)[info.fieldName]
  if (typeof property === 'function') {
    soundness.sound = false
    return property.call(source, args, context, info)
  }
  if (isThenable(property)) soundness.sound = false
  return property
}

function prepareSchema(schema: GraphQLSchema, soundness: Soundness): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isAbstractType(type)) {
      const { resolveType } = type
      if (resolveType != null) {
        type.resolveType = (value, context, info, abstractType) => {
          const compiled = 'compiled' in info
          try {
            const answer = resolveType(value, context, info, abstractType)
            if (!isThenable(answer)) return answer
            soundness.sound = false
            if (!compiled) return answer
            answer.then(undefined, () => {})
          } catch (error) {
            soundness.sound = false
            if (!compiled) throw error
            // Compiled code has no place for it; without a type the value is an error there.
          }
          return undefined
        }
      }
    }
  }
}

/** The compiled operation; undefined where `graphql` has to execute it. */
export function compileHot(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): Compiled | undefined {
  if (!isCompilable(schema, document)) return undefined
  const compiled = compileQuery(schema, document, operationName, {
    disableLeafSerialization: false,
    disablingCapturingStackErrors: true,
    resolverInfoEnricher: () => compiledMark,
  })
  if (!isCompiledQuery(compiled)) return undefined
  const { query } = compiled
  return (context, variables) => query(undefined, context, variables) as ExecutionResult
}

function isCompilable(schema: GraphQLSchema, document: DocumentNode): boolean {
  const fragments = new Map<string, FragmentDefinitionNode>()
  let operation: OperationDefinitionNode | undefined
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
    if (definition.kind === Kind.OPERATION_DEFINITION) {
      if (operation !== undefined) return false
      operation = definition
    }
  }
  const root = operation === undefined ? undefined : schema.getRootType(operation.operation)
  if (operation === undefined || root == null) return false

  let conditional = false
  visit(document, {
    Directive() {
      conditional = true
    },
  })
  if (conditional) return false

  let inputs = 0
  const isSmallInput = (type: GraphQLInputType, around: readonly GraphQLInputType[]): boolean => {
    const named = getNamedType(type)
    inputs += 1
    if (inputs > mostInputs || around.includes(named)) return false
    if (!isInputObjectType(named)) return true
    return Object.values(named.getFields()).every((field) => isSmallInput(field.type, [...around, named]))
  }
  for (const { type } of operation.variableDefinitions ?? []) {
    const input = typeFromAST(schema, type as NamedTypeNode)
    if (!isInputType(input) || !isSmallInput(input, [])) return false
  }

  const resolvers = new Map<string, string>()
  const infos = new Set<string>()
  let written = 0

  const collect = (
    set: SelectionSetNode,
    type: GraphQLObjectType,
    fields: Map<string, FieldNode[]>,
  ): Map<string, FieldNode[]> => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value
        fields.set(key, [...(fields.get(key) ?? []), selection])
        continue
      }
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
      const condition = fragment?.typeCondition?.name.value
      const wanted = condition === undefined ? type : schema.getType(condition)
      if (fragment === undefined) continue
      if (wanted === type || (isAbstractType(wanted) && schema.isSubType(wanted, type)))
        collect(fragment.selectionSet, type, fields)
    }
    return fields
  }

  /** The fields of a type below `nodes`, with their types; undefined where they cannot be compiled. */
  const walk = (
    sets: readonly SelectionSetNode[],
    type: GraphQLObjectType,
    path: readonly string[],
  ): Map<string, string> | undefined => {
    if (type.isTypeOf != null) return undefined
    const fields = new Map<string, FieldNode[]>()
    for (const set of sets) collect(set, type, fields)
    written += fields.size
    if (written > mostFields) return undefined
    const types = new Map<string, string>()
    for (const [key, nodes] of fields) {
      if (key in Object.prototype) return undefined
      const [first] = nodes
      if (first === undefined || first.name.value === '__typename') continue
      const field = type.getFields()[first.name.value]
      if (field === undefined) return undefined
      types.set(key, String(field.type))
      const resolver = `${type.name}${field.name}`
      const owner = `${type.name}.${field.name}`
      if ((resolvers.get(resolver) ?? owner) !== owner) return undefined
      resolvers.set(resolver, owner)
      if (
        !field.args.every((argument) =>
          hasPlainValue(first, argument.name, argument.type, argument.defaultValue),
        )
      )
        return undefined
      const here = [...path, key]
      if (!claim(here)) return undefined
      const below = nodes.flatMap((node) => (node.selectionSet === undefined ? [] : [node.selectionSet]))
      if (below.length > 0 && !walkValue(below, field.type, here)) return undefined
    }
    return types
  }

  const walkValue = (
    sets: readonly SelectionSetNode[],
    type: GraphQLOutputType,
    path: readonly string[],
  ): boolean => {
    const named = getNamedType(type)
    // The same name stands for the same depth of lists, so one mark for all of them is enough.
    const below = isListType(getNullableType(type)) ? [...path, 'idx'] : path
    if (isObjectType(named)) return walk(sets, named, below) !== undefined
    if (!isAbstractType(named)) return true
    const byKey = new Map<string, string>()
    for (const possible of schema.getPossibleTypes(named)) {
      const types = walk(sets, possible, [...below, possible.name])
      if (types === undefined) return false
      for (const [key, text] of types) {
        if ((byKey.get(key) ?? text) !== text) return false
        byKey.set(key, text)
      }
    }
    return true
  }

  /** Whether the name that the path's `info` gets is free. */
  const claim = (path: readonly string[]): boolean => {
    const name = [...path].reverse().join('_')
    if (infos.has(name)) return false
    infos.add(name)
    return true
  }

  const rootFields = walk([operation.selectionSet], root, [])
  if (rootFields === undefined) return false
  return operation.operation === 'query' || rootFields.size === 1
}

/** Whether what is given for an argument survives being written down as JSON. */
function hasPlainValue(
  node: FieldNode,
  name: string,
  type: Parameters<typeof valueFromAST>[1],
  defaultValue: unknown,
): boolean {
  const given = node.arguments?.find((argument) => argument.name.value === name)
  if (!isPlainValue(defaultValue)) return false
  if (given === undefined || given.value.kind === Kind.VARIABLE) return true
  // A literal with variables in it has no value yet; its fixed parts then are not looked at.
  return isPlainValue(valueFromAST(given.value, type))
}

function isPlainValue(value: unknown): boolean {
  switch (typeof value) {
    case 'undefined':
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object': {
      if (value === null) return true
      if (Array.isArray(value)) return value.every(isPlainValue)
      const prototype: unknown = Object.getPrototypeOf(value)
      return (
        (prototype === null || prototype === Object.prototype) &&
        Object.keys(value).every((key) => key !== '__proto__') &&
        Object.values(value).every(isPlainValue)
      )
    }
    default:
      return false
  }
}
