/** Reads the pages that a connection needs, one after the other on demand, and no page twice. */
import { GraphQLError } from 'graphql'
import {
  type ConnectionRange,
  type ConnectionSource,
  isInsidePage,
  mostCalls,
  type Page,
} from './arguments.ts'
import { type EarlyEnd, fingerprintOf, isSamePage, VisitedPages } from './visited-pages.ts'

export interface PageSlice<T> {
  readonly token: string | undefined
  readonly size: number
  readonly page: Page<T>
  /** The pages up to this one (visited-pages.ts). */
  readonly visited: string
  readonly from: number
  readonly to: number
}

/** Whether the service itself refused the request, as it does if a token is bound to another size. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof GraphQLError &&
    error.extensions.code === 'BAD_USER_INPUT' &&
    error.extensions.upstream !== undefined
  )
}

/** Reads one page. Its size is what is still needed, or the token's own size if the service binds tokens to sizes. */
async function readPage<T>(
  source: ConnectionSource<T>,
  token: string | undefined,
  size: number,
  ownSize: number | undefined,
): Promise<{ readonly page: Page<T>; readonly size: number }> {
  const { tokens } = source
  if (token === undefined || ownSize === undefined || ownSize === size) {
    return { page: await source.fetch(token, size), size }
  }
  if (tokens?.boundToSize !== true) {
    try {
      return { page: await source.fetch(token, size), size }
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
  }
  const page = await source.fetch(token, ownSize)
  if (tokens !== undefined) tokens.boundToSize = true
  return { page, size: ownSize }
}

export async function walkPages<T>(
  wanted: ConnectionRange,
  source: ConnectionSource<T>,
): Promise<{ readonly slices: PageSlice<T>[]; readonly earlyEnd: EarlyEnd | undefined }> {
  const slices: PageSlice<T>[] = []
  const walk = new Walk(wanted, source)
  for await (const slice of walk.pages()) slices.push(slice)
  return {
    slices: wanted.direction === 'forward' ? slices : slices.reverse(),
    earlyEnd: walk.earlyEnd,
  }
}

/**
 * Reads from a position until there are enough items, the list ends, the bound on calls is reached, or the pages
 * repeat. A page is read when it is requested.
 */
export class Walk<T> {
  readonly #wanted: ConnectionRange
  readonly #source: ConnectionSource<T>
  readonly #visited: VisitedPages
  #missing: number
  #token: string | undefined
  /** The size of the page that gave the token. */
  #size: number | undefined
  #afterEmpty = false
  #before: readonly T[] | undefined
  #earlyEnd: EarlyEnd | undefined

  constructor(wanted: ConnectionRange, source: ConnectionSource<T>) {
    this.#wanted = wanted
    this.#source = source
    this.#missing = wanted.count
    const { from, direction } = wanted
    this.#visited = new VisitedPages(direction, from?.visited)
    if (this.#visited.isEmpty && from?.token !== undefined) this.#visited.enter(from.token)
  }

  get earlyEnd(): EarlyEnd | undefined {
    return this.#earlyEnd
  }

  async *pages(): AsyncGenerator<PageSlice<T>, void, undefined> {
    const source = this.#source
    const { direction, count, from } = this.#wanted
    if (count === 0) return
    let calls = mostCalls(this.#wanted, source.pages)
    if (from !== undefined && isInsidePage(from, direction)) {
      calls -= 1
      const page = await source.fetch(from.token, from.size)
      // This is the cursor's own page, whose fingerprint may be in the cursor, and no page after it.
      this.#before = []
      yield this.#take(page, from.token, from.size, direction === 'forward' ? from.index + 1 : from.index)
      if (this.#token === undefined) return
    } else if (from !== undefined) {
      this.#token = direction === 'forward' ? from.next : from.previous
      this.#size = from.size
      this.#afterEmpty = source.endsAfterEmptyPages === true && from.index === -1
      if (direction === 'backward' && this.#token === undefined) return
    }
    while (this.#missing > 0 && calls > 0) {
      calls -= 1
      const readWith = this.#token
      if (readWith !== undefined) this.#visited.enter(readWith)
      const { page, size } = await readPage(source, readWith, this.#nextSize(), this.#size)
      yield this.#take(page, readWith, size)
      if (this.#token === undefined) return
    }
  }

  #nextSize(): number {
    const { minPageSize, pages } = this.#source
    // Where a previous page starts depends on its size, so it is read in the size of the page that named it.
    if (this.#wanted.direction === 'backward') return this.#size ?? pages.maxPageSize
    if (this.#afterEmpty) return pages.maxPageSize
    return Math.min(Math.max(this.#missing, minPageSize ?? 1), pages.maxPageSize)
  }

  /** Takes the items of a page that are still needed, up to or from `edge`. */
  #take(given: Page<T>, readWith: string | undefined, readSize: number, edge?: number): PageSlice<T> {
    const { direction } = this.#wanted
    const read = { ...given, next: given.next || undefined, previous: given.previous || undefined }
    const ends = this.#afterEmpty && read.items.length === 0
    const { page, why } = ends ? { page: { ...read, next: undefined } } : this.#withoutLoop(read)
    const { length } = page.items
    const start = Math.min(edge ?? (direction === 'forward' ? 0 : length), length)
    const taken =
      direction === 'forward'
        ? { from: start, to: Math.min(start + this.#missing, length) }
        : { from: Math.max(start - this.#missing, 0), to: start }
    // The items within the page are still to come. The walk has come to the end of the list only when the end of
    // the page is reached.
    if (direction === 'forward' ? taken.to === length : taken.from === 0) this.#earlyEnd = why
    this.#missing -= taken.to - taken.from
    this.#token = ends ? undefined : direction === 'forward' ? page.next : page.previous
    this.#size = readSize
    this.#afterEmpty = this.#source.endsAfterEmptyPages === true && length === 0
    return { token: readWith, size: readSize, page, visited: this.#visited.write(), ...taken }
  }

  /** The page, without its next token if that leads nowhere, and without items if it repeats the page before. */
  #withoutLoop(page: Page<T>): { readonly page: Page<T>; readonly why?: EarlyEnd | undefined } {
    const isForward = this.#wanted.direction === 'forward'
    const token = isForward ? page.next : page.previous
    const { keyOf } = this.#source
    let why = token === undefined ? undefined : this.#visited.refuses(token)
    let { items } = page
    const before = this.#before === undefined ? this.#visited.fingerprint : fingerprintOf(this.#before, keyOf)
    if (before !== undefined && isSamePage(fingerprintOf(items, keyOf), before, why !== undefined)) {
      why = 'repeated'
      items = []
    }
    this.#before = page.items
    if (why === undefined) return { page }
    return { page: { ...page, items, ...(isForward ? { next: undefined } : { previous: undefined }) }, why }
  }
}
