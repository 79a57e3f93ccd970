/** The input of a connection: the caller's arguments, and a list that is read by page tokens. */
import type { PageBounds } from '../../../shared/service-calls.ts'

/**
 * The paging arguments of a connection field, as GraphQL gives them. `last` needs `before`. The two pairs exclude
 * each other.
 */
export interface ConnectionArgs {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
}

/** One upstream page. A page may be short or empty and still have a next one. */
export interface Page<T> {
  readonly items: readonly T[]
  /** How many malformed items the service sent beside these. */
  readonly odd?: number | undefined
  readonly next?: string | undefined
  readonly previous?: string | undefined
  /** How many items the whole list has according to the service; absent if the service does not say. */
  readonly total?: number | null | undefined
}

/** What is known of a service's page tokens. It is learned from a refusal, and kept as long as the client. */
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
