/**
 * Operations with incremental delivery: directives put into random operations, results put together again, and
 * graphql-js 17, which has incremental delivery itself, as the oracle.
 */
import {
  type DocumentNode,
  type GraphQLSchema,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  printSchema,
  type SelectionNode,
  type SelectionSetNode,
  specifiedRules,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import * as graphql17 from 'graphql17'
import { type ExecutionUpdates, incrementalRules } from '../../engine/executor/incremental/index.ts'
import { append } from '../../shared/runtime/maps.ts'
import { testGatewayRequest } from './federation.ts'
import {
  canonical,
  type Finding,
  lenientAnswer,
  rightAnswer,
  type Trial,
  type TrialFaults,
} from './random-federation/index.ts'
import type { WorldContext } from './random-federation/subgraph.ts'
import type { World, WorldObject } from './random-federation/world.ts'
import { type RandomOperation, randomness } from './random-operation.ts'

type Path = readonly (string | number)[]

export interface Merged {
  readonly data: unknown
  readonly errors: readonly { readonly message: string; readonly path?: Path | undefined }[]
  /** How many results came after the first one. */
  readonly resultCount: number
}

/** Puts `@defer` and `@stream` into an operation; undefined if what came out is not valid. */
export function withDirectives(schema: GraphQLSchema, query: string, seed: number): string | undefined {
  const random = randomness(seed)
  let labels = 0
  const directive = (name: 'defer' | 'stream', more = ''): string =>
    `@${name}(label: "l${labels++}"${more}${random() < 0.1 ? `, if: ${random() < 0.5}` : ''})`
  const types = new TypeInfo(schema)
  const directives = (text: string) =>
    (parse(`{ a ${text} }`, { noLocation: true }).definitions[0] as OperationDefinitionNode).selectionSet
      .selections[0]?.directives ?? []
  const document = visit(
    parse(query, { noLocation: true }),
    visitWithTypeInfo(types, {
      SelectionSet: {
        leave(node) {
          const selections: SelectionNode[] = []
          for (const each of node.selections) {
            if (each.kind === Kind.FIELD && random() < 0.2) {
              if (random() < 0.3) selections.push(each)
              selections.push({
                kind: Kind.INLINE_FRAGMENT,
                directives: directives(directive('defer')),
                selectionSet: { kind: Kind.SELECTION_SET, selections: [each] },
              })
            } else if (each.kind !== Kind.FIELD && random() < 0.35)
              selections.push({
                ...each,
                directives: [...(each.directives ?? []), ...directives(directive('defer'))],
              })
            else selections.push(each)
          }
          return { ...node, selections }
        },
      },
      Field: {
        enter(node) {
          const type = types.getType()
          if (type == null || !isListType(isNonNullType(type) ? type.ofType : type) || random() > 0.4)
            return undefined
          const count = `, initialCount: ${Math.floor(random() * 3)}`
          return {
            ...node,
            directives: [...(node.directives ?? []), ...directives(directive('stream', count))],
          }
        },
      },
    }),
  )
  const text = print(document)
  // Copies of a field have copies of the labels below it.
  let again = 0
  const unique = text.replace(/label: "l\d+"/g, () => `label: "l${again++}"`)
  const isValid = validate(schema, parse(unique), [...specifiedRules, ...incrementalRules]).length === 0
  return isValid ? unique : undefined
}

/** Adds later data to what is there already. Throws if a value comes twice. */
export function mergeData(target: Record<string, unknown>, source: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(source)) {
    const present = target[key]
    if (!Object.hasOwn(target, key)) target[key] = value
    else if (isObject(present) && isObject(value)) mergeData(present, value)
    else throw new Error(`${key} came twice: ${JSON.stringify(present)}, ${JSON.stringify(value)}`)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function at(data: unknown, path: Path): unknown {
  let value = data
  for (const step of path) value = (value as Record<string | number, unknown>)[step]
  return value
}

const plain = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value ?? null)) as Value

/** Throws if errors come before their fields: clients would show them beside data that still follows. */
function expectPlaces(data: unknown, errors: Merged['errors']): void {
  for (const { path = [], message } of errors) {
    let value = data
    for (const step of path) {
      value = (value as Record<string | number, unknown>)[step]
      if (value === undefined) throw new Error(`The error of ${path.join('.')} comes before it: ${message}`)
      if (value === null) break
    }
  }
}

/** The whole of an incremental response of the engine. */
export async function mergeEngine(answer: {
  readonly data?: unknown
  readonly errors?: Merged['errors'] | undefined
  readonly updates?: ExecutionUpdates | undefined
}): Promise<Merged> {
  const data = plain(answer.data)
  const errors = [...(answer.errors ?? [])]
  if (answer.updates !== undefined && data !== null) expectPlaces(data, errors)
  const open = new Map((answer.updates?.pending ?? []).map((pending) => [pending.id, pending]))
  let resultCount = 0
  for (
    let update = await answer.updates?.next();
    update !== undefined;
    update = await answer.updates?.next()
  ) {
    for (const pending of update.pending) open.set(pending.id, pending)
    for (const result of update.incremental) {
      resultCount += 1
      if (!open.has(result.of.id))
        throw new Error(`A result belongs to nothing that is pending: ${result.of.id}`)
      errors.push(...result.errors)
      if (result.kind === 'data') {
        const target = at(data, result.path)
        if (!isObject(target)) throw new Error(`There is no object at ${result.path.join('.')}`)
        mergeData(target, plain(result.data) as Record<string, unknown>)
      } else {
        const list = at(data, result.of.path) as unknown[]
        if (list.length !== result.index) throw new Error(`Items come at ${result.index} of ${list.length}`)
        list.push(...plain(result.items))
      }
    }
    for (const { of, errors: lost } of update.completed) {
      if (!open.delete(of.id)) throw new Error(`${of.id} is over twice`)
      errors.push(...(lost ?? []))
    }
    if (update.hasNext !== open.size > 0) throw new Error(`hasNext: ${update.hasNext}, pending: ${open.size}`)
  }
  if (open.size > 0) throw new Error(`left pending: ${[...open.keys()].join()}`)
  return { data, errors, resultCount }
}

/** What the executable directive `@mark` of some graphs adds to a string. */
function markedBy17(value: unknown, info: graphql17.GraphQLResolveInfo): unknown {
  const directive = info.schema.getDirective('mark')
  if (directive == null || typeof value !== 'string') return value
  if (graphql17.getNamedType(info.returnType).name !== 'String') return value
  const tags = info.fieldNodes.map(
    (node) => graphql17.getDirectiveValues(directive, node, info.variableValues)?.tag,
  )
  const shown = [...new Set(tags.filter((tag) => tag != null))].sort()
  return shown.length === 0 ? value : `${value}@${shown.join()}`
}

const schemas = new WeakMap<GraphQLSchema, graphql17.GraphQLSchema>()

/** The same operation over the whole graph, answered by graphql-js 17. */
export async function askOracle17(
  world: World,
  apiSchema: GraphQLSchema,
  document: DocumentNode,
  variableValues: Readonly<Record<string, unknown>>,
  context: WorldContext = {},
): Promise<Merged> {
  let schema = schemas.get(apiSchema)
  if (schema === undefined) {
    schema = graphql17.buildSchema(printSchema(apiSchema))
    schemas.set(apiSchema, schema)
  }
  const result = (await graphql17.experimentalExecuteIncrementally({
    schema,
    document: graphql17.parse(print(document)),
    variableValues,
    fieldResolver: (source, args, _, info) => {
      const object = (source as WorldObject | undefined) ?? { type: info.parentType.name, id: '' }
      const value = world.resolve(object, info.fieldName, args, context.faults)
      return graphql17.isLeafType(graphql17.getNamedType(info.returnType)) ? markedBy17(value, info) : value
    },
    typeResolver: (value) => (value as WorldObject).type,
  })) as graphql17.ExecutionResult | graphql17.ExperimentalIncrementalExecutionResults
  if (!('initialResult' in result))
    return { data: plain(result.data), errors: result.errors ?? [], resultCount: 0 }
  const { initialResult, subsequentResults } = result
  const data = plain(initialResult.data)
  const errors: { readonly message: string; readonly path?: Path | undefined }[] = [
    ...(initialResult.errors ?? []),
  ]
  const open = new Map(initialResult.pending.map(({ id, path }) => [id, path]))
  let resultCount = 0
  for await (const update of subsequentResults) {
    for (const { id, path } of update.pending ?? []) open.set(id, path)
    for (const later of update.incremental ?? []) {
      resultCount += 1
      errors.push(...(later.errors ?? []))
      const path = [...(open.get(later.id) ?? []), ...(later.subPath ?? [])]
      if ('items' in later) (at(data, path) as unknown[]).push(...plain(later.items as unknown[]))
      else mergeData(at(data, path) as Record<string, unknown>, plain(later.data) as Record<string, unknown>)
    }
    for (const { errors: lost } of update.completed ?? []) errors.push(...(lost ?? []))
  }
  return { data, errors, resultCount }
}

/** What data are held against. */
export interface Expected {
  /** The incremental response of graphql-js 17; undefined if that was lost. */
  readonly right: unknown
  /** What the plain operation answers. */
  readonly plainly: unknown
  /** What the plain operation answers if everything may be null. */
  readonly leniently: unknown
}

/**
 * Whether data is what it should be. It may differ from graphql-js 17 if there is a failure, in two ways:
 * - It has less where the plain answer loses as much: if a field cannot be fetched apart from what is around it, a
 * null that its subgraph cannot let stand takes along what the plain answer loses as well, a deferred fragment too.
 * - It has more, and what it has is true: items of a streamed list come in several results, of which one is lost.
 */
export function isRight(got: unknown, { right, plainly, leniently }: Expected): boolean {
  if (got === null) return right === null || plainly == null
  const isLost = right === null || right === undefined
  if (Array.isArray(got)) {
    const whole = Array.isArray(leniently) ? leniently : []
    const items = Array.isArray(right) ? right : []
    if (!Array.isArray(isLost ? leniently : right)) return false
    return (
      items.length <= got.length &&
      got.length <= Math.max(items.length, whole.length) &&
      got.every((each, index) => isRight(each, expectedAt({ right: items, plainly, leniently }, index)))
    )
  }
  if (!isObject(got)) return got === (isLost ? leniently : right)
  if (!isObject(isLost ? leniently : right)) return false
  const known = { ...(isObject(leniently) ? leniently : {}), ...(isObject(right) ? right : {}) }
  return (
    Object.keys(got).every((key) => Object.hasOwn(known, key)) &&
    (isLost || plainly == null || Object.keys(right as object).every((key) => Object.hasOwn(got, key))) &&
    Object.keys(got).every((key) => isRight(got[key], expectedAt({ right, plainly, leniently }, key)))
  )
}

function expectedAt({ right, plainly, leniently }: Expected, step: string | number): Expected {
  const below = (value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? (value as Record<string | number, unknown>)[step]
      : undefined
  return { right: below(right), plainly: below(plainly), leniently: below(leniently) }
}

/**
 * The operation for graphql-js 17: a list that fragments ask for in different ways (streamed and not, deferred and not)
 * is not streamed. We send what each of them asks for in its own time; graphql-js lets the first one decide for all.
 */
function withoutMixedStreams(document: DocumentNode): DocumentNode {
  const fragments = new Map(
    document.definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [],
    ),
  )
  const isActive = (node: SelectionNode, name: string): boolean =>
    node.directives?.some(
      (each) =>
        each.name.value === name &&
        !each.arguments?.some(({ value }) => value.kind === Kind.BOOLEAN && !value.value),
    ) === true
  /** Each spread as an inline fragment, so that each field stands at one place. */
  const spread = (set: SelectionSetNode): SelectionSetNode => ({
    ...set,
    selections: set.selections.map((each): SelectionNode => {
      if (each.kind === Kind.FIELD)
        return each.selectionSet === undefined
          ? { ...each }
          : { ...each, selectionSet: spread(each.selectionSet) }
      if (each.kind === Kind.INLINE_FRAGMENT) return { ...each, selectionSet: spread(each.selectionSet) }
      const definition = fragments.get(each.name.value)
      if (definition === undefined) throw new Error(`There is no fragment ${each.name.value}.`)
      return {
        kind: Kind.INLINE_FRAGMENT,
        typeCondition: definition.typeCondition,
        directives: each.directives ?? [],
        selectionSet: spread(definition.selectionSet),
      }
    }),
  })
  const mixed = new Set<SelectionNode>()
  interface Found {
    readonly node: SelectionNode & { readonly kind: Kind.FIELD }
    readonly deferred: SelectionNode | undefined
  }
  const look = (
    sets: readonly { readonly set: SelectionSetNode; readonly deferred: SelectionNode | undefined }[],
  ): void => {
    const byKey = new Map<string, Found[]>()
    const collect = (set: SelectionSetNode, deferred: SelectionNode | undefined): void => {
      for (const each of set.selections) {
        if (each.kind === Kind.FIELD) {
          append(byKey, (each.alias ?? each.name).value, { node: each, deferred })
        } else if (each.kind === Kind.INLINE_FRAGMENT)
          collect(each.selectionSet, isActive(each, 'defer') ? each : deferred)
      }
    }
    for (const { set, deferred } of sets) collect(set, deferred)
    for (const found of byKey.values()) {
      const [first] = found
      if (found.some(({ node, deferred }) => !isActive(node, 'stream') || deferred !== first?.deferred))
        for (const { node } of found) mixed.add(node)
      look(
        found.flatMap(({ node: { selectionSet: set }, deferred }) =>
          set === undefined ? [] : [{ set, deferred }],
        ),
      )
    }
  }
  const definitions = document.definitions.flatMap((each) =>
    each.kind === Kind.OPERATION_DEFINITION ? [{ ...each, selectionSet: spread(each.selectionSet) }] : [],
  )
  for (const { selectionSet: set } of definitions) look([{ set, deferred: undefined }])
  return visit(
    { ...document, definitions },
    {
      Field: {
        // What is left out of the tree is looked up by the node as it was.
        enter: (node) =>
          mixed.has(node)
            ? { ...node, directives: node.directives?.filter(({ name }) => name.value !== 'stream') }
            : undefined,
      },
    },
  )
}

/** What is wrong with an incremental response of the engine, and how many results followed its first one. Does not reject. */
export async function judgeIncremental(
  { graph, engine, setFaults }: Trial,
  { query, variables }: RandomOperation,
  faults: TrialFaults = {},
): Promise<{ readonly finding: Finding | undefined; readonly resultCount: number }> {
  setFaults(faults)
  const document = parse(query)
  const { executeIncrementally } = engine.compile({ document })
  if (executeIncrementally === undefined) return { finding: undefined, resultCount: 0 }
  let got: Merged
  try {
    got = await mergeEngine(
      await executeIncrementally(variables, testGatewayRequest({ timeoutMs: 3_600_000 })),
    )
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { finding: { fault: 'refused', message, got: undefined, expected: undefined }, resultCount: 0 }
  }
  const alike = withoutMixedStreams(document)
  const right = await askOracle17(graph.world, graph.supergraph.apiSchema, alike, variables, { faults })
  const whole = visit(document, {
    Directive: ({ name }) => (['defer', 'stream'].includes(name.value) ? null : undefined),
  })
  const { data: plainly } = await rightAnswer(graph, whole, variables, faults)
  const { data: leniently } = await lenientAnswer(graph, whole, variables, faults)
  const { resultCount } = got
  const wrong = (fault: Finding['fault']): { readonly finding: Finding; readonly resultCount: number } => ({
    finding: { fault, message: canonical(got.data), got, expected: right },
    resultCount,
  })
  if (!isRight(got.data, { right: right.data, plainly, leniently })) return wrong('other data')
  if (got.errors.length > 0 !== right.errors.length > 0) return wrong('other errors')
  return { finding: undefined, resultCount }
}
