/**
 * Which fields a fetch of root fields may return later: items of streamed lists that no other fetch returns, and
 * sibling fields of a later delivery group. Fields of such items come with their item.
 */

import { getOrInsert } from '../../../shared/runtime/maps.ts'
import type { DeliveryFetch } from '../../planner/index.ts'
import type { LaterFields } from '../later-results.ts'
import type { StreamedList } from './delivery-groups.ts'

interface Fields extends LaterFields {
  initialCount: number | undefined
  deliveryGroup: string | undefined
  readonly below: Map<string, Fields>
}

/** Undefined if it returns everything at once. */
export function laterFieldsOf(
  planned: readonly DeliveryFetch[],
  index: number,
  lists: ReadonlyMap<string, StreamedList>,
): ReadonlyMap<string, LaterFields> | undefined {
  const fetch = planned[index]
  if (fetch === undefined) return undefined
  const { node, brings, late } = fetch
  // The response of other fetches is merged into existing data, where later values could not be found.
  if (node.kind !== 'fetch' || node.path !== undefined || node.renames.length > 0) return undefined
  if (node.operation.kind !== 'query') return undefined
  const isOnlyHere = (name: string): boolean =>
    planned.every((each, at) => at === index || each.brings.every(({ list }) => list !== name))
  const own = brings.flatMap(({ list: name }) => {
    const list = lists.get(name)
    return list !== undefined && isOnlyHere(name) && list.path.every(({ types }) => types === undefined)
      ? [{ keys: list.path.map(({ key }) => key), initialCount: list.initialCount }]
      : []
  })
  const isInside = (path: readonly string[]): boolean =>
    own.some(({ keys }) => keys.length < path.length && keys.every((key, at) => key === path[at]))
  const root = new Map<string, Fields>()
  const outer = own.filter(({ keys }) => !isInside(keys))
  if (outer.length === 0) return undefined
  for (const { keys, initialCount } of outer) fieldAt(root, keys).initialCount = initialCount
  for (const { path, deliveryGroup } of late)
    if (!isInside(path)) fieldAt(root, path).deliveryGroup = deliveryGroup
  return root
}

const emptyField = (): Fields => ({ initialCount: undefined, deliveryGroup: undefined, below: new Map() })

function fieldAt(root: Map<string, Fields>, path: readonly string[]): Fields {
  let below = root
  let field: Fields | undefined
  for (const key of path) {
    field = getOrInsert(below, key, emptyField)
    below = field.below
  }
  if (field === undefined) throw new Error('The root of an operation is no field.')
  return field
}
