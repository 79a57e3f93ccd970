/**
 * Sources: selections of fetches in which fields of the objects at a position can be asked for. A position has one
 * for each way in which its objects come from a subgraph: under a field of the fetch above, or by a look-up.
 */
import type { SelectionSetNode } from 'graphql'
import type { Conjunction } from '../../operation/conditions.ts'
import type { TypeSet } from '../../operation/type-sets.ts'
import type { Graph, SubgraphField, SubgraphType } from '../graph/graph.ts'
import type { Field, Position } from '../graph/position.ts'
import { type Delivery, isLocal } from '../graph/reach.ts'
import type { ContextUse, Entry, FetchGroup, Selection } from './groups.ts'

export interface Source {
  readonly at: Position
  readonly graph: number
  readonly group: FetchGroup
  readonly selection: Selection
  /** Under which conditions its objects come. */
  readonly when: Conjunction[]
  /** The field above that brings the objects, for those that are not looked up. */
  readonly above: { readonly source: Source; readonly entry: Entry } | undefined
  readonly lookup: Lookup | undefined
}

/** What is special about a source whose objects are looked up by a key. */
export interface Lookup {
  readonly views: ReadonlyMap<string, SubgraphType>
  /** The types of the objects that are looked up. */
  readonly types: TypeSet
  /** What names the objects: it has to be there under the same conditions. */
  readonly needs: readonly Need[]
  /** The texts of the `@requires` that are sent along. */
  readonly requires: ReadonlySet<string>
  readonly contexts: ReadonlyMap<SubgraphField, readonly ContextUse[]>
}

export interface Need {
  readonly source: Source
  readonly field: Field
}

const nothing: readonly SelectionSetNode[] = []

/** How this subgraph delivers objects of a type at the position, under a field of its own. */
export function deliveryAt(at: Position, graph: number, type: string): Delivery | undefined {
  return at.deliveries.get(type)?.find(({ view }) => view.graph === graph)
}

function deliveryIn(source: Source, type: string): Delivery | undefined {
  if (source.lookup === undefined) return deliveryAt(source.at, source.graph, type)
  const view = source.lookup.views.get(type)
  return view === undefined ? undefined : { view, provided: nothing }
}

/** Whether the field can be asked for in a selection whose objects are delivered so. */
export function isAskable(
  graph: Graph,
  field: Field,
  deliveryOf: (type: string) => Delivery | undefined,
  has: { readonly types: TypeSet; readonly lookup: Lookup | undefined },
): boolean {
  let some = false
  for (const type of field.types.names) {
    const here = deliveryOf(type)
    if (here === undefined) {
      // Objects that come from above are of no type that their subgraph does not know.
      if (has.lookup === undefined) continue
      return false
    }
    const { view } = here
    if (view.interfaceObject) {
      // What does not tell its type cannot be asked for a part of its types.
      if (field.name === '__typename') return false
      if (has.types.names.some((each) => !field.types.has(each) && deliveryOf(each)?.view === view))
        return false
    }
    if (field.name !== '__typename') {
      const own = view.fields.get(field.name)
      if (own === undefined) return false
      if (isLocal(graph, here, own, type) === undefined && !isServed(own, has.lookup)) return false
    }
    some = true
  }
  return some
}

/** Whether the look-up sends what the field requires. */
function isServed(field: SubgraphField, lookup: Lookup | undefined): boolean {
  if (lookup === undefined || field.external) return false
  if (field.requires !== undefined && !lookup.requires.has(field.requires.text)) return false
  return field.contextArguments.length === 0 || lookup.contexts.has(field)
}

export function canAsk(graph: Graph, source: Source, field: Field): boolean {
  return isAskable(graph, field, (type) => deliveryIn(source, type), {
    types: source.lookup?.types ?? source.at.types,
    lookup: source.lookup,
  })
}

/** The arguments of the field that come from objects above. */
export function contextsFor(source: Source, field: Field): readonly ContextUse[] | undefined {
  const { lookup } = source
  if (lookup === undefined || lookup.contexts.size === 0) return undefined
  for (const type of field.types.names) {
    const own = lookup.views.get(type)?.fields.get(field.name)
    const uses = own === undefined ? undefined : lookup.contexts.get(own)
    if (uses !== undefined) return uses
  }
  return undefined
}
