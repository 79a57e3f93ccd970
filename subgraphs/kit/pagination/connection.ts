/** The object that a connection field resolves to, made from the pages that were read. */
import type { ConnectionRange, ConnectionSource } from './arguments.ts'
import { writeCursor } from './cursor.ts'
import { fingerprintOf, withFingerprint } from './visited-pages.ts'
import type { PageSlice } from './walk.ts'

/** An item of a connection with its cursor. */
export interface Edge<T> {
  readonly cursor: string
  readonly node: T
}

/** Whether a connection has more in either direction, and the cursors of its ends. An empty page has only those that lead on. */
export interface PageInfo {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly startCursor: string | null
  readonly endCursor: string | null
}

/** What a connection field resolves to. Cursors are made only if they are selected. */
export interface Connection<T> {
  readonly edges: readonly Edge<T>[]
  readonly nodes: readonly T[]
  readonly pageInfo: PageInfo
  readonly totalCount: number | null
}

type CursorSource<T> = Pick<ConnectionSource<T>, 'list' | 'keyOf'>

export class PagedConnection<T> implements Connection<T> {
  readonly #source: CursorSource<T>
  readonly #wanted: ConnectionRange
  readonly #slices: readonly PageSlice<T>[]
  readonly nodes: readonly T[]

  constructor(source: CursorSource<T>, wanted: ConnectionRange, slices: readonly PageSlice<T>[]) {
    this.#source = source
    this.#wanted = wanted
    this.#slices = withoutEmptyEnd(slices)
    const [only] = this.#slices
    this.nodes =
      this.#slices.length === 1 && only !== undefined && only.from === 0 && only.to === only.page.items.length
        ? only.page.items
        : this.#slices.flatMap(({ page, from, to }) => page.items.slice(from, to))
  }

  get edges(): readonly Edge<T>[] {
    return this.#slices.flatMap((slice) => edgesOf(this.#source, slice))
  }

  get totalCount(): number | null {
    const [first] = this.#slices
    if (first === undefined) return null
    const { page, token } = first
    if (page.total !== undefined && page.total !== null) return page.total
    return token === undefined && page.next === undefined ? page.items.length : null
  }

  get pageInfo(): PageInfo {
    const first = this.#slices[0]
    const last = this.#slices.at(-1)
    if (first === undefined || last === undefined) {
      const { from, direction } = this.#wanted
      return {
        hasNextPage: direction === 'backward',
        hasPreviousPage: direction === 'forward' && from !== undefined,
        startCursor: null,
        endCursor: null,
      }
    }
    const start = this.#slices.find(isFilled)
    return {
      hasNextPage: last.to < last.page.items.length || last.page.next !== undefined,
      hasPreviousPage:
        first.from > 0 ||
        first.page.previous !== undefined ||
        (this.#wanted.direction === 'forward' && first.token !== undefined),
      startCursor: this.#startCursor(first, start),
      endCursor: this.#endCursor(last),
    }
  }

  /** `start` is the first slice that has items. */
  #startCursor(first: PageSlice<T>, start: PageSlice<T> | undefined): string | null {
    if (start !== undefined) return cursorAt(this.#source, start, start.from)
    // An empty page that has a previous one still needs a cursor to continue from.
    return first.page.previous === undefined ? null : cursorAt(this.#source, first, -1)
  }

  #endCursor(last: PageSlice<T>): string | null {
    // An empty page that has a next one still needs a cursor to continue from.
    const end = last.page.next === undefined ? this.#slices.findLast(isFilled) : last
    return end === undefined ? null : cursorAt(this.#source, end, end.to - 1)
  }
}

const isFilled = ({ from, to }: PageSlice<unknown>): boolean => to > from

/**
 * Empty pages at the end belong to the last item, so that the cursor of its edge leads past them, unless the list ends
 * there. The items before it keep the visited pages of their own page, because reading on from them enters the empty
 * pages again.
 */
function withoutEmptyEnd<T>(slices: readonly PageSlice<T>[]): readonly PageSlice<T>[] {
  const end = slices.findLastIndex(isFilled)
  const [filled, last] = [slices[end], slices.at(-1)]
  if (filled === undefined || filled === last || last?.page.next === undefined) return slices
  const lastItem = filled.to - 1
  return [
    ...slices.slice(0, end),
    { ...filled, to: lastItem },
    { ...filled, from: lastItem, page: { ...filled.page, next: last.page.next }, visited: last.visited },
  ]
}

function cursorAt<T>(source: CursorSource<T>, slice: PageSlice<T>, index: number): string {
  const { token, size, page } = slice
  const next = index === page.items.length - 1 ? page.next : undefined
  const previous = index <= 0 ? page.previous : undefined
  const goesOn = next !== undefined || previous !== undefined
  return writeCursor(source.list, {
    token,
    size,
    index,
    next,
    previous,
    visited: visitedBefore(source, slice, goesOn),
  })
}

/**
 * What a walk that starts at this page must know of the pages before it. A position in the first page needs
 * nothing.
 */
function visitedBefore<T>(
  { keyOf }: CursorSource<T>,
  { token, page, visited }: PageSlice<T>,
  goesOn: boolean,
): string | undefined {
  const fingerprint = goesOn ? fingerprintOf(page.items, keyOf) : undefined
  return token === undefined && fingerprint === undefined ? undefined : withFingerprint(visited, fingerprint)
}

export function edgesOf<T>(source: CursorSource<T>, slice: PageSlice<T>): readonly Edge<T>[] {
  const edges: Edge<T>[] = []
  for (let index = slice.from; index < slice.to; index++) {
    const node = slice.page.items[index]
    if (node !== undefined) edges.push({ cursor: cursorAt(source, slice, index), node })
  }
  return edges
}
