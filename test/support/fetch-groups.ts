/** What modules of the planner work on: the tree of an operation, and fetches as they are put together. */

import { TypeSets } from '../../engine/operation/type-sets.ts'
import { createGraph } from '../../engine/planner/graph/graph.ts'
import type { Field, Position } from '../../engine/planner/graph/position.ts'
import { Reachability } from '../../engine/planner/graph/reachability.ts'
import { Tree } from '../../engine/planner/graph/tree.ts'
import { createClock } from '../../engine/planner/search/clock.ts'
import type { FetchGroup } from '../../engine/planner/search/groups.ts'
import type { Supergraph } from '../../engine/supergraph/index.ts'
import { groupOf, positionOf } from './fetch-entries.ts'
import { inputOf, supergraphOf } from './plans.ts'

/** The tree of an operation over the supergraph of these subgraphs, of which each is its SDL. */
export const treeOf = (services: Readonly<Record<string, string>>, query: string) =>
  treeIn(supergraphOf(services), query)

/** The tree of an operation over a supergraph. */
export function treeIn(supergraph: Supergraph, query: string) {
  const { operation } = inputOf(supergraph, query)
  const graph = createGraph(supergraph, () => false)
  const sets = new TypeSets()
  const tree = new Tree({
    graph,
    reachability: new Reachability(graph),
    sets,
    mostFields: 1000,
    clock: createClock(undefined),
  })
  const root = tree.root(graph.roots[operation.kind] ?? '', operation.selections)
  const fieldsBelow = ({ fields }: Position): readonly Field[] =>
    fields.flatMap((field) => [field, ...(field.below === undefined ? [] : fieldsBelow(field.below))])
  const all = fieldsBelow(root)
  return {
    graph,
    sets,
    tree,
    root,
    all,
    /** All that have this response key, in the order of the operation. */
    fields: (key: string): readonly Field[] => all.filter((field) => field.key === key),
    field(key: string): Field {
      const found = all.find((field) => field.key === key)
      if (found === undefined) throw new Error(`The operation does not select ${key}`)
      return found
    },
    graphOf: (name: string): number => graph.subgraphs.indexOf(name),
  }
}

/** Groups in a row, each after those that are named: their stages are the earliest. */
export function creatingGroups(at = positionOf()) {
  const groups: FetchGroup[] = []
  return {
    groups,
    add(graph: number, after: readonly FetchGroup[], more: Partial<FetchGroup> = {}): FetchGroup {
      const group = groupOf({
        id: groups.length,
        kind: after.length === 0 ? 'root' : 'entities',
        graph,
        stage: Math.max(0, ...after.map(({ stage }) => stage + 1)),
        at,
        after: new Set(after),
        ...more,
      })
      groups.push(group)
      return group
    },
  }
}
