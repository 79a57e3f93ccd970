/**
 * The supergraph as the planner sees it: the types of each subgraph, the fields that it resolves on them, and the
 * keys by which it can be entered. It is made once for a supergraph and each set of decisions on `@override` labels.
 * It does not depend on an operation.
 */
import {
  type DocumentNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type NamedTypeNode,
  type SelectionSetNode,
  type TypeDefinitionNode,
  type TypeNode,
} from 'graphql'
import { namedType } from '../../../shared/graphql/named-type.ts'
import { append, getOrInsert } from '../../../shared/runtime/maps.ts'
import { runToEnd, type Steps } from '../../../shared/runtime/steps.ts'
import { directiveNames } from '../../supergraph/directives.ts'
import {
  type ContextArgument,
  type FieldSet,
  type JoinField,
  type JoinReader,
  joinReaderOf,
} from '../../supergraph/join.ts'

/** A field as one subgraph has it. */
export interface SubgraphField {
  readonly name: string
  readonly type: TypeNode
  /** The type's name, without lists and non-null. */
  readonly named: string
  /** Another subgraph resolves it, unless `@provides` names it. */
  readonly external: boolean
  readonly requires: FieldSet | undefined
  readonly provides: FieldSet | undefined
  readonly contextArguments: readonly ContextArgument[]
  readonly arguments: readonly InputValueDefinitionNode[]
}

/** A way into a subgraph: it looks objects of a type up by a key. */
export interface Entry {
  /** The subgraph's own type for the object. */
  readonly view: SubgraphType
  /** The type that representations name in `__typename`. */
  readonly as: SubgraphType
  readonly key: FieldSet
  /** Whether representations name the object's own type, which must be known then. */
  readonly named: boolean
}

type Roots = Record<'query' | 'mutation' | 'subscription', string | undefined>

/** Whether another subgraph resolves the field, because of `@override`. */
function isElsewhere(own: JoinField | undefined, takers: readonly JoinField[], decide: DecideLabel): boolean {
  const label = own?.overrideLabel
  if (own?.override !== undefined && label !== undefined && !decide(label)) return true
  if (takers.length > 0)
    return takers.some(({ overrideLabel }) => overrideLabel === undefined || decide(overrideLabel))
  if (own?.override !== undefined) return false
  return label === undefined ? own?.usedOverridden === true : decide(label)
}

/** Whether the label moves its fields to the subgraph that overrides them. */
export type DecideLabel = (label: string) => boolean

type Composite = Extract<
  TypeDefinitionNode,
  { kind: Kind.OBJECT_TYPE_DEFINITION | Kind.INTERFACE_TYPE_DEFINITION | Kind.UNION_TYPE_DEFINITION }
>

const kinds = {
  [Kind.OBJECT_TYPE_DEFINITION]: 'object',
  [Kind.INTERFACE_TYPE_DEFINITION]: 'interface',
  [Kind.UNION_TYPE_DEFINITION]: 'union',
} as const

export interface GraphSource {
  readonly document: DocumentNode
  readonly subgraphs: readonly { readonly name: string; readonly graph: string }[]
}

/** A type of the supergraph. Its fields are read when an operation first needs them. */
class GraphType {
  readonly #definition: Composite
  #fields: ReadonlyMap<string, TypeNode> | undefined
  readonly name: string
  readonly kind: 'object' | 'interface' | 'union'
  readonly interfaces: ReadonlySet<string>
  /** The object types that it can have. */
  readonly possible = new Set<string>()

  constructor(definition: Composite) {
    this.#definition = definition
    this.name = definition.name.value
    this.kind = kinds[definition.kind]
    const interfaces = definition.kind === Kind.UNION_TYPE_DEFINITION ? [] : (definition.interfaces ?? [])
    this.interfaces = new Set(interfaces.map((each) => each.name.value))
  }

  get fields(): ReadonlyMap<string, TypeNode> {
    this.#fields ??= new Map(fieldsOf(this.#definition).map((field) => [field.name.value, field.type]))
    return this.#fields
  }
}

type TypeParts = Pick<SubgraphType, 'id' | 'graph' | 'name' | 'kind' | 'interfaceObject' | 'keys'> & {
  readonly fieldsOf: (type: SubgraphType) => ReadonlyMap<string, SubgraphField>
}

/** A type as one subgraph has it. Its fields are read when an operation first needs them. */
export class SubgraphType {
  readonly #fieldsOf: TypeParts['fieldsOf']
  #fields: ReadonlyMap<string, SubgraphField> | undefined
  readonly id: number
  /** The index of the subgraph. */
  readonly graph: number
  readonly name: string
  readonly kind: 'object' | 'interface' | 'union'
  /**
   * Whether it is an `@interfaceObject`, whose objects do not tell their type. False if no type implements the
   * interface, because the object has no other type then.
   */
  readonly interfaceObject: boolean
  /** The keys by which this subgraph looks it up. */
  readonly keys: readonly FieldSet[]
  /** The object types that it can have here: itself, or those of the interface or union. */
  readonly members: SubgraphType[] = []

  constructor({ fieldsOf: read, id, graph, name, kind, interfaceObject, keys }: TypeParts) {
    this.#fieldsOf = read
    this.id = id
    this.graph = graph
    this.name = name
    this.kind = kind
    this.interfaceObject = interfaceObject
    this.keys = keys
  }

  get fields(): ReadonlyMap<string, SubgraphField> {
    this.#fields ??= this.#fieldsOf(this)
    return this.#fields
  }
}

export const createGraph = (source: GraphSource, decide: DecideLabel): Graph =>
  runToEnd(() => creatingGraph(source, decide))

/** The same in steps. */
export function* creatingGraph(graphSource: GraphSource, decide: DecideLabel): Steps<Graph> {
  const graph = new Graph(graphSource, decide)
  yield* graph.reading()
  return graph
}

export class Graph {
  readonly #document: DocumentNode
  readonly #decide: DecideLabel
  readonly #join: JoinReader
  readonly #indexOf
  readonly #types = new Map<string, GraphType>()
  readonly #inGraph: Map<string, SubgraphType>[]
  #roots: Roots | undefined
  readonly #interfacesOf = new Map<string, string[]>()
  readonly #viewsOf = new Map<string, readonly SubgraphType[]>()
  readonly #entriesOf = new Map<string, readonly Entry[]>()
  /** The subgraphs' names, by index. */
  readonly subgraphs: readonly string[]
  /** The object types that set each `@context`. */
  readonly contextTypes = new Map<string, Set<string>>()

  constructor({ document, subgraphs }: GraphSource, decide: DecideLabel) {
    this.#document = document
    this.#decide = decide
    this.#join = joinReaderOf(document)
    this.#indexOf = new Map(subgraphs.map(({ graph }, index) => [graph, index]))
    this.#inGraph = subgraphs.map(() => new Map())
    this.subgraphs = subgraphs.map(({ name }) => name)
  }

  *reading(): Steps<void> {
    const definitions = this.#document.definitions.filter(
      (definition): definition is Composite => definition.kind in kinds,
    )
    for (const definition of definitions) {
      this.#types.set(definition.name.value, new GraphType(definition))
      this.#join.check(fieldsOf(definition), definition.name.value)
      yield
    }
    for (const definition of definitions) {
      const name = definition.name.value
      if (definition.kind === Kind.UNION_TYPE_DEFINITION)
        for (const member of definition.types ?? []) this.#types.get(name)?.possible.add(member.name.value)
      if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue
      this.#types.get(name)?.possible.add(name)
      for (const { name: abstract } of definition.interfaces ?? [])
        this.#types.get(abstract.value)?.possible.add(name)
    }
    // An interface without implementations counts as its own type: interface objects may resolve it.
    for (const type of this.#types.values())
      if (type.kind === 'interface' && type.possible.size === 0) type.possible.add(type.name)
    const { context: names } = directiveNames(this.#document)
    for (const definition of definitions) {
      for (const context of this.#join.contextsOf(definition, names)) {
        const types = getOrInsert(this.contextTypes, context, () => new Set())
        for (const type of this.#types.get(definition.name.value)?.possible ?? []) types.add(type)
      }
    }
    yield
    const made: { type: SubgraphType; definition: Composite }[] = []
    for (const definition of definitions) {
      const byGraph = new Map<number, { keys: FieldSet[]; interfaceObject: boolean }>()
      for (const { graph, key, resolvable, interfaceObject } of this.#join.typesOf(definition)) {
        const index = this.#indexOf.get(graph)
        if (index === undefined) continue
        const { keys } = getOrInsert(byGraph, index, () => ({ keys: [], interfaceObject }))
        if (key !== undefined && resolvable) keys.push(key)
      }
      const name = definition.name.value
      for (const [graph, { keys, interfaceObject }] of byGraph) {
        const kind = interfaceObject ? 'object' : kinds[definition.kind]
        const type = new SubgraphType({
          id: made.length,
          graph,
          name,
          kind,
          interfaceObject: interfaceObject && this.#types.get(name)?.possible.has(name) !== true,
          keys,
          fieldsOf: (own) => this.#fieldsIn(own, definition),
        })
        made.push({ type, definition })
        this.#inGraph[graph]?.set(name, type)
      }
      yield
    }
    for (const { type, definition } of made) {
      if (type.kind === 'object') type.members.push(type)
      if (definition.kind === Kind.UNION_TYPE_DEFINITION)
        type.members.push(...this.#typesIn(type.graph, this.#join.membersOf(definition), definition.types))
    }
    // The members of an interface are the types that implement it in the same subgraph, which may be interface
    // objects.
    for (const { type, definition } of made) {
      if (type.kind !== 'object' || definition.kind === Kind.UNION_TYPE_DEFINITION) continue
      const listed = this.#join.implementsOf(definition)
      for (const abstract of this.#typesIn(type.graph, listed, definition.interfaces))
        if (abstract.kind === 'interface') abstract.members.push(type)
    }
    for (const { type } of made)
      if (type.kind === 'interface' && type.members.length === 0) type.members.push(type)
    for (const type of this.#types.values()) {
      if (type.kind !== 'interface') continue
      for (const name of type.possible) append(this.#interfacesOf, name, type.name)
    }
  }

  get roots(): Roots {
    this.#roots ??= rootsOf(this.#document, this.#types)
    return this.#roots
  }

  type(name: string): GraphType | undefined {
    return this.#types.get(name)
  }

  in(graph: number, type: string): SubgraphType | undefined {
    return this.#inGraph[graph]?.get(type)
  }

  /** The subgraphs' types for objects of this type, in the order of the subgraphs. */
  views(objectType: string): readonly SubgraphType[] {
    return getOrInsert(this.#viewsOf, objectType, () =>
      this.#inGraph.flatMap((inOne) =>
        [objectType, ...(this.#interfacesOf.get(objectType) ?? [])].flatMap((name) => {
          const type = inOne.get(name)
          return type === undefined || (type.name !== objectType && !type.interfaceObject) ? [] : [type]
        }),
      ),
    )
  }

  entries(objectType: string): readonly Entry[] {
    return getOrInsert(this.#entriesOf, objectType, () => this.#findEntries(objectType))
  }

  #findEntries(objectType: string): readonly Entry[] {
    const found: Entry[] = []
    for (const view of this.views(objectType)) {
      for (const key of view.keys) found.push({ view, as: view, key, named: !view.interfaceObject })
      if (view.interfaceObject) continue
      for (const name of this.#interfacesOf.get(objectType) ?? []) {
        const as = this.#inGraph[view.graph]?.get(name)
        if (as === undefined || as.interfaceObject || !as.members.includes(view)) continue
        for (const key of as.keys) found.push({ view, as, key, named: false })
      }
    }
    return found
  }

  /** The subgraph's types of these names: those that are listed for it, or if nothing is listed, all of them. */
  #typesIn(
    graph: number,
    listed: ReturnType<JoinReader['membersOf']>,
    all: readonly NamedTypeNode[] = [],
  ): readonly SubgraphType[] {
    const names =
      listed?.flatMap((each) => (this.#indexOf.get(each.graph) === graph ? each.name : [])) ??
      all.map(({ name }) => name.value)
    return names.flatMap((name) => this.#inGraph[graph]?.get(name) ?? [])
  }

  #fieldsIn(type: SubgraphType, definition: Composite): Map<string, SubgraphField> {
    const fields = new Map<string, SubgraphField>()
    const subgraphName = this.subgraphs[type.graph]
    // Fields that an interface object requires are external. Not every composer marks them.
    const required = type.interfaceObject ? this.#requiredNames(definition, type.graph) : new Set()
    for (const field of fieldsOf(definition)) {
      const joined = this.#join.fieldsOf(field, type.name)
      const own = joined?.find(({ graph }) => graph !== undefined && this.#indexOf.get(graph) === type.graph)
      if (joined !== undefined && own === undefined) continue
      const takers = joined?.filter(({ override }) => override === subgraphName) ?? []
      const external =
        own?.external === true ||
        (joined === undefined && required.has(field.name.value)) ||
        isElsewhere(own, takers, this.#decide)
      const fieldType = own?.type ?? field.type
      fields.set(field.name.value, {
        name: field.name.value,
        type: fieldType,
        named: namedType(fieldType),
        external,
        requires: own?.requires,
        provides: own?.provides,
        contextArguments: own?.contextArguments ?? [],
        arguments: field.arguments ?? [],
      })
    }
    return fields
  }

  #requiredNames(definition: Composite, graph: number): ReadonlySet<string> {
    const names = new Set<string>()
    for (const field of fieldsOf(definition)) {
      for (const joined of this.#join.fieldsOf(field, definition.name.value) ?? []) {
        if (joined.graph === undefined || this.#indexOf.get(joined.graph) !== graph) continue
        for (const selection of joined.requires?.selectionSet.selections ?? [])
          if (selection.kind === Kind.FIELD) names.add(selection.name.value)
      }
    }
    return names
  }
}

function fieldsOf(definition: Composite): readonly FieldDefinitionNode[] {
  return definition.kind === Kind.UNION_TYPE_DEFINITION ? [] : (definition.fields ?? [])
}

function rootsOf(document: DocumentNode, types: ReadonlyMap<string, unknown>): Roots {
  const roots: Roots = {
    query: types.has('Query') ? 'Query' : undefined,
    mutation: types.has('Mutation') ? 'Mutation' : undefined,
    subscription: types.has('Subscription') ? 'Subscription' : undefined,
  }
  for (const definition of document.definitions)
    if (definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION)
      for (const { operation, type } of definition.operationTypes ?? []) roots[operation] = type.name.value
  return roots
}

/** The selections of `@provides` below a field of objects of this type. Undefined if it does not name the field. */
export function providedIn(
  sets: readonly SelectionSetNode[],
  field: string,
  type: string,
  graph: Graph,
): readonly SelectionSetNode[] | undefined {
  let found: SelectionSetNode[] | undefined
  for (const set of sets) {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        if (selection.name.value !== field) continue
        found ??= []
        if (selection.selectionSet !== undefined) found.push(selection.selectionSet)
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition?.name.value
        if (condition !== undefined && graph.type(condition)?.possible.has(type) !== true) continue
        const below = providedIn([selection.selectionSet], field, type, graph)
        if (below !== undefined) found = [...(found ?? []), ...below]
      }
    }
  }
  return found
}
