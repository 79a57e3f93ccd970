/** Merges lookups of one fetch that can share one list of representations and one selection. */
import { conditionsOf } from '../../operation/conditions.ts'
import type { Position } from '../graph/position.ts'
import { type FetchGroup, mergeSelections, type RepresentedTypes } from '../search/groups.ts'
import type { RequiredField } from './nodes.ts'

/**
 * Merges groups that look up objects of one place under the same type name, under the same conditions and after the
 * same groups. Groups with other dependencies remain separate, so that a failed dependency affects only them.
 */
export function createMerger(): (groups: readonly FetchGroup[]) => readonly FetchGroup[] {
  const mergedInto = new Map<FetchGroup, number>()
  return (groups) => {
    const known = new Map<string, FetchGroup>()
    for (const group of groups) {
      const when = conditionsOf(group.when)?.map((each) => each.key) ?? []
      const after = new Set([...group.after].map((each) => mergedInto.get(each) ?? each.id))
      const types = group.as === undefined ? '' : (group.types?.names ?? [])
      const apart = group.kind === 'root' || group.contexts.length > 0 ? group.id : ''
      const plainKey = JSON.stringify([
        placeOf(group.at),
        group.as?.name,
        when,
        [...after].sort(),
        types,
        apart,
      ])
      let key = plainKey
      let before = known.get(key)
      for (
        let more = 1;
        before !== undefined && isContrary(before.representations, group.representations);
        more++
      ) {
        key = `${plainKey} ${more}`
        before = known.get(key)
      }
      mergedInto.set(group, before?.id ?? group.id)
      known.set(key, before === undefined ? group : mergedGroup(before, group))
    }
    return [...known.values()]
  }
}

/** Whether the two need different values of one field, which was requested with different arguments. */
function isContrary(
  representations: readonly RepresentedTypes[],
  others: readonly RepresentedTypes[],
): boolean {
  const contrary = (fields: readonly RequiredField[], more: readonly RequiredField[]): boolean =>
    fields.some((field) =>
      more.some(
        (other) =>
          other.name === field.name &&
          (other.key !== field.key ||
            (field.fields !== undefined &&
              other.fields !== undefined &&
              contrary(field.fields, other.fields))),
      ),
    )
  return representations.some(({ fields }) => others.some((other) => contrary(fields, other.fields)))
}

function mergedGroup(group: FetchGroup, other: FetchGroup): FetchGroup {
  mergeSelections(group.selection, other.selection)
  const representations = mergedRepresentations(group.representations, other.representations)
  if (group.types === undefined || other.types === undefined)
    return { ...group, representations, types: undefined }
  const names = [...new Set([...group.types.names, ...other.types.names])].sort()
  const isAll = group.at.types.names.every((name) => names.includes(name))
  const types = { id: -1, names, has: (name: string) => names.includes(name) }
  return { ...group, representations, types: isAll ? undefined : types }
}

function mergedRepresentations(
  representations: readonly RepresentedTypes[],
  more: readonly RepresentedTypes[],
): RepresentedTypes[] {
  const all = [...representations]
  for (const represented of more) {
    const at = all.findIndex(
      ({ types, typename }) => types === represented.types && typename === represented.typename,
    )
    const known = all[at]
    if (known === undefined) all.push(represented)
    else {
      const texts = new Set(known.fields.map((field) => JSON.stringify(field)))
      const fields = represented.fields.filter((field) => !texts.has(JSON.stringify(field)))
      all[at] = { ...known, fields: [...known.fields, ...fields] }
    }
  }
  return all
}

function placeOf(at: Position): string {
  if (at.field === undefined) return ''
  const types = at.field.types === at.field.at.types ? '' : `|${at.field.types.names.join('|')}`
  return `${placeOf(at.field.at)}${types}.${at.field.key}`
}
