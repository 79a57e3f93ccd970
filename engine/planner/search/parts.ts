/**
 * Parts of an operation that may come later (`../../executor/incremental`): what belongs to one stands under a condition on a
 * variable that begins with `#`. A fetch is made for one part; which others need it as well follows from the conditions
 * under which it is needed. No condition of these goes into the text of a fetch.
 */
import { type Conjunction, widen } from '../../operation/conditions.ts'
import type { Field, Place } from '../graph/position.ts'
import type { LateField } from '../output/nodes.ts'
import type { Entry, FetchGroup, Selection } from './groups.ts'

/** The innermost of the parts; numbers in their names tell how far within. */
function innermost(when: Conjunction): string {
  let found = ''
  let level = -1
  for (const { variable } of when.all) {
    if (!variable.startsWith('#')) continue
    const own = levelOf(variable)
    if (own > level) {
      level = own
      found = variable
    }
  }
  return found
}

/** The part that something under these conditions belongs to; empty for what comes first. */
export const partOf = (when: Conjunction): string => (when.all.length === 0 ? '' : innermost(when))

/** How far within others a part stands: what comes first is planned first. */
export const levelOf = (part: string): number => (part === '' ? 0 : Number.parseInt(part.slice(2), 10))

/** What is known of a fetch of an operation in parts. */
export interface GroupParts {
  /** Every part that needs it. */
  readonly parts: readonly string[]
  /** The streamed lists in whose items its objects stand. */
  readonly lists: readonly string[]
  /** The streamed lists that it brings, and the part of each. */
  readonly brings: readonly { readonly list: string; readonly part: string }[]
  readonly late: readonly LateField[]
}

/** Reads what conditions say about parts. */
export function partsOfGroup(group: FetchGroup): GroupParts {
  const parts = [...new Set(group.when.map(partOf))]
  const { lists } = group.at
  const brings = new Map<string, string>()
  const late: LateField[] = []
  const walk = (selection: Selection, path: readonly string[], outer: string): void => {
    for (const entry of selection.entries.values()) {
      const here = [...path, entry.field.key]
      const own = earliest(entry, outer)
      if (own !== outer) late.push({ path: here, part: own })
      if (entry.field.list !== undefined) brings.set(entry.field.list, own)
      if (entry.below !== undefined) walk(entry.below, here, own)
    }
  }
  walk(group.selection, [], group.part)
  return { parts, lists, brings: [...brings].map(([list, part]) => ({ list, part })), late }
}

/** The part of an entry: that of what is around it, if it is needed there, too. */
function earliest({ when }: Entry, outer: string): string {
  const parts = when.map(partOf)
  if (parts.length === 0 || parts.includes(outer) || parts.includes('')) return outer
  const [first = outer] = parts
  return parts.every((each) => each === first) ? first : outer
}

/** Takes the conditions that stand for parts out of a group. */
export function withoutParts(group: FetchGroup): FetchGroup {
  return { ...group, selection: plainSelection(group.selection), when: plain(group.when) }
}

function plainSelection({ entries, abstract }: Selection): Selection {
  const left = new Map<string, Entry>()
  for (const [id, entry] of entries) {
    const below = entry.below === undefined ? undefined : plainSelection(entry.below)
    left.set(id, { ...entry, when: plain(entry.when), below })
  }
  return { entries: left, abstract }
}

function plain(when: readonly Conjunction[]): Conjunction[] {
  const all: Conjunction[] = []
  for (const each of when) {
    const left = each.all.filter(({ variable }) => !variable.startsWith('#'))
    const key = left.map(({ variable, value }) => `${value ? '' : '!'}$${variable}`).join(' ')
    widen(all, { key, all: left })
  }
  return all
}

/** Streamed lists that something else of the plan requires as well: what it requires it has to have whole. */
export function requiredLists(groups: readonly FetchGroup[]): ReadonlySet<string> {
  const streamed: Field[] = []
  const required = new Map<Place, Set<string>>()
  const walk = ({ entries }: Selection): void => {
    for (const { field, below, isRequired } of entries.values()) {
      if (field.list !== undefined) streamed.push(field)
      if (isRequired) {
        const keys = required.get(field.at.place)
        if (keys === undefined) required.set(field.at.place, new Set([field.key]))
        else keys.add(field.key)
      }
      if (below !== undefined) walk(below)
    }
  }
  for (const { selection } of groups) walk(selection)
  const names = new Set<string>()
  for (const { list, at, key } of streamed)
    if (list !== undefined && required.get(at.place)?.has(key) === true) names.add(list)
  return names
}
