/**
 * Cuts data to a number of bytes, between items of lists only: connections before other lists, the deepest of them
 * first, of those the longest. A list keeps one item as long as there is another to be cut. What is cut off comes back as
 * pieces, so that nothing has to be asked for again.
 */

import { isObject } from '../../../shared/json/is-object.ts'
import { anyNumber } from './marks.ts'
import { hiddenEdges, type Shape } from './shape.ts'
import { step, writeLeaf, writeValue } from './write.ts'

/** Items of one list that are not sent yet. */
export interface Piece {
  /** The list, as a JSON pointer into the data. */
  readonly path: string
  /** The response keys that lead to the list. */
  readonly keys: readonly string[]
  /** The number of the first item in the list. */
  readonly from: number
  readonly items: readonly unknown[]
}

export interface Cut {
  readonly cuts: ReadonlyMap<readonly unknown[], number>
  readonly pieces: readonly Piece[]
}

interface List {
  readonly arrays: readonly (readonly unknown[])[]
  readonly places: readonly { readonly path: string; readonly keys: readonly string[] }[]
  readonly isConnection: boolean
  readonly depth: number
  /** The item of another list in which it stands. */
  readonly parent: { readonly list: List; readonly at: number } | undefined
  /** Of each item, commas included. */
  readonly sizes: number[]
  kept: number
}

/** What an item costs beside its text. */
const comma = 1
/** What a cursor can take that was not there before. */
const cursorBytes = 120

/** Undefined if nothing that can be cut makes it fit. */
export function cut(
  value: unknown,
  shape: Shape | undefined,
  bytes: number,
  at: { readonly path: string; readonly keys: readonly string[] } = { path: '', keys: [] },
): Cut | undefined {
  const lists: List[] = []
  let total = measure(value, shape, false, at, undefined, 0, lists)
  const order = [...lists].sort(
    (a, b) => Number(b.isConnection) - Number(a.isConnection) || b.depth - a.depth || bytesOf(b) - bytesOf(a),
  )
  for (const least of [1, 0])
    for (const list of order) {
      while (total > bytes && list.kept > least && isShown(list)) {
        if (list.kept === list.sizes.length && list.isConnection) {
          total += cursorBytes
          grow(list, cursorBytes)
        }
        list.kept -= 1
        const freed = list.sizes[list.kept] ?? 0
        total -= freed
        grow(list, -freed)
      }
    }
  if (total > bytes) return undefined
  const shortened = lists.filter((list) => list.kept < list.sizes.length)
  return {
    cuts: new Map(shortened.flatMap(({ arrays, kept }) => arrays.map((array) => [array, kept] as const))),
    pieces: shortened.filter(isShown).flatMap(({ arrays, places, kept }) =>
      arrays.flatMap((array, n) => {
        const place = places[n]
        if (place === undefined || place.keys.at(-1) === hiddenEdges) return []
        return [{ ...place, from: kept, items: array.slice(kept) }]
      }),
    ),
  }
}

const bytesOf = ({ sizes }: List): number => sizes.reduce((sum, size) => sum + size, 0)

/** Whether the items in which it stands are kept. */
function isShown({ parent }: List): boolean {
  return parent === undefined || (parent.at < parent.list.kept && isShown(parent.list))
}

/** What is cut off of a list is not in the items around it any more. */
function grow({ parent }: List, by: number): void {
  if (parent === undefined) return
  const { sizes } = parent.list
  sizes[parent.at] = (sizes[parent.at] ?? 0) + by
  grow(parent.list, by)
}

type Place = { readonly path: string; readonly keys: readonly string[] }

const unmarked = { number: anyNumber, cuts: new Map<readonly unknown[], number>(), found(): void {} }

/** The bytes of a value as it is written, at most; adds the lists in it. */
function measure(
  value: unknown,
  shape: Shape | undefined,
  isStranger: boolean,
  place: Place,
  parent: List['parent'],
  depth: number,
  lists: List[],
): number {
  if (Array.isArray(value)) {
    if (isStranger) return Buffer.byteLength(writeValue(value, undefined, true, '', unmarked))
    const list: List = {
      arrays: [value],
      places: [place],
      isConnection: false,
      depth,
      parent,
      sizes: [],
      kept: value.length,
    }
    lists.push(list)
    return 2 + measureItems(list, value, shape, place, depth, lists)
  }
  if (isStranger || shape === undefined || !isObject(value))
    return Buffer.byteLength(isStranger ? writeValue(value, undefined, true, '', unmarked) : writeLeaf(value))
  return measureObject(value, shape, place, parent, depth, lists)
}

/** Adds the sizes of items to those of the list: of a connection, edges and nodes of one item go together. */
function measureItems(
  list: List,
  items: readonly unknown[],
  shape: Shape | undefined,
  place: Place,
  depth: number,
  lists: List[],
): number {
  let total = 0
  items.forEach((item, at) => {
    const inner = { path: `${place.path}/${at}`, keys: place.keys }
    const size = comma + measure(item, shape, false, inner, { list, at }, depth + 1, lists)
    list.sizes[at] = (list.sizes[at] ?? 0) + size
    total += size
  })
  return total
}

function measureObject(
  value: Readonly<Record<string, unknown>>,
  shape: Shape,
  place: Place,
  parent: List['parent'],
  depth: number,
  lists: List[],
): number {
  const { page } = shape
  const itemKeys = (page?.items ?? []).filter((key) => Array.isArray(value[key]))
  const below = (key: string): Place => ({ path: place.path + step(key), keys: [...place.keys, key] })
  let connection: List | undefined
  if (itemKeys.length > 0) {
    const arrays = itemKeys.map((key) => value[key] as readonly unknown[])
    connection = {
      arrays,
      places: itemKeys.map(below),
      isConnection: true,
      depth,
      parent,
      sizes: [],
      kept: Math.max(...arrays.map(({ length }) => length)),
    }
    lists.push(connection)
  }
  let total = 2
  for (const [key, member] of Object.entries(value)) {
    if (key === hiddenEdges) continue
    const field = shape.fields.get(key)
    total += Buffer.byteLength(writeLeaf(key)) + 2
    total +=
      connection !== undefined && itemKeys.includes(key)
        ? 2 + measureItems(connection, member as readonly unknown[], field?.shape, below(key), depth, lists)
        : measure(member, field?.shape, field?.isStranger ?? false, below(key), parent, depth + 1, lists)
  }
  return total
}
