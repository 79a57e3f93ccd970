/** What stands behind the types of the graph. Pure. */
import { type Connection, tesseraError } from '../kit/index.ts'

/** A book: its id, and its title unless only ids are selected. */
export interface BookModel {
  readonly bookId: string
  readonly title?: string
}

export type BookConnectionModel = Connection<BookModel>

/** What the service answers to both operations. */
export interface BookList {
  readonly books: readonly BookModel[]
  readonly next: string | undefined
  readonly total: number | null
}

export const bookIdForm = /^b[0-9]{1,9}$/

/** Throws if the body is something other than a list of books. */
export function bookListFrom(body: unknown): BookList {
  const { items, next, total } = (body ?? {}) as Readonly<Record<string, unknown>>
  if (!Array.isArray(items)) {
    throw tesseraError('UPSTREAM_BAD_RESPONSE', 'The book service did not send a list.', { service: 'books' })
  }
  return {
    books: items.map(({ id, title }) => ({ bookId: String(id), title: String(title) })),
    next: typeof next === 'string' ? next : undefined,
    total: typeof total === 'number' ? total : null,
  }
}
