/**
 * Splits lookups by what their fields need. Some fields require values that another fetch brings first, and others
 * need only the key. Both are requested in one fetch with representations of their own: if the required values do not
 * come, the other fields are requested all the same.
 */
import { type Conjunction, widen } from '../../operation/conditions.ts'
import type { Entry, FetchGroup } from '../search/groups.ts'

export function splitByNeed(groups: readonly FetchGroup[]): readonly FetchGroup[] {
  if (!groups.some(({ byKey }) => byKey !== undefined)) return groups
  let fresh = groups.length
  const replaced = new Map<FetchGroup, readonly FetchGroup[]>()
  return groups.flatMap((group) => {
    const after = new Set([...group.after].flatMap((each) => replaced.get(each) ?? [each]))
    const whole = { ...group, after }
    const split = splitGroup(whole, replaced, () => fresh++)
    replaced.set(group, split)
    return split
  })
}

function splitGroup(
  group: FetchGroup,
  replaced: ReadonlyMap<FetchGroup, readonly FetchGroup[]>,
  freshId: () => number,
): readonly FetchGroup[] {
  const { byKey, selection } = group
  if (byKey === undefined) return [group]
  const requiring = new Map<string, Entry>()
  const others = new Map<string, Entry>()
  for (const [id, entry] of selection.entries)
    (hasRequirement(group, entry) ? requiring : others).set(id, entry)
  if (requiring.size === 0 || others.size === 0) return [group]
  const half = (entries: Map<string, Entry>) => ({
    selection: { entries, abstract: selection.abstract },
    when: widened([...entries.values()].flatMap(({ when }) => when)),
  })
  const after = new Set([...byKey.after].flatMap((each) => replaced.get(each) ?? [each]))
  return [
    { ...group, ...half(others), id: freshId(), representations: byKey.representations, after },
    { ...group, ...half(requiring) },
  ]
}

function hasRequirement({ graph }: FetchGroup, { field }: Entry): boolean {
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
