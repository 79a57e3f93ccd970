/** What one request holds of the books subgraph: the client, and the lookup of books by id. */
import { createLookUps, type Sharing, type SubgraphRequest, type Upstream } from '../kit/index.ts'
import type { BooksClient } from './client.ts'
import type { BookList, BookModel } from './model.ts'
import { operations } from './operations.ts'

export interface Context {
  readonly request: SubgraphRequest
  readonly client: BooksClient
  /** Null if there is no such book. The id is well-formed. */
  readBook(bookId: string): Promise<BookModel | null> | BookModel | null
}

export function createContexts(
  upstream: Upstream,
  client: BooksClient,
  options: { readonly share: boolean | Sharing },
): (request: SubgraphRequest) => Context {
  const books = createLookUps<null, BookList, BookModel>({
    share: options.share,
    maxIds: operations.get.maxIds,
    fetch: (ids, _needs, request) => client.get(ids, request),
    pick: (id, { books }) => books.find(({ bookId }) => bookId === id) ?? null,
    // There is one way to read a book, so every reading serves every other.
    unite: () => null,
    covers: () => true,
  })
  return (request) => {
    const lookUp = books(request, upstream.credentialKey(request))
    return { request, client, readBook: (bookId) => lookUp.read(bookId, null) }
  }
}
