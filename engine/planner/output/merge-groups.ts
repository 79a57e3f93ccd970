/** Look-ups of one fetch that can be one list of representations and one selection become that. */
import { conditionsOf } from '../../operation/conditions.ts'
import type { Position } from '../graph/position.ts'
import { type FetchGroup, mergeSelections, type Part } from '../search/groups.ts'
import type { RequiredField } from './nodes.ts'

/**
 * Groups that look up the objects of one place under the same name, under the same conditions and after the same
 * groups become one. Those that wait for something else stay apart: if that fails, only they fail.
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
      for (let more = 1; before !== undefined && isContrary(before.parts, group.parts); more++) {
        key = `${plainKey} ${more}`
        before = known.get(key)
      }
      mergedInto.set(group, before?.id ?? group.id)
      known.set(key, before === undefined ? group : mergedGroup(before, group))
    }
    return [...known.values()]
  }
}

/** Whether they send different values of one field, which was asked for with different arguments. */
function isContrary(parts: readonly Part[], others: readonly Part[]): boolean {
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
  return parts.some(({ fields }) => others.some((other) => contrary(fields, other.fields)))
}

function mergedGroup(group: FetchGroup, other: FetchGroup): FetchGroup {
  mergeSelections(group.selection, other.selection)
  const parts = mergedParts(group.parts, other.parts)
  if (group.types === undefined || other.types === undefined) return { ...group, parts, types: undefined }
  const names = [...new Set([...group.types.names, ...other.types.names])].sort()
  const isAll = group.at.types.names.every((name) => names.includes(name))
  const types = { id: -1, names, has: (name: string) => names.includes(name) }
  return { ...group, parts, types: isAll ? undefined : types }
}

function mergedParts(parts: readonly Part[], more: readonly Part[]): Part[] {
  const all = [...parts]
  for (const part of more) {
    const at = all.findIndex(({ types, typename }) => types === part.types && typename === part.typename)
    const known = all[at]
    if (known === undefined) all.push(part)
    else {
      const texts = new Set(known.fields.map((field) => JSON.stringify(field)))
      const fields = part.fields.filter((field) => !texts.has(JSON.stringify(field)))
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
