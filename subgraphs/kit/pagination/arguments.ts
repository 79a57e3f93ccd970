/**
 * The input of a connection: the caller's arguments, and a list that is read by page tokens. It says what the arguments
 * select, and how many calls that takes at most.
 */
import { badInput } from '../../../shared/errors.ts'
import type { PageBounds } from '../../../shared/service-calls.ts'
import { wrongArgument } from '../wrong-argument.ts'
import { type PagePosition, positionOf, readCursor } from './cursor.ts'

/** The paging arguments of a connection field. `last` needs `before`. The two pairs exclude each other. */
export interface ConnectionArgs {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
}

/** One upstream page. A page may be short or empty and still have a next one. */
export interface Page<T> {
  readonly items: readonly T[]
  /** How many malformed items the service sent in addition to these. */
  readonly malformedCount?: number | undefined
  /** The token of the next page. An empty one, or a null of the service's JSON, counts as none. */
  readonly next?: string | undefined
  /** The token of the page before, in the same way. Without it the list is not read backward. */
  readonly previous?: string | undefined
  /** How many items the whole list has according to the service; absent if the service does not say. */
  readonly total?: number | null | undefined
}

/** The known properties of a service's page tokens. They are learned from a refusal, and kept as long as the client. */
export interface PageTokens {
  /** Whether a token is valid only with the page size for which it was given. */
  boundToSize: boolean
}

/** A list of a service, as `connect` reads it. */
export interface ConnectionSource<T> {
  /** Names the list and all its filters. A cursor of another list is refused. */
  readonly list: string
  /** The service's name, for errors about its pages. */
  readonly service?: string | undefined
  /** The identity of an item. A page that begins with the items of the previous page is not read a second time. */
  keyOf?(item: T): string
  readonly pages: PageBounds
  /** The smallest page size that the service accepts. The default is 1. */
  readonly minPageSize?: number | undefined
  readonly tokens?: PageTokens | undefined
  /**
   * This service may return next-page tokens endlessly. So after an empty page the next one is read in the largest
   * size, and the list ends if that page is empty as well.
   */
  readonly endsAfterEmptyPages?: boolean | undefined
  fetch(pageToken: string | undefined, pageSize: number): Promise<Page<T>>
}

/** The most items that one connection field returns. It bounds what one field can cost. */
const maxItems = 10_000

type Direction = 'forward' | 'backward'

export interface ConnectionRange {
  readonly direction: Direction
  readonly count: number
  readonly from: PagePosition | undefined
}

function isCount(count: number): boolean {
  return Number.isInteger(count) && count >= 0 && count <= maxItems
}

function readCount(name: 'first' | 'last', count: number): number {
  if (isCount(count)) return count
  throw wrongArgument(name, `must be a whole number from 0 to ${maxItems}, not ${count}.`)
}

/** An empty cursor counts as none, because clients of some languages send it for an argument that was not set. */
function given(cursor: string | null | undefined): string | undefined {
  return cursor === null || cursor === '' ? undefined : cursor
}

/**
 * Throws if the arguments contradict each other, a count is out of range, or a cursor is not one of this list; and an
 * Error that is not the caller's if no pages can be read in the source's bounds.
 */
export function readArguments(args: ConnectionArgs, source: ConnectionSource<unknown>): ConnectionRange {
  const { first, last } = args
  const after = given(args.after)
  const before = given(args.before)
  const { maxPageSize, defaultPageSize } = source.pages
  if (!(Number.isInteger(maxPageSize) && maxPageSize >= 1 && isCount(defaultPageSize))) {
    throw new Error(
      `pages need a whole maxPageSize of at least 1, and a defaultPageSize from 0 to ${maxItems}, not ${maxPageSize} and ${defaultPageSize}`,
    )
  }
  const isGiven = (value: unknown): boolean => value !== null && value !== undefined
  if (isGiven(last) || before !== undefined) {
    if (isGiven(first) || after !== undefined) {
      throw badInput(
        '`first` and `after` read forward, `last` and `before` backward: give one pair, not both.',
      )
    }
    if (before === undefined) {
      throw wrongArgument(
        'last',
        'needs `before`: the service can be read backward only from a position that was read before.',
      )
    }
    const count = readCount('last', last ?? defaultPageSize)
    return { direction: 'backward', count, from: readCursor(source.list, before, 'before') }
  }
  const count = readCount('first', first ?? defaultPageSize)
  const from = after === undefined ? undefined : readCursor(source.list, after, 'after')
  return { direction: 'forward', count, from }
}

/** Whether reading on from this position has to read the same page again. */
export function isInsidePage(position: PagePosition, direction: Direction): boolean {
  return direction === 'forward' ? position.next === undefined : position.index > 0
}

/** The most calls that reading so many items takes. */
export function mostCalls({ count, from, direction }: ConnectionRange, { maxPageSize }: PageBounds): number {
  if (count === 0) return 0
  const again = from !== undefined && isInsidePage(from, direction) ? 1 : 0
  return Math.ceil(count / maxPageSize) + again
}

/** The most items and calls of a connection field; zero if its arguments will be refused. */
export function connectionBounds(
  args: ConnectionArgs,
  pages: PageBounds,
): { readonly items: number; readonly calls: number } {
  const items = args.first ?? args.last ?? pages.defaultPageSize
  if (!isCount(items)) return { items: 0, calls: 0 }
  const before = given(args.before)
  const cursor = given(args.after) ?? before
  const from = cursor === undefined ? undefined : positionOf(cursor)
  const direction = before === undefined ? 'forward' : 'backward'
  return { items, calls: mostCalls({ direction, count: items, from }, pages) }
}
