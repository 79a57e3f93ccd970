/**
 * The endpoints of the book service, one function each: path, parameters and what comes back. Nothing here knows
 * GraphQL.
 */
import { callOf, type SubgraphRequest, type Upstream } from '../kit/index.ts'
import { type BookList, bookListFrom } from './model.ts'
import { operations } from './operations.ts'

export interface BooksClient {
  /** Up to `operations.get.maxIds` ids, each once; those that do not exist are missing. */
  get(ids: readonly string[], request: SubgraphRequest): Promise<BookList>
  list(token: string | undefined, size: number, request: SubgraphRequest): Promise<BookList>
}

/** `language`: the language of the titles. */
export function createBooksClient(upstream: Upstream, language: string): BooksClient {
  return {
    async get(ids, request) {
      const path = `${operations.get.path}?ids=${ids.join(',')}&lang=${language}`
      const { body } = await upstream.send<unknown>(callOf(operations.get, path), request)
      return bookListFrom(body)
    },
    async list(token, size, request) {
      const from = token === undefined ? '' : `&token=${encodeURIComponent(token)}`
      const path = `${operations.list.path}?size=${size}&lang=${language}${from}`
      const { body } = await upstream.send<unknown>(callOf(operations.list, path), request)
      return bookListFrom(body)
    },
  }
}
