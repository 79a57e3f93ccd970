/** Decides at which stage each group is fetched, and which groups of one stage become one fetch. */
import type { FetchGroup } from '../search/groups.ts'

/**
 * The stage of each group: the earliest possible one, unless all look-ups of a fetch can wait for a later fetch to
 * the same subgraph. Waiting saves a fetch then.
 */
export function stagesOf(groups: readonly FetchGroup[]): ReadonlyMap<FetchGroup, number> {
  const stageOf = new Map(groups.map((group) => [group, group.stage]))
  const dependents = new Map<FetchGroup, FetchGroup[]>()
  for (const group of groups)
    for (const before of group.after) dependents.set(before, [...(dependents.get(before) ?? []), group])
  const keyOf = (group: FetchGroup): string => `${group.graph} ${bundledBy(group)}`
  const alike = Map.groupBy(groups, keyOf)
  for (const group of [...groups].sort((a, b) => b.stage - a.stage)) {
    const stage = stageOf.get(group) ?? 0
    if (group.kind === 'root') continue
    const all = alike.get(keyOf(group)) ?? []
    // Most subgraphs have look-ups at one stage only.
    if (all.every((each) => stageOf.get(each) === stage)) continue
    const others = all.filter((each) => stageOf.get(each) === stage)
    const latest = Math.min(
      ...others.flatMap((each) => (dependents.get(each) ?? []).map((later) => stageOf.get(later) ?? 0)),
    )
    const later = all.map((each) => stageOf.get(each) ?? 0).filter((each) => each > stage && each < latest)
    if (later.length > 0) for (const each of others) stageOf.set(each, Math.min(...later))
  }
  return stageOf
}

/**
 * Groups with equal keys become one fetch. There is one root fetch for each place, and one look-up for each set of
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
