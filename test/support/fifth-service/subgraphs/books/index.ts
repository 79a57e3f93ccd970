/** The books subgraph: books over the book service. This file is its whole surface. */
import {
  createServiceUpstream,
  createSubgraph,
  describeService,
  oneOf,
  type ServiceOptions,
  type Subgraph,
} from '../kit/index.ts'
import { createBooksClient } from './client.ts'
import { createContexts } from './context.ts'
import { createFailureReader } from './failure.ts'
import { bookIdForm } from './model.ts'
import { booksCalls } from './operations.ts'
import { createResolvers } from './resolvers.ts'

export const books = describeService({
  name: 'books',
  title: 'the book service',
  port: 4006,
  settings: { language: oneOf(['en', 'de'], { default: 'en', description: 'The language of the titles.' }) },
  calls: booksCalls,
  nodeKeys: { Book: bookIdForm },
  probe: { what: 'a book', operation: '{ book(bookId: "b1") { title } }' },
  create: (options, { language }) => createBooksSubgraph({ ...options, language }),
})

export interface BooksOptions extends ServiceOptions {
  /** The language of the titles. */
  readonly language: string
}

export function createBooksSubgraph(options: BooksOptions): Subgraph {
  const upstream = createServiceUpstream('books', options, createFailureReader())
  const client = createBooksClient(upstream, options.language)
  return createSubgraph({
    name: 'books',
    resolvers: createResolvers(),
    createContext: createContexts(upstream, client, { share: options.share ?? true }),
    state: upstream.state,
    close: () => upstream.close(),
  })
}
