/**
 * Sources are selections of fetches to which fields of a position can be added. A position has a source for each way
 * in which its objects come from a subgraph: below a field of a fetch, or by a lookup.
 */
import type { SelectionSetNode } from 'graphql'
import type { Conjunction } from '../../operation/conditions.ts'
import type { TypeSet } from '../../operation/type-sets.ts'
import type { Graph, SubgraphField, SubgraphType } from '../graph/graph.ts'
import type { Field, Position } from '../graph/position.ts'
import { localSelections, type ResolvedIn } from '../graph/reachability.ts'
import type { ContextUse, Entry, FetchGroup, Selection } from './groups.ts'

export interface Source {
  readonly at: Position
  readonly graph: number
  readonly group: FetchGroup
  readonly selection: Selection
  /** The conditions under which its objects are requested. */
  readonly when: Conjunction[]
  /** The parent field, if the objects are not looked up. */
  readonly above: { readonly source: Source; readonly entry: Entry } | undefined
  readonly lookup: Lookup | undefined
}

export interface Lookup {
  readonly views: ReadonlyMap<string, SubgraphType>
  /** The types of the objects that are looked up. */
  readonly types: TypeSet
  /** The fields that represent the objects. They are requested under the same conditions. */
  readonly needs: readonly Need[]
  /** The texts of the `@requires` whose values are sent. */
  readonly requires: ReadonlySet<string>
  readonly contexts: ReadonlyMap<SubgraphField, readonly ContextUse[]>
}

export interface Need {
  readonly source: Source
  readonly field: Field
}

const nothing: readonly SelectionSetNode[] = []

/** How this subgraph sees objects of a type at the position, if it resolves the field above them. */
export function resolvedAt(at: Position, graph: number, type: string): ResolvedIn | undefined {
  return at.resolvedIn.get(type)?.find(({ view }) => view.graph === graph)
}

function resolvedBySource(source: Source, type: string): ResolvedIn | undefined {
  if (source.lookup === undefined) return resolvedAt(source.at, source.graph, type)
  const view = source.lookup.views.get(type)
  return view === undefined ? undefined : { view, provided: nothing }
}

/** Whether the field can be selected of objects that `resolvedFor` describes. */
export function isSelectable(
  graph: Graph,
  field: Field,
  resolvedFor: (type: string) => ResolvedIn | undefined,
  has: { readonly types: TypeSet; readonly lookup: Lookup | undefined },
): boolean {
  let some = false
  for (const type of field.types.names) {
    const here = resolvedFor(type)
    if (here === undefined) {
      // Objects below a field only have types that the subgraph knows.
      if (has.lookup === undefined) continue
      return false
    }
    const { view } = here
    if (view.interfaceObject) {
      // A field for only some types cannot be selected of objects that do not tell their type.
      if (field.name === '__typename') return false
      if (has.types.names.some((each) => !field.types.has(each) && resolvedFor(each)?.view === view))
        return false
    }
    if (field.name !== '__typename') {
      const own = view.fields.get(field.name)
      if (own === undefined) return false
      if (localSelections(graph, here, own, type) === undefined && !meetsRequirements(own, has.lookup))
        return false
    }
    some = true
  }
  return some
}

/** Whether the lookup sends the values that the field requires. */
function meetsRequirements(field: SubgraphField, lookup: Lookup | undefined): boolean {
  if (lookup === undefined || field.external) return false
  if (field.requires !== undefined && !lookup.requires.has(field.requires.text)) return false
  return field.contextArguments.length === 0 || lookup.contexts.has(field)
}

export function canSelect(graph: Graph, source: Source, field: Field): boolean {
  return isSelectable(graph, field, (type) => resolvedBySource(source, type), {
    types: source.lookup?.types ?? source.at.types,
    lookup: source.lookup,
  })
}

/** The field's arguments with values from objects further up. */
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
