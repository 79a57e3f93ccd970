/**
 * Relay connections over page tokens: the only place where paging is translated.
 *
 * A cursor names the upstream page that its edge stood on (cursor.ts). That of a page's last edge also names the next
 * page, that of the first edge the previous one, so a walk with a constant `first` costs one upstream call a page, and
 * no page is read twice. Going backward is offered only where the service hands out tokens of previous pages.
 */
import { readArguments, type Wanted } from './arguments.ts'
import { writeCursor } from './cursor.ts'
import type { ConnectionArgs, ConnectionSource } from './page.ts'
import { type Stretch, walkPages } from './walk.ts'

export { maxItems, mostOf } from './arguments.ts'
export type { ConnectionArgs, ConnectionSource, Page, PageTokens } from './page.ts'

/** An item of a connection with its cursor. */
export interface Edge<T> {
  readonly cursor: string
  readonly node: T
}

/** Whether a connection has more in either direction, and the cursors of its ends; null where it is empty. */
export interface PageInfo {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly startCursor: string | null
  readonly endCursor: string | null
}

/** What a connection field resolves to. Cursors are made only where they are selected. */
export interface Connection<T> {
  readonly edges: readonly Edge<T>[]
  readonly nodes: readonly T[]
  readonly pageInfo: PageInfo
  readonly totalCount: number | null
}

class PagedConnection<T> implements Connection<T> {
  readonly #list: string
  readonly #wanted: Wanted
  readonly #stretches: readonly Stretch<T>[]
  readonly nodes: readonly T[]

  constructor(list: string, wanted: Wanted, stretches: readonly Stretch<T>[]) {
    this.#list = list
    this.#wanted = wanted
    this.#stretches = stretches
    const [only] = stretches
    this.nodes =
      stretches.length === 1 && only !== undefined && only.from === 0 && only.to === only.page.items.length
        ? only.page.items
        : stretches.flatMap(({ page, from, to }) => page.items.slice(from, to))
  }

  get edges(): readonly Edge<T>[] {
    const edges: Edge<T>[] = []
    for (const stretch of this.#stretches) {
      for (let index = stretch.from; index < stretch.to; index++) {
        const node = stretch.page.items[index]
        if (node !== undefined) edges.push({ cursor: this.#cursorAt(stretch, index), node })
      }
    }
    return edges
  }

  get totalCount(): number | null {
    const [first] = this.#stretches
    if (first === undefined) return null
    const { page, token } = first
    if (page.total !== undefined && page.total !== null) return page.total
    return token === undefined && page.next === undefined ? page.items.length : null
  }

  get pageInfo(): PageInfo {
    const first = this.#stretches[0]
    const last = this.#stretches.at(-1)
    if (first === undefined || last === undefined) {
      const { from, direction } = this.#wanted
      return {
        hasNextPage: direction === 'backward' && from !== undefined,
        hasPreviousPage: direction === 'forward' && from !== undefined,
        startCursor: null,
        endCursor: null,
      }
    }
    const filled = this.#stretches.filter((stretch) => stretch.to > stretch.from)
    const start = filled[0]
    const end = filled.at(-1)
    return {
      hasNextPage: last.to < last.page.items.length || last.page.next !== undefined,
      hasPreviousPage:
        first.from > 0 ||
        first.page.previous !== undefined ||
        (this.#wanted.direction === 'forward' && first.token !== undefined),
      startCursor: start === undefined ? null : this.#cursorAt(start, start.from),
      // A page without items that has a next one still needs a way on.
      endCursor:
        end !== undefined && end === last ? this.#cursorAt(end, end.to - 1) : this.#cursorAfter(last, end),
    }
  }

  /** The way on where the last page that was read gave nothing. */
  #cursorAfter(last: Stretch<T>, end: Stretch<T> | undefined): string | null {
    if (last.page.next === undefined) return end === undefined ? null : this.#cursorAt(end, end.to - 1)
    return writeCursor(this.#list, {
      token: last.token,
      size: last.size,
      index: last.page.items.length - 1,
      next: last.page.next,
      previous: undefined,
    })
  }

  #cursorAt(stretch: Stretch<T>, index: number): string {
    return writeCursor(this.#list, {
      token: stretch.token,
      size: stretch.size,
      index,
      next: index === stretch.page.items.length - 1 ? stretch.page.next : undefined,
      previous: index === 0 ? stretch.page.previous : undefined,
    })
  }
}

/** The edge of an item that was just added at the beginning of a list: reading after it starts at the second item. */
export function headEdge<T>(list: string, pageSize: number, node: T): Edge<T> {
  const position = { token: undefined, size: pageSize, index: 0, next: undefined, previous: undefined }
  return { cursor: writeCursor(list, position), node }
}

/**
 * Reads the part of a list that the arguments select. Wrong arguments and cursors are refused before any
 * call; `first: 0` makes none.
 */
export async function connect<T>(args: ConnectionArgs, source: ConnectionSource<T>): Promise<Connection<T>> {
  const wanted = readArguments(args, source)
  return new PagedConnection(source.list, wanted, await walkPages(wanted, source))
}
