/**
 * Delivery groups of an incremental operation (`../../executor/incremental`). The fields of a group are under a
 * condition on a variable whose name begins with `#`. A fetch is made for one group. The conditions under which it is
 * needed tell which other groups need it. None of these conditions is written into the text of a fetch.
 */
import { Kind } from 'graphql'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import { type Conjunction, conjunctionOf, widen } from '../../operation/conditions.ts'
import { isDeliveryGroupName, levelOf } from '../../operation/delivery-group-name.ts'
import type { Field, Place, Position } from '../graph/position.ts'
import type { DeliveryFetch, LateField } from '../output/nodes.ts'
import type { Entry, FetchGroup, Selection } from './groups.ts'

/** The innermost delivery group of fields under these conditions. Empty for the first response. */
export function deliveryGroupOf(when: Conjunction): string {
  let found = ''
  for (const { variable } of when.all)
    if (isDeliveryGroupName(variable) && (found === '' || levelOf(variable) > levelOf(found)))
      found = variable
  return found
}

/** Arguments that choose objects of a connection, and nothing of the objects. */
const paging: ReadonlySet<string> = new Set(['first', 'after', 'last', 'before'])

/**
 * Whether arguments may have chosen values of the objects at a position, such as a language, which a lookup for another
 * group would not know. Such arguments are those of a mutation, and optional ones of a query, of the fields between the
 * objects of the fetch and these.
 */
export function areChosen(position: Position, fetch: FetchGroup): boolean {
  const { field } = position
  if (field === undefined || position === fetch.at) return false
  const isChoosing = field.at.serial ? field.arguments.length > 0 : hasOptional(field, fetch.graph)
  return isChoosing || areChosen(field.at, fetch)
}

/** Whether arguments are given that may be absent, except those of paging. */
function hasOptional({ name, candidates, arguments: given }: Field, graph: number): boolean {
  if (given.length === 0) return false
  const [view] = candidates.find((each) => each.graph === graph)?.views.values() ?? []
  const known = view?.fields.get(name)?.arguments ?? []
  return given.some(({ name: { value: named } }) => {
    const definition = known.find((each) => each.name.value === named)
    if (definition === undefined || paging.has(named)) return false
    return definition.type.kind !== Kind.NON_NULL_TYPE || definition.defaultValue !== undefined
  })
}

/** Reads how a fetch takes part in the delivery groups from its conditions. */
export function deliveryOf(
  group: FetchGroup,
): Pick<DeliveryFetch, 'deliveryGroups' | 'lists' | 'brings' | 'late'> {
  const deliveryGroups = [...new Set(group.when.map(deliveryGroupOf))]
  const { lists } = group.at
  const brings = new Map<string, string>()
  const late: LateField[] = []
  const walk = (selection: Selection, path: readonly string[], outer: string): void => {
    for (const entry of selection.entries.values()) {
      const here = [...path, entry.field.key]
      const own = earliest(entry, outer)
      if (own !== outer) late.push({ path: here, deliveryGroup: own })
      if (entry.field.list !== undefined) brings.set(entry.field.list, own)
      if (entry.below !== undefined) walk(entry.below, here, own)
    }
  }
  walk(group.selection, [], group.deliveryGroup)
  return {
    deliveryGroups,
    lists,
    brings: [...brings].map(([list, deliveryGroup]) => ({ list, deliveryGroup })),
    late,
  }
}

/** The delivery group of an entry: that of its parent if the parent's group needs it as well. */
function earliest({ when }: Entry, outer: string): string {
  const deliveryGroups = when.map(deliveryGroupOf)
  if (deliveryGroups.length === 0 || deliveryGroups.includes(outer) || deliveryGroups.includes(''))
    return outer
  const [first = outer] = deliveryGroups
  return deliveryGroups.every((each) => each === first) ? first : outer
}

/** Removes the conditions for delivery groups. */
export function withoutDeliveryConditions(group: FetchGroup): FetchGroup {
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
    widen(all, conjunctionOf(each.all.filter(({ variable }) => !isDeliveryGroupName(variable))))
  }
  return all
}

/** Streamed lists that another fetch requires as well: it needs the whole list. */
export function requiredLists(groups: readonly FetchGroup[]): ReadonlySet<string> {
  const streamed: Field[] = []
  const required = new Map<Place, Set<string>>()
  const walk = ({ entries }: Selection): void => {
    for (const { field, below, isRequired } of entries.values()) {
      if (field.list !== undefined) streamed.push(field)
      if (isRequired) getOrInsert(required, field.at.place, () => new Set()).add(field.key)
      if (below !== undefined) walk(below)
    }
  }
  for (const { selection } of groups) walk(selection)
  const names = new Set<string>()
  for (const { list, at, key } of streamed)
    if (list !== undefined && required.get(at.place)?.has(key) === true) names.add(list)
  return names
}
