/**
 * Cuts data down to a number of bytes. Only whole items of lists are cut off. Connections come before other lists,
 * deeper ones before others, and of these the longest comes first. A list keeps one item as long as another list can be
 * cut. What is cut off is returned, so that it need not be requested again.
 */
import { isObject } from '../../../shared/json/is-object.ts'
import { hiddenEdges, type Shape } from './shape.ts'
import { anyNumber } from './text-marks.ts'
import { type Cuts, step, writeLeaf, writeValue } from './write-data.ts'

interface Place {
  /** A JSON pointer into the data. */
  readonly path: string
  /** The response keys that lead there. */
  readonly keys: readonly string[]
}

/** Items of one list that are not sent yet. */
export interface OmittedItems extends Place {
  /** The number of the first item in the list. */
  readonly from: number
  readonly items: readonly unknown[]
}

interface List {
  /** Itself; of a connection, the lists of edges and of nodes. */
  readonly all: readonly (Place & { readonly array: readonly unknown[] })[]
  readonly isConnection: boolean
  readonly depth: number
  /** The item of another list in which it stands. */
  readonly parent: { readonly list: List; readonly at: number } | undefined
  /** The size of each item, commas included. */
  readonly sizes: number[]
  kept: number
}

/** What an item costs in addition to its text. */
const comma = 1
/** What a cursor can take that was not there before. */
const cursorBytes = 120

/** Undefined if nothing that can be cut makes it fit. */
export function truncate(
  value: unknown,
  shape: Shape | undefined,
  bytes: number,
  at: Place = { path: '', keys: [] },
): { readonly cuts: Cuts; readonly pieces: readonly OmittedItems[] } | undefined {
  const lists: List[] = []
  let total = measure(value, shape, false, { ...at, parent: undefined, depth: 0, lists })
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
    cuts: new Map(shortened.flatMap(({ all, kept }) => all.map(({ array }) => [array, kept] as const))),
    pieces: shortened
      .filter(isShown)
      .flatMap(({ all, kept }) =>
        all
          .filter(({ keys }) => keys.at(-1) !== hiddenEdges)
          .map(({ path, keys, array }) => ({ path, keys, from: kept, items: array.slice(kept) })),
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

const unmarked = { number: anyNumber, cuts: new Map(), found(): void {} }

/** Where a value stands that is measured. */
interface Spot extends Place, Pick<List, 'parent' | 'depth'> {
  readonly lists: List[]
}

/** Adds a list, or those of a connection, whose items go together. */
function listAt({ parent, depth, lists }: Spot, isConnection: boolean, all: List['all']): List {
  const kept = Math.max(...all.map(({ array }) => array.length))
  const list: List = { all, isConnection, depth, parent, sizes: [], kept }
  lists.push(list)
  return list
}

/** The bytes of a value as it is written, at most; adds the lists in it. */
function measure(value: unknown, shape: Shape | undefined, isUntrusted: boolean, spot: Spot): number {
  if (isUntrusted) return Buffer.byteLength(writeValue(value, undefined, true, '', unmarked))
  if (Array.isArray(value))
    return measureItems(listAt(spot, false, [{ ...spot, array: value }]), value, shape, spot)
  if (shape === undefined || !isObject(value)) return Buffer.byteLength(writeLeaf(value))
  return measureObject(value, shape, spot)
}

/** Adds the sizes of items to those of the list: of a connection, edges and nodes of one item go together. */
function measureItems(list: List, items: readonly unknown[], shape: Shape | undefined, spot: Spot): number {
  let total = 2
  items.forEach((item, at) => {
    const inner = { ...spot, path: `${spot.path}/${at}`, parent: { list, at }, depth: spot.depth + 1 }
    const size = comma + measure(item, shape, false, inner)
    list.sizes[at] = (list.sizes[at] ?? 0) + size
    total += size
  })
  return total
}

function measureObject(value: Readonly<Record<string, unknown>>, shape: Shape, spot: Spot): number {
  const below = (key: string): Spot => ({
    ...spot,
    path: spot.path + step(key),
    keys: [...spot.keys, key],
  })
  const all = (shape.page?.items ?? []).flatMap((key) => {
    const array = value[key]
    return Array.isArray(array) ? [{ ...below(key), array: array as readonly unknown[] }] : []
  })
  const connection = all.length === 0 ? undefined : listAt(spot, true, all)
  let total = 2
  for (const [key, member] of Object.entries(value)) {
    if (key === hiddenEdges) continue
    const field = shape.fields.get(key)
    const inner = below(key)
    const list = all.find(({ path }) => path === inner.path)
    total += Buffer.byteLength(writeLeaf(key)) + 2
    total +=
      connection !== undefined && list !== undefined
        ? measureItems(connection, list.array, field?.shape, inner)
        : measure(member, field?.shape, field?.isUntrusted ?? false, { ...inner, depth: spot.depth + 1 })
  }
  return total
}
