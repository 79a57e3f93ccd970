/** What a connection is made from: the caller's arguments, and a list that is read by page tokens. */
import type { PageBounds } from '../../../shared/service-calls.ts'

/**
 * The paging arguments of a connection field, as GraphQL gives them. `last` needs `before`; the two pairs exclude
 * each other.
 */
export interface ConnectionArgs {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
}

/** One upstream page. It may be short, or empty, and still have a next one. */
export interface Page<T> {
  readonly items: readonly T[]
  /** How many items the service sent beside these in a form that it does not promise. */
  readonly odd?: number | undefined
  readonly next?: string | undefined
  readonly previous?: string | undefined
  /** How many items the service claims the whole list has; absent if it makes no such claim. */
  readonly total?: number | null | undefined
}

/** What is known of a service's page tokens. It is learned from a refusal, and kept for as long as the client is. */
export interface PageTokens {
  /** Whether a token is good only with the page size that it was given for. */
  boundToSize: boolean
}

/** A list of a service, as `connect` reads it. */
export interface ConnectionSource<T> {
  /** Names the list and all its filters. Cursors of another list are refused. */
  readonly list: string
  /** The service, for errors about its pages. */
  readonly service?: string | undefined
  /** Tells items apart: a page that begins with the items of the one before is not taken a second time. */
  keyOf?(item: T): string
  readonly pages: PageBounds
  /** The smallest page size that the service takes. 1 by default. */
  readonly minPageSize?: number | undefined
  readonly tokens?: PageTokens | undefined
  /**
   * The service has been seen to give a next page for ever: after an empty page, the next one is read in the largest
   * size, and where that is empty as well the list ends.
   */
  readonly endsAfterEmptyPages?: boolean | undefined
  fetch(pageToken: string | undefined, pageSize: number): Promise<Page<T>>
}
