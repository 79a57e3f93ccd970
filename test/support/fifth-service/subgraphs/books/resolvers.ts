/** The thin map from the graph to the service: root fields, references, and fields that cost a call. */
import { badInput, connect, keyOfGlobalId, selectionOf, toGlobalId } from '../kit/index.ts'
import { bookIdForm } from './model.ts'
import { bookIds, operations } from './operations.ts'
import type { Resolvers } from './types.generated.ts'

export function createResolvers(): Resolvers {
  return {
    Query: {
      book(_, { bookId }, context) {
        if (bookIdForm.test(bookId)) return context.readBook(bookId)
        throw badInput('`bookId` must be a `b` and 1 to 9 digits.', { argument: 'bookId' })
      },
      books: (_, args, { client, request }) =>
        connect(args, {
          list: 'books',
          pages: operations.list.pages,
          async fetch(token, size) {
            const { books, next, total } = await client.list(token, size, request)
            return { items: books, next, total }
          },
        }),
    },
    Book: {
      __resolveReference(reference, context, info) {
        const { id, bookId } = reference as { readonly id?: string; readonly bookId?: string }
        const key = bookId ?? keyOfGlobalId('Book', id ?? '')
        if (key === undefined || !bookIdForm.test(key)) throw badInput('This is not the id of a book.')
        return selectionOf(info, 'Book').hasBeside(bookIds) ? context.readBook(key) : { bookId: key }
      },
      id: ({ bookId }) => toGlobalId('Book', bookId),
      title: ({ title }) => title ?? null,
    },
  }
}
