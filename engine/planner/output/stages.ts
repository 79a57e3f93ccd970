/** At which stage each group is fetched, and which of one stage travel together. */
import type { FetchGroup } from '../search/groups.ts'

/**
 * The stage of each group: the earliest, unless all look-ups of one fetch can as well wait for a later fetch to the
 * same subgraph. Then there is one fetch less.
 */
export function stagesOf(groups: readonly FetchGroup[]): ReadonlyMap<FetchGroup, number> {
  const stageOf = new Map(groups.map((group) => [group, group.stage]))
  const dependents = new Map<FetchGroup, FetchGroup[]>()
  for (const group of groups)
    for (const before of group.after) dependents.set(before, [...(dependents.get(before) ?? []), group])
  const alike = new Map<string, FetchGroup[]>()
  const keyOf = (group: FetchGroup): string => `${group.graph} ${bundledBy(group)}`
  for (const group of groups) {
    const known = alike.get(keyOf(group))
    if (known === undefined) alike.set(keyOf(group), [group])
    else known.push(group)
  }
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

/** Root fetches are one for each place; what takes arguments from above is sent once for each of their values. */
export function bundledBy(group: FetchGroup): string {
  const {
    part,
    at: { lists },
  } = group
  // What belongs to different parts of the operation, or to items of a streamed list, is fetched by itself.
  return part === '' && lists.length === 0 ? bundle(group) : `${part} ${lists.join()} ${bundle(group)}`
}

function bundle({ kind, at, contexts, id }: FetchGroup): string {
  if (kind === 'root') return `at ${at.id}`
  return contexts.length > 0 ? `alone ${id}` : ''
}
