/**
 * The operations of the book service, and which of them each field needs: the client sends them, connections and
 * lookups keep their bounds, and the gateway estimates operations from them.
 */
import { listCalls, lookupCalls, type ServiceCalls, type ServiceOperation } from '../kit/index.ts'

export const operations = {
  get: { name: 'books.get', method: 'GET', path: '/books', safe: true, cacheable: true, maxIds: 5 },
  list: {
    name: 'books.list',
    method: 'GET',
    path: '/books/all',
    safe: true,
    pages: { maxPageSize: 3, defaultPageSize: 3 },
  },
} as const satisfies Readonly<Record<string, ServiceOperation>>

/** Fields of a book for which its id is enough. */
export const bookIds: ReadonlySet<string> = new Set(['id', 'bookId'])

const book = lookupCalls(operations.get, { free: bookIds })

export const booksCalls: ServiceCalls = {
  service: 'books',
  fields: { 'Query.book': lookupCalls(operations.get), 'Query.books': listCalls(operations.list) },
  entities: { Book: book },
}
