/** Reads the pages that a connection needs, one after the other as they are asked for, and no page twice. */
import { GraphQLError } from 'graphql'
import { isInsidePage, mostCalls, type Wanted } from './arguments.ts'
import type { ConnectionSource, Page } from './page.ts'

/** A stretch of one page that was read. */
export interface Stretch<T> {
  readonly token: string | undefined
  readonly size: number
  readonly page: Page<T>
  readonly from: number
  readonly to: number
}

/** Whether the service itself refuses the request, as it does with a token that is bound to another size. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof GraphQLError &&
    error.extensions.code === 'BAD_USER_INPUT' &&
    error.extensions.upstream !== undefined
  )
}

/** One page in the size that is still needed, or in the token's own where the service binds tokens to sizes. */
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

export async function walkPages<T>(wanted: Wanted, source: ConnectionSource<T>): Promise<Stretch<T>[]> {
  const stretches: Stretch<T>[] = []
  for await (const stretch of eachPage(wanted, source)) stretches.push(stretch)
  return wanted.direction === 'forward' ? stretches : stretches.reverse()
}

/**
 * Reads on from a position until enough items are there, the list ends, or the calls that it may make are made. A page
 * is read when it is asked for.
 */
export async function* eachPage<T>(
  wanted: Wanted,
  source: ConnectionSource<T>,
): AsyncGenerator<Stretch<T>, void, undefined> {
  const { direction, count, from } = wanted
  const { maxPageSize } = source.pages
  if (count === 0) return
  let calls = mostCalls(wanted, source.pages)
  let missing = count
  let token: string | undefined
  /** Of the page that gave `token`. */
  let size: number | undefined
  let afterEmpty = false

  /** Takes the items of a page that are still needed, up to or from `edge`. */
  const take = (page: Page<T>, readWith: string | undefined, readSize: number, edge?: number): Stretch<T> => {
    const { length } = page.items
    const taken =
      direction === 'forward'
        ? { from: Math.min(edge ?? 0, length), to: Math.min((edge ?? 0) + missing, length) }
        : { from: Math.max((edge ?? length) - missing, 0), to: Math.min(edge ?? length, length) }
    const ends = afterEmpty && length === 0
    missing -= taken.to - taken.from
    token = ends ? undefined : direction === 'forward' ? page.next : page.previous
    size = readSize
    afterEmpty = source.endsAfterEmptyPages === true && length === 0
    return { token: readWith, size: readSize, page: ends ? { ...page, next: undefined } : page, ...taken }
  }

  if (from !== undefined && isInsidePage(from, direction)) {
    calls -= 1
    const page = await source.fetch(from.token, from.size)
    yield take(page, from.token, from.size, direction === 'forward' ? from.index + 1 : from.index)
    if (token === undefined) return
  } else if (from !== undefined) {
    token = direction === 'forward' ? from.next : from.previous
    size = from.size
    afterEmpty = source.endsAfterEmptyPages === true && from.index === -1
    if (direction === 'backward' && token === undefined) return
  }
  while (missing > 0 && calls > 0) {
    calls -= 1
    // A previous page starts where its size says, so it is read in the size of the page that named it.
    const wantedSize =
      direction === 'backward'
        ? (size ?? maxPageSize)
        : afterEmpty
          ? maxPageSize
          : Math.min(Math.max(missing, source.minPageSize ?? 1), maxPageSize)
    const readWith = token
    const read = await readPage(source, readWith, wantedSize, size)
    yield take(read.page, readWith, read.size)
    if (token === undefined) return
  }
}
