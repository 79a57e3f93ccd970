/**
 * A graph of the shape with which routers are publicly compared (graphql-hive/graphql-gateways-benchmark): four
 * plain subgraphs, and one nested query whose response has about 87 kB. The data are our own, of the same size.
 */
import { compose } from '../../engine/supergraph/compose/index.ts'

export interface PlainService {
  readonly sdl: string
  // biome-ignore lint/suspicious/noExplicitAny: resolvers of a little graph
  readonly resolvers: Record<string, any>
}

const words =
  'a review says what somebody liked and what they did not, how long it lasted, whether the box was dented, and if they would buy it again for a friend who has less room at home'
/** A text of this many characters. */
const textOf = (length: number, from: number): string =>
  `${words.slice(from)} ${words} ${words} ${words} ${words} ${words}`.slice(0, length)

const users = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn'].map((name, at) => ({
  id: String(at + 1),
  name: `${name} Example`,
  username: name.toLowerCase(),
  birthday: 1_234_567_890,
}))
const products = ['Table', 'Couch', 'Glass', 'Chair', 'TV', 'Lamp', 'Grill', 'Fridge', 'Sofa'].map(
  (name, at) => ({
    upc: String(at + 1),
    name,
    price: [899, 1299, 15, 499, 1299, 6999, 3999, 100_000, 9999][at],
    weight: [100, 1000, 20, 100, 1000, 300, 2000, 6000, 800][at],
  }),
)
const reviewed = ['1', '1', '1', '1', '2', '2', '2', '2', '3', '4', '4']
const lengths = [445, 290, 278, 145, 445, 290, 278, 145, 145, 145, 873]
const reviews = reviewed.map((upc, at) => ({
  id: String(at + 1),
  body: textOf(lengths[at] ?? 145, at),
  product: { upc },
  author: { id: '1', username: 'ada' },
}))
const inStock = ['1', '5', '6', '7', '9']

export const services: Readonly<Record<string, PlainService>> = {
  accounts: {
    sdl: `type Query { me: User  user(id: ID!): User  users: [User] }
      type User @key(fields: "id") { id: ID!  name: String  username: String @shareable  birthday: Int }`,
    resolvers: {
      Query: {
        me: () => users[0],
        user: (_: unknown, { id }: { id: string }) => users.find((user) => user.id === id),
        users: () => users,
      },
      User: { __resolveReference: ({ id }: { id: string }) => users.find((user) => user.id === id) },
    },
  },
  inventory: {
    sdl: `type Product @key(fields: "upc") {
        upc: String!  weight: Int @external  price: Int @external
        inStock: Boolean  shippingEstimate: Int @requires(fields: "price weight") }`,
    resolvers: {
      Product: {
        __resolveReference: (product: object) => product,
        inStock: ({ upc }: { upc: string }) => inStock.includes(upc),
        shippingEstimate: ({ price, weight }: { price: number; weight: number }) =>
          price > 1000 ? 0 : Math.floor(weight / 2),
      },
    },
  },
  products: {
    sdl: `type Query { topProducts(first: Int = 5): [Product] }
      type Product @key(fields: "upc") { upc: String!  name: String  price: Int  weight: Int }`,
    resolvers: {
      Query: { topProducts: (_: unknown, { first }: { first: number }) => products.slice(0, first) },
      Product: {
        __resolveReference: ({ upc }: { upc: string }) => products.find((product) => product.upc === upc),
      },
    },
  },
  reviews: {
    sdl: `type Review @key(fields: "id") { id: ID!  body: String  product: Product  author: User @provides(fields: "username") }
      type User @key(fields: "id") { id: ID!  username: String @external  reviews: [Review] }
      type Product @key(fields: "upc") { upc: String!  reviews: [Review] }
      type Query { review(id: ID!): Review }`,
    resolvers: {
      Query: { review: (_: unknown, { id }: { id: string }) => reviews.find((review) => review.id === id) },
      Review: { __resolveReference: ({ id }: { id: string }) => reviews.find((review) => review.id === id) },
      User: { __resolveReference: ({ id }: { id: string }) => ({ id }), reviews: () => reviews.slice(0, 2) },
      Product: {
        __resolveReference: ({ upc }: { upc: string }) => ({ upc }),
        reviews: ({ upc }: { upc: string }) => reviews.filter(({ product }) => product.upc === upc),
      },
    },
  },
}

export const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3",
  import: ["@key", "@external", "@requires", "@provides", "@shareable"])\n`

/** The sources of the supergraph. Each subgraph is at its name below `origin`. */
export const subgraphsAt = (origin: string): { name: string; url: string; typeDefs: string }[] =>
  Object.entries(services).map(([name, { sdl }]) => ({
    name,
    url: `${origin}/${name}`,
    typeDefs: link + sdl,
  }))

/** The supergraph of these subgraphs. */
export function supergraphAt(origin: string): string {
  const { supergraph, errors } = compose(subgraphsAt(origin))
  if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('\n'))
  return supergraph
}
