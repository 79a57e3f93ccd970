/** Mutations: they are never stored, and invalidate what they changed. */
import type { SubgraphFetch, SubgraphResult } from '../../engine/subgraphs/index.ts'
import { whenReady } from '../../shared/runtime/is-promise.ts'
import { addOwnTags, type CachedSubgraph } from './cached-subgraph.ts'
import type { Selection } from './selection.ts'
import { limitAnswerPolicy } from './stored-responses.ts'
import { addChangedTags, rootTag, subgraphTag } from './tags.ts'

/**
 * Returned entities are the changed ones. All root fields of the subgraph that can lead to their types and all entities
 * with lists of them count as changed as well, because lists may have one more or one less. If no entity is returned, or
 * something failed, everything of the subgraph counts as changed.
 */
export function invalidateAfter(
  subgraph: CachedSubgraph,
  selection: Selection,
  send: SubgraphFetch,
): SubgraphFetch {
  const { stored, facts, name } = subgraph
  const root = facts.root.mutation ?? 'Mutation'

  const changedBy = (result: SubgraphResult, variables: Readonly<Record<string, unknown>>): string[] => {
    const tags = new Set<string>()
    let found = false
    if (result.data != null)
      selection.visitObjects(result.data, root, (type, values) => {
        for (const possible of facts.possibleTypes(type)) {
          if (!addChangedTags(facts, possible, values, tags)) continue
          found = true
          tags.add(rootTag(name, possible))
        }
      })
    for (const { facts: field, args } of selection.rootFields(root, variables))
      addOwnTags(subgraph, field.tags, { args }, tags)
    const isUnclear =
      !found || result.data == null || (result.errors !== undefined && result.errors.length > 0)
    if (isUnclear) tags.add(subgraphTag(name))
    return [...tags]
  }

  return (variables, request) => {
    limitAnswerPolicy(request, 0, true)
    return whenReady(send(variables, request), (result) =>
      whenReady(stored.changes.note(changedBy(result, variables)), () => result),
    )
  }
}
