/** A subgraph over the books service: a Relay connection over its page tokens, and lookups batched by id. */
import {
  connect,
  createLookUps,
  createSubgraph,
  createUpstream,
  type LookUp,
  type Subgraph,
  type SubgraphRequest,
} from 'tessera-graph/kit'

export const typeDefs = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable"])

  type Query {
    book(bookId: ID!): Book
    books(first: Int, after: String): BookConnection
  }
  type Book @key(fields: "bookId") { bookId: ID!  title: String! }
  type BookConnection { edges: [BookEdge!]!  nodes: [Book!]!  pageInfo: PageInfo!  totalCount: Int }
  type BookEdge { cursor: String!  node: Book! }
  type PageInfo @shareable { hasNextPage: Boolean!  hasPreviousPage: Boolean!  startCursor: String  endCursor: String }
`

interface BookJson {
  readonly id: string
  readonly title: string
}

interface Context {
  readonly request: SubgraphRequest
  readonly books: LookUp<null, BookJson>
}

export function createBooksSubgraph(baseUrl: string): Subgraph {
  const upstream = createUpstream({
    service: 'books',
    baseUrl,
    credential: { kind: 'none' },
    // Undefined: the status alone says what a failed response means.
    failure: () => undefined,
  })
  const get = async <T>(operation: string, path: string, request: SubgraphRequest): Promise<T> => {
    const { body } = await upstream.send<T>({ operation, method: 'GET', path, safe: true }, request)
    return body
  }
  const lookUps = createLookUps<null, ReadonlyMap<string, BookJson>, BookJson>({
    share: true,
    maxIds: 5,
    async fetch(ids, _needs, request) {
      const path = `/books?ids=${ids.map(encodeURIComponent).join(',')}`
      const { items } = await get<{ items: readonly BookJson[] }>('books.get', path, request)
      return new Map(items.map((book) => [book.id, book]))
    },
    pick: (id, found) => found.get(id) ?? null,
    // There is one way to read a book, so every reading serves every other.
    unite: () => null,
    covers: () => true,
  })

  return createSubgraph({
    name: 'books',
    typeDefs,
    resolvers: {
      Query: {
        book: (_: unknown, { bookId }: { bookId: string }, { books }: Context) => books.read(bookId, null),
        books: (_: unknown, args: { first?: number; after?: string }, { request }: Context) =>
          connect(args, {
            list: 'books',
            pages: { maxPageSize: 3, defaultPageSize: 3 },
            async fetch(token, size) {
              const path = `/books?size=${size}${token === undefined ? '' : `&token=${encodeURIComponent(token)}`}`
              return get<{ items: BookJson[]; next?: string; total: number }>('books.list', path, request)
            },
          }),
      },
      Book: {
        bookId: ({ id }: BookJson) => id,
        __resolveReference: ({ bookId }: { bookId: string }, { books }: Context) => books.read(bookId, null),
      },
    },
    createContext: (request): Context => ({
      request,
      books: lookUps(request, upstream.credentialKey(request)),
    }),
    state: upstream.state,
    close: () => upstream.close(),
  })
}
