/** What a connection field resolves to, made of the stretches of pages that were read. */
import type { Wanted } from './arguments.ts'
import { writeCursor } from './cursor.ts'
import type { Stretch } from './walk.ts'

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

export class PagedConnection<T> implements Connection<T> {
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
    return this.#stretches.flatMap((stretch) => edgesOf(this.#list, stretch))
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
        hasNextPage: direction === 'backward',
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
    return cursorAt(this.#list, stretch, index)
  }
}

function cursorAt<T>(list: string, { token, size, page }: Stretch<T>, index: number): string {
  return writeCursor(list, {
    token,
    size,
    index,
    next: index === page.items.length - 1 ? page.next : undefined,
    previous: index === 0 ? page.previous : undefined,
  })
}

export function edgesOf<T>(list: string, stretch: Stretch<T>): readonly Edge<T>[] {
  const edges: Edge<T>[] = []
  for (let index = stretch.from; index < stretch.to; index++) {
    const node = stretch.page.items[index]
    if (node !== undefined) edges.push({ cursor: cursorAt(list, stretch, index), node })
  }
  return edges
}
