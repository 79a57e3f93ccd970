/**
 * Look-ups whose fields do not all need what is sent: some require what another fetch has to bring first, others are
 * found by the key alone. Both are asked for in one fetch, each by its own representations: if what is required does
 * not come, the others are asked for all the same.
 */
import { type Conjunction, widen } from '../../operation/conditions.ts'
import type { Entry, FetchGroup } from '../search/groups.ts'

/** The groups, those in two that have fields of both kinds. */
export function splitByNeed(groups: readonly FetchGroup[]): readonly FetchGroup[] {
  if (!groups.some(({ byKey }) => byKey !== undefined)) return groups
  let fresh = groups.length
  const replaced = new Map<FetchGroup, readonly FetchGroup[]>()
  return groups.flatMap((group) => {
    const after = new Set([...group.after].flatMap((each) => replaced.get(each) ?? [each]))
    const whole = { ...group, after }
    const split = halvesOf(whole, replaced, () => fresh++)
    replaced.set(group, split)
    return split
  })
}

function halvesOf(
  group: FetchGroup,
  replaced: ReadonlyMap<FetchGroup, readonly FetchGroup[]>,
  freshId: () => number,
): readonly FetchGroup[] {
  const { byKey, selection } = group
  if (byKey === undefined) return [group]
  const needy = new Map<string, Entry>()
  const others = new Map<string, Entry>()
  for (const [id, entry] of selection.entries) (isNeedy(group, entry) ? needy : others).set(id, entry)
  if (needy.size === 0 || others.size === 0) return [group]
  const half = (entries: Map<string, Entry>) => ({
    selection: { entries, abstract: selection.abstract },
    when: widened([...entries.values()].flatMap(({ when }) => when)),
  })
  const after = new Set([...byKey.after].flatMap((each) => replaced.get(each) ?? [each]))
  return [
    { ...group, ...half(others), id: freshId(), parts: byKey.parts, after },
    { ...group, ...half(needy) },
  ]
}

/** Whether the field requires something of the objects that it is asked for. */
function isNeedy({ graph }: FetchGroup, { field }: Entry): boolean {
  const views = field.candidates.find((each) => each.graph === graph)?.views
  for (const view of views?.values() ?? [])
    if (view.fields.get(field.name)?.requires !== undefined) return true
  return false
}

function widened(all: readonly Conjunction[]): Conjunction[] {
  const any: Conjunction[] = []
  for (const each of all) widen(any, each)
  return any
}
