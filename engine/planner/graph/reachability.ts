/**
 * Which subgraphs can be reached from an object. An object that some subgraphs resolve can be looked up in others by
 * keys. The fields of a key may have to be looked up first, so the reachable subgraphs are a fixed point. The search
 * only tries reachable subgraphs.
 */
import { Kind, print, type SelectionSetNode } from 'graphql'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import { type Graph, providedIn, type SubgraphField, type SubgraphType } from './graph.ts'

/** A subgraph that resolves the field which leads to an object, and how it sees the object. */
export interface ResolvedIn {
  readonly view: SubgraphType
  /** What `@provides` of the fields above adds. */
  readonly provided: readonly SelectionSetNode[]
}

/** An object, and the subgraphs that can be asked for its fields. */
export interface ObjectReachability {
  readonly type: string
  readonly resolvedIn: readonly ResolvedIn[]
  readonly views: ReadonlySet<SubgraphType>
  /** The resolvers of the fields that were asked for so far. */
  readonly resolvers: Map<string, readonly Resolver[]>
}

/** The index of a subgraph, and its type for the object. */
export type Resolver = readonly [number, SubgraphType]

/** The most objects whose reachability is kept. Operations meet far fewer kinds of object in one supergraph. */
const mostKept = 5000

const nothing: readonly SelectionSetNode[] = []

/** Adds to `into` how the objects below a field are resolved, for each object type that the field can return. */
export function resolvedBelow(
  graph: Graph,
  view: SubgraphType,
  field: SubgraphField,
  provided: readonly SelectionSetNode[],
  into: Map<string, ResolvedIn[]>,
): void {
  const type = graph.in(view.graph, field.named)
  if (type === undefined) return
  const below = field.provides === undefined ? provided : [...provided, field.provides.selectionSet]
  for (const member of type.members) {
    const types = member.interfaceObject ? (graph.type(member.name)?.possible ?? []) : [member.name]
    for (const name of types) {
      const known = getOrInsert(into, name, () => [])
      const at = known.findIndex((each) => each.view === member)
      const before = known[at]
      if (before === undefined) known.push({ view: member, provided: below })
      else if (below.length > 0) known[at] = { view: member, provided: [...before.provided, ...below] }
    }
  }
}

/**
 * Adds how another parent object leads to the same place. If the view is known already, one fetch asks for the objects of
 * both parents, so only selections that `@provides` adds for both remain.
 */
export function addResolvedIn(known: ResolvedIn[], { view, provided }: ResolvedIn): void {
  const at = known.findIndex((each) => each.view === view)
  const before = known[at]
  if (before === undefined) known.push({ view, provided })
  else if (before.provided.length > 0)
    known[at] = {
      view,
      provided: before.provided.filter((set) => provided.some((other) => isSame(set, other))),
    }
}

const isSame = (one: SelectionSetNode, other: SelectionSetNode): boolean =>
  one === other || print(one) === print(other)

/**
 * If the subgraph resolves the field without another fetch, the selections that `@provides` adds below it (often none).
 * Undefined if it does not.
 */
export function localSelections(
  graph: Graph,
  { view, provided }: ResolvedIn,
  field: SubgraphField,
  objectType: string,
): readonly SelectionSetNode[] | undefined {
  const free = field.requires === undefined && field.contextArguments.length === 0
  if (provided.length > 0) {
    const below = providedIn(provided, field.name, objectType, graph)
    if (below !== undefined && (field.external || free)) return below
  }
  return view.fields.get(field.name) === field && !field.external && free ? nothing : undefined
}

/** Whether the subgraph resolves the field of these objects without another fetch. */
export function isResolvedLocally(
  graph: Graph,
  resolved: ResolvedIn,
  name: string,
  objectType: string,
): boolean {
  const field = resolved.view.fields.get(name)
  return field !== undefined && localSelections(graph, resolved, field, objectType) !== undefined
}

export class Reachability {
  readonly #graph: Graph
  readonly #known = new Map<string, ReadonlySet<SubgraphType>>()
  readonly #inProgress = new Map<string, ReadonlySet<SubgraphType>>()
  readonly #resolving = new Set<string>()
  /** Whether a result depends on one that is not complete yet. Such a result is not kept. */
  #isProvisional = false
  readonly #reachabilities = new Map<string, ObjectReachability>()

  constructor(graph: Graph) {
    this.#graph = graph
  }

  /** The reachability of an object of this type that is resolved in these subgraphs; every subgraph sees the root. */
  reachabilityOf(type: string, resolvedIn: readonly ResolvedIn[], isRoot: boolean): ObjectReachability {
    const views = isRoot ? new Set(this.#graph.views(type)) : this.#from(type, resolvedIn)
    const made = { type, resolvedIn, views, resolvers: new Map() }
    if (isRoot || resolvedIn.some(({ provided }) => provided.length > 0)) return made
    const key = `${type} ${resolvedIn.map(({ view }) => view.id).join()}`
    const known = this.#reachabilities.get(key)
    if (known !== undefined) return known
    if (this.#reachabilities.size < mostKept) this.#reachabilities.set(key, made)
    return made
  }

  /** The subgraphs that can resolve a field of the object, in their order. */
  resolvers(of: ObjectReachability, field: string): readonly Resolver[] {
    return getOrInsert(of.resolvers, field, () => {
      const found = new Map<number, SubgraphType>()
      for (const view of of.views) {
        const isAble = field === '__typename' ? !view.interfaceObject : this.#resolves(view, field, of)
        if (isAble && !found.has(view.graph)) found.set(view.graph, view)
      }
      return [...found].sort(([a], [b]) => a - b)
    })
  }

  /** The views of all subgraphs that can be reached from an object of this type. */
  #from(type: string, resolvedIn: readonly ResolvedIn[]): ReadonlySet<SubgraphType> {
    const views = new Set(resolvedIn.map(({ view }) => view))
    const entries = this.#graph.entries(type)
    if (entries.length === 0) return views
    const isPlain = resolvedIn.every(({ provided }) => provided.length === 0)
    const key = `${type} ${[...views]
      .map(({ id }) => id)
      .sort((a, b) => a - b)
      .join()}`
    const before = isPlain ? this.#known.get(key) : undefined
    if (before !== undefined) return before
    const pending = this.#inProgress.get(key)
    if (pending !== undefined) {
      this.#isProvisional = true
      return pending
    }
    this.#inProgress.set(key, views)
    const outer = this.#isProvisional
    this.#isProvisional = false
    const object = { type, resolvedIn, views, resolvers: new Map() }
    for (let grown = true; grown; ) {
      grown = false
      for (const { view, key: fields, named } of entries) {
        if (views.has(view)) continue
        if (named && ![...views].some(({ interfaceObject }) => !interfaceObject)) continue
        if (!this.#resolvesAll(fields.selectionSet, object)) continue
        views.add(view)
        grown = true
      }
    }
    this.#inProgress.delete(key)
    if (isPlain && !this.#isProvisional && this.#resolving.size === 0) this.#known.set(key, views)
    this.#isProvisional ||= outer
    return views
  }

  #resolvesAll(set: SelectionSetNode, at: ObjectReachability): boolean {
    return set.selections.every((selection) => {
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition?.name.value
        const applies = condition === undefined || this.#graph.type(condition)?.possible.has(at.type) === true
        return !applies || this.#resolvesAll(selection.selectionSet, at)
      }
      if (selection.kind !== Kind.FIELD || selection.name.value === '__typename') return true
      const name = selection.name.value
      const resolvers = [...at.views].filter((view) => this.#resolves(view, name, at))
      if (resolvers.length === 0) return false
      return (
        selection.selectionSet === undefined ||
        this.#resolvesBelow(selection.selectionSet, name, resolvers, at)
      )
    })
  }

  #resolvesBelow(
    set: SelectionSetNode,
    name: string,
    resolvers: readonly SubgraphType[],
    at: ObjectReachability,
  ): boolean {
    const below = new Map<string, ResolvedIn[]>()
    for (const view of resolvers) {
      const field = view.fields.get(name)
      if (field !== undefined)
        resolvedBelow(this.#graph, view, field, this.#providedAt(view, field, at), below)
    }
    return [...below].every(([type, resolvedIn]) =>
      this.#resolvesAll(set, { type, resolvedIn, views: this.#from(type, resolvedIn), resolvers: new Map() }),
    )
  }

  #providedAt(view: SubgraphType, field: SubgraphField, at: ObjectReachability): readonly SelectionSetNode[] {
    const resolved = at.resolvedIn.find((each) => each.view === view)
    return resolved === undefined
      ? nothing
      : (localSelections(this.#graph, resolved, field, at.type) ?? nothing)
  }

  /** Whether this view, which is reachable, resolves the field of the object. */
  #resolves(view: SubgraphType, name: string, at: ObjectReachability): boolean {
    const field = view.fields.get(name)
    if (field === undefined) return false
    const resolved = at.resolvedIn.find((each) => each.view === view) ?? { view, provided: nothing }
    if (localSelections(this.#graph, resolved, field, at.type) !== undefined) return true
    if (field.external) return false
    // The subgraph is asked by a key, together with the fields that the field requires.
    const key = `${view.id} ${name}`
    if (this.#resolving.has(key)) return false
    this.#resolving.add(key)
    const able =
      (field.requires === undefined || this.#resolvesAll(field.requires.selectionSet, at)) &&
      this.#graph
        .entries(at.type)
        .some((entry) => entry.view === view && this.#resolvesAll(entry.key.selectionSet, at))
    this.#resolving.delete(key)
    return able
  }
}
