/**
 * Which subgraphs can be reached from the place of an object. An object that some subgraphs deliver can be looked
 * up in others by keys, whose fields may themselves have to be looked up first; what is reachable in the end is a
 * fixed point. It tells the search which choices lead somewhere, so that it never runs into a dead end that the
 * supergraph could have told.
 */
import { Kind, print, type SelectionSetNode } from 'graphql'
import { type Graph, providedIn, type SubgraphField, type SubgraphType } from './graph.ts'

/** How a subgraph delivers an object at its place in the response. */
export interface Delivery {
  readonly view: SubgraphType
  /** What `@provides` adds on this way. */
  readonly provided: readonly SelectionSetNode[]
}

export interface Reach {
  /** An object of this type that is delivered so; at the root it can be seen from everywhere. */
  standing(objectType: string, deliveries: readonly Delivery[], isRoot: boolean): Standing
  /** The subgraphs that can resolve a field of the object, in their order. */
  resolvers(of: Standing, field: string): readonly Resolver[]
}

/** An object, and the subgraphs from which it can be seen. */
export interface Standing {
  readonly type: string
  readonly deliveries: readonly Delivery[]
  readonly views: ReadonlySet<SubgraphType>
  /** What is known of its fields. */
  readonly resolvers: Map<string, readonly Resolver[]>
}

/** The index of a subgraph, and how it sees the object. */
export type Resolver = readonly [number, SubgraphType]

/** For so many objects it is kept which fields they have in which subgraph; a supergraph has far fewer that operations meet. */
const mostKept = 5000

const nothing: readonly SelectionSetNode[] = []

/** What is delivered at the place to which a field of some deliveries leads, for each object type that can stand there. */
export function deliveredBelow(
  graph: Graph,
  view: SubgraphType,
  field: SubgraphField,
  provided: readonly SelectionSetNode[],
  into: Map<string, Delivery[]>,
): void {
  const type = graph.in(view.graph, field.named)
  if (type === undefined) return
  const below = field.provides === undefined ? provided : [...provided, field.provides.selectionSet]
  for (const member of type.members) {
    const types = member.interfaceObject ? (graph.type(member.name)?.possible ?? []) : [member.name]
    for (const name of types) {
      const known = into.get(name)
      if (known === undefined) into.set(name, [{ view: member, provided: below }])
      else if (!known.some((each) => each.view === member)) known.push({ view: member, provided: below })
      else if (below.length > 0) {
        const at = known.findIndex((each) => each.view === member)
        const before = known[at]
        if (before !== undefined) known[at] = { view: member, provided: [...before.provided, ...below] }
      }
    }
  }
}

/**
 * Adds how another object leads to the same place. If a view is there already, its objects come on several ways, which
 * one fetch asks alike: only what `@provides` adds on each of them is there.
 */
export function deliverAlso(known: Delivery[], { view, provided }: Delivery): void {
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

/** Whether the view resolves the field by itself, at its place on this way. */
export function isLocal(
  graph: Graph,
  { view, provided }: Delivery,
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

/** Whether objects of the type that are delivered so come with the field. */
export function delivers(graph: Graph, delivery: Delivery, name: string, objectType: string): boolean {
  const field = delivery.view.fields.get(name)
  return field !== undefined && isLocal(graph, delivery, field, objectType) !== undefined
}

export function createReach(graph: Graph): Reach {
  return new GraphReachability(graph)
}

class GraphReachability implements Reach {
  readonly #graph: Graph
  readonly #known = new Map<string, ReadonlySet<SubgraphType>>()
  readonly #inProgress = new Map<string, ReadonlySet<SubgraphType>>()
  readonly #resolving = new Set<string>()
  /** Whether an answer stood on one that is not complete yet: then it is not kept. */
  #isProvisional = false
  readonly #standings = new Map<string, Standing>()

  constructor(graph: Graph) {
    this.#graph = graph
  }

  standing(type: string, deliveries: readonly Delivery[], isRoot: boolean): Standing {
    const views = isRoot ? new Set(this.#graph.views(type)) : this.#from(type, deliveries)
    const made = { type, deliveries, views, resolvers: new Map() }
    if (isRoot || deliveries.some(({ provided }) => provided.length > 0)) return made
    const key = `${type} ${deliveries.map(({ view }) => view.id).join()}`
    const known = this.#standings.get(key)
    if (known !== undefined) return known
    if (this.#standings.size < mostKept) this.#standings.set(key, made)
    return made
  }

  resolvers(of: Standing, field: string): readonly Resolver[] {
    const known = of.resolvers.get(field)
    if (known !== undefined) return known
    const found = new Map<number, SubgraphType>()
    for (const view of of.views) {
      const isAble = field === '__typename' ? !view.interfaceObject : this.#resolves(view, field, of)
      if (isAble && !found.has(view.graph)) found.set(view.graph, view)
    }
    const sorted = [...found].sort(([a], [b]) => a - b)
    of.resolvers.set(field, sorted)
    return sorted
  }

  /** How subgraphs can see an object of this type that is delivered so. */
  #from(type: string, deliveries: readonly Delivery[]): ReadonlySet<SubgraphType> {
    const views = new Set(deliveries.map(({ view }) => view))
    const entries = this.#graph.entries(type)
    if (entries.length === 0) return views
    const isPlain = deliveries.every(({ provided }) => provided.length === 0)
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
    const standing = { type, deliveries, views, resolvers: new Map() }
    for (let grown = true; grown; ) {
      grown = false
      for (const { view, key: fields, named } of entries) {
        if (views.has(view)) continue
        if (named && ![...views].some(({ interfaceObject }) => !interfaceObject)) continue
        if (!this.#resolvesAll(fields.selectionSet, standing)) continue
        views.add(view)
        grown = true
      }
    }
    this.#inProgress.delete(key)
    if (isPlain && !this.#isProvisional && this.#resolving.size === 0) this.#known.set(key, views)
    this.#isProvisional ||= outer
    return views
  }

  #resolvesAll(set: SelectionSetNode, at: Standing): boolean {
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
    at: Standing,
  ): boolean {
    const below = new Map<string, Delivery[]>()
    for (const view of resolvers) {
      const field = view.fields.get(name)
      if (field !== undefined)
        deliveredBelow(this.#graph, view, field, this.#providedAt(view, field, at), below)
    }
    return [...below].every(([type, deliveries]) =>
      this.#resolvesAll(set, { type, deliveries, views: this.#from(type, deliveries), resolvers: new Map() }),
    )
  }

  #providedAt(view: SubgraphType, field: SubgraphField, at: Standing): readonly SelectionSetNode[] {
    const delivery = at.deliveries.find((each) => each.view === view)
    return delivery === undefined ? nothing : (isLocal(this.#graph, delivery, field, at.type) ?? nothing)
  }

  /** Whether a field of the object can be had from this view of it, which is one of those reached. */
  #resolves(view: SubgraphType, name: string, at: Standing): boolean {
    const field = view.fields.get(name)
    if (field === undefined) return false
    const delivery = at.deliveries.find((each) => each.view === view) ?? { view, provided: nothing }
    if (isLocal(this.#graph, delivery, field, at.type) !== undefined) return true
    if (field.external) return false
    // It is asked again, by a key and with what it requires.
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
