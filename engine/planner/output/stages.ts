/** Decides at which stage each group is fetched, and which groups of one stage become one fetch. */
import { append } from '../../../shared/runtime/maps.ts'
import type { FetchGroup } from '../search/groups.ts'

/**
 * The stage of each group: the earliest possible one, unless all lookups of a fetch can wait for a later fetch to
 * the same subgraph. Waiting saves a fetch then.
 */
export function stagesOf(groups: readonly FetchGroup[]): ReadonlyMap<FetchGroup, number> {
  const stageOf = new Map(groups.map((group) => [group, group.stage]))
  const dependents = new Map<FetchGroup, FetchGroup[]>()
  for (const group of groups) for (const before of group.after) append(dependents, before, group)
  const lookups = groups.filter(({ kind }) => kind !== 'root')
  const alike = Map.groupBy(lookups, (group) => `${group.graph} ${bundledBy(group)}`)
  const fetches = [...alike.values()].flatMap((all) => {
    const byStage = Map.groupBy(all, (group) => group.stage)
    return [...byStage.keys()].map((stage) => ({ stage, byStage }))
  })
  for (const { stage, byStage } of fetches.sort((a, b) => b.stage - a.stage)) {
    // Most subgraphs have lookups at one stage only.
    if (byStage.size === 1) continue
    const here = byStage.get(stage) ?? []
    let latest = Number.POSITIVE_INFINITY
    for (const each of here)
      for (const later of dependents.get(each) ?? []) latest = Math.min(latest, stageOf.get(later) ?? 0)
    const next = Math.min(...[...byStage.keys()].filter((each) => each > stage && each < latest))
    const there = byStage.get(next)
    if (there === undefined) continue
    byStage.delete(stage)
    for (const each of here) {
      there.push(each)
      stageOf.set(each, next)
    }
  }
  return stageOf
}

/**
 * Groups with equal keys become one fetch. There is one root fetch for each place, and one lookup for each set of
 * context values.
 */
export function bundledBy(group: FetchGroup): string {
  const {
    deliveryGroup,
    at: { lists },
  } = group
  // Different delivery groups, and items of streamed lists, are fetched separately.
  return deliveryGroup === '' && lists.length === 0
    ? bundle(group)
    : `${deliveryGroup} ${lists.join()} ${bundle(group)}`
}

function bundle({ kind, at, contexts, id }: FetchGroup): string {
  if (kind === 'root') return `at ${at.id}`
  return contexts.length > 0 ? `alone ${id}` : ''
}
