/**
 * A graph of four subgraphs with something of everything: keys of all kinds, `@requires`, `@provides`,
 * `@interfaceObject`, unions and interfaces across subgraphs, lists of lists, and fields that fail or are null.
 */
import type { Resolvers } from '../../support/federation.ts'

interface Item {
  readonly kind: 'Product' | 'Book'
  readonly id: string
  readonly name: string
}

const items: Item[] = [
  { kind: 'Product', id: '1', name: 'one' },
  { kind: 'Product', id: '2', name: 'two' },
  { kind: 'Book', id: '3', name: 'three' },
  { kind: 'Book', id: '4', name: 'four' },
  { kind: 'Product', id: '5', name: 'five' },
]

const find = (id: string): Item | undefined => items.find((item) => item.id === id)
const fail = (what: string): never => {
  throw new Error(`no ${what}`)
}

// What each field answers, under every executor. Some fail, some are null.
const facts = {
  weight: (id: string) => (id === '2' ? null : Number(id) * 10),
  dims: (id: string) => (id === '5' ? null : { w: Number(id), h: Number(id) + 1, unit: 'cm' }),
  isbn: (id: string) => `isbn-${id}`,
  lang: (id: string) => (id === '3' ? 'en' : 'de'),
  related: (id: string) => [find(String((Number(id) % 5) + 1)), null, find(id)],
  shelves: (id: string) => [[find('1'), null], [], [find(id), find('3')]],
  pages: (id: string) => (id === '4' ? fail('pages') : 100 + Number(id)),
  stock: (id: string, unit: unknown) => (id === '5' ? fail('stock') : Number(id) + String(unit ?? '').length),
  price: (id: string, currency: unknown) =>
    id === '2' ? fail('price') : `${id} ${String(currency ?? 'EUR')}`,
  shipping: (weight: number | null, dims: { w: number; h: number } | null) =>
    (weight ?? 0) + (dims === null ? 0 : dims.w * dims.h),
  reviews: (id: string, first: unknown) =>
    id === '1'
      ? null
      : Array.from({ length: (first as number | undefined) ?? 2 }, (_, i) => ({
          id: `${id}r${i}`,
          of: id,
          stars: i === 1 ? null : 5,
        })),
  rating: (id: string) => (id === '3' ? null : Number(id) / 2),
  email: (id: string) => (id === 'u1' ? fail('email') : `${id}@example.org`),
  userName: (id: string) => `user ${id}`,
  authorOf: (review: string) => `u${Number(review.slice(-1)) % 3}`,
}

const productOf = (id: string): Item | null => {
  const item = find(id)
  return item?.kind === 'Product' ? item : null
}
const isType = ({ kind }: Item): string => kind
const itemRef = ({ id }: { id: string }): Item | null => find(id) ?? null
const ref = (item: Item | null | undefined) => item ?? null

export const services = {
  items: {
    sdl: `
      type Query {
        item(id: ID!): Item any: [Thing] search(kind: Kind): [Thing!]! product(id: ID!): Product hot: Product!
        shelf: [[Item]!]
      }
      enum Kind { PRODUCT BOOK }
      interface Item { id: ID! name: String! related: [Item] }
      union Thing = Product | Book
      type Product implements Item @key(fields: "id") {
        id: ID! name: String! related: [Item] weight: Int dims: Dims shelves: [[Thing]]
      }
      type Dims { w: Int! h: Int! unit: String }
      type Book implements Item @key(fields: "isbn lang") { id: ID! name: String! related: [Item] isbn: String! lang: String! }`,
    resolvers: {
      Query: {
        item: (_: unknown, { id }: { id: string }) => ref(find(id)),
        any: () => [...items, null],
        search: (_: unknown, { kind }: { kind?: string }) =>
          items.filter((item) => kind == null || item.kind.toUpperCase() === kind),
        product: (_: unknown, { id }: { id: string }) => productOf(id),
        hot: () => items[4],
        shelf: () => [[items[0], null, items[3]], [items[2]]],
      },
      Item: { __resolveType: isType },
      Thing: { __resolveType: isType },
      Product: {
        __resolveReference: itemRef,
        related: ({ id }: Item) => facts.related(id),
        weight: ({ id }: Item) => facts.weight(id),
        dims: ({ id }: Item) => facts.dims(id),
        shelves: ({ id }: Item) => facts.shelves(id),
      },
      Book: {
        __resolveReference: ({ isbn }: { isbn: string }) => find(isbn.slice(5)) ?? null,
        related: ({ id }: Item) => facts.related(id),
        isbn: ({ id }: Item) => facts.isbn(id),
        lang: ({ id }: Item) => facts.lang(id),
      },
    },
  },
  stock: {
    sdl: `
      type Product @key(fields: "id") {
        id: ID! weight: Int @external dims: Dims @external
        shipping: Int @requires(fields: "weight dims { w h }")
        stock(unit: String): Int! price(currency: String): String
        reviews(first: Int): [Review!]
      }
      type Dims { w: Int! @external h: Int! @external }
      type Book @key(fields: "isbn lang") { isbn: String! lang: String! pages: Int! reviews(first: Int): [Review!] }
      type Review @key(fields: "id") { id: ID! stars: Int author: User @provides(fields: "name") }
      type User @key(fields: "id") { id: ID! name: String @external }`,
    resolvers: {
      Product: {
        __resolveReference: (key: object) => ({ ...key, kind: 'Product' }),
        shipping: ({ weight, dims }: { weight: number | null; dims: { w: number; h: number } | null }) =>
          facts.shipping(weight, dims),
        stock: ({ id }: Item, { unit }: { unit?: string }) => facts.stock(id, unit),
        price: ({ id }: Item, { currency }: { currency?: string }) => facts.price(id, currency),
        reviews: ({ id }: Item, { first }: { first?: number }) => facts.reviews(id, first),
      },
      Book: {
        __resolveReference: (key: { isbn: string }) => ({ ...key, id: key.isbn.slice(5), kind: 'Book' }),
        pages: ({ id }: Item) => facts.pages(id),
        reviews: ({ id }: Item, { first }: { first?: number }) => facts.reviews(id, first),
      },
      Review: {
        author: ({ id }: { id: string }) => ({
          id: facts.authorOf(id),
          name: facts.userName(facts.authorOf(id)),
        }),
      },
    },
  },
  ratings: {
    sdl: `
      type Item @key(fields: "id") @interfaceObject { id: ID! rating: Float }`,
    resolvers: {
      Item: { __resolveReference: (key: object) => key, rating: ({ id }: Item) => facts.rating(id) },
    },
  },
  users: {
    sdl: `
      type Query { user(id: ID!): User }
      type User @key(fields: "id") { id: ID! name: String @shareable email: String! favourite: Product }
      type Review @key(fields: "id") { id: ID! about: Product }
      type Product @key(fields: "id", resolvable: false) { id: ID! }`,
    resolvers: {
      Query: { user: (_: unknown, { id }: { id: string }) => ({ id }) },
      Review: {
        __resolveReference: (key: object) => key,
        about: ({ id }: { id: string }) => productOf(id.split('r')[0] ?? ''),
      },
      User: {
        __resolveReference: (key: object) => key,
        name: ({ id }: Item) => facts.userName(id),
        email: ({ id }: Item) => facts.email(id),
        favourite: ({ id }: Item) => (id === 'u2' ? null : { id: '2' }),
      },
    },
  },
}

// The interface that another subgraph extends has to be an entity itself.
services.items.sdl = services.items.sdl
  .replace('interface Item {', 'interface Item @key(fields: "id") {')
  .replace(
    'type Book implements Item @key(fields: "isbn lang")',
    'type Book implements Item @key(fields: "isbn lang") @key(fields: "id")',
  )
Object.assign(services.items.resolvers.Book, {
  __resolveReference: ({ isbn, id }: { isbn?: string; id?: string }) =>
    find(id ?? isbn?.slice(5) ?? '') ?? null,
})
Object.assign(services.items.resolvers.Item, { __resolveReference: itemRef })

const common = {
  related: ({ id }: Item) => facts.related(id),
  rating: ({ id }: Item) => facts.rating(id),
  reviews: ({ id }: Item, { first }: { first?: number }) => facts.reviews(id, first),
}
const user = (id: string) => ({ id })
export const oracle: Resolvers = {
  Query: { ...services.items.resolvers.Query, user: (_: unknown, { id }: { id: string }) => user(id) },
  Item: { __resolveType: isType },
  Thing: { __resolveType: isType },
  Product: {
    ...common,
    weight: ({ id }: Item) => facts.weight(id),
    dims: ({ id }: Item) => facts.dims(id),
    shelves: ({ id }: Item) => facts.shelves(id),
    shipping: ({ id }: Item) => facts.shipping(facts.weight(id), facts.dims(id)),
    stock: ({ id }: Item, { unit }: { unit?: string }) => facts.stock(id, unit),
    price: ({ id }: Item, { currency }: { currency?: string }) => facts.price(id, currency),
  },
  Book: {
    ...common,
    isbn: ({ id }: Item) => facts.isbn(id),
    lang: ({ id }: Item) => facts.lang(id),
    pages: ({ id }: Item) => facts.pages(id),
  },
  Review: {
    about: ({ id }: { id: string }) => productOf(id.split('r')[0] ?? ''),
    author: ({ id }: { id: string }) => user(facts.authorOf(id)),
  },
  User: {
    name: ({ id }: Item) => facts.userName(id),
    email: ({ id }: Item) => facts.email(id),
    favourite: ({ id }: Item) => (id === 'u2' ? null : find('2')),
  },
}

export const values = {
  'Query.item.id': ['"1"', '"2"', '"3"', '"4"', '"5"', '"9"'],
  'Query.product.id': ['"1"', '"2"', '"5"', '"9"'],
  'Query.user.id': ['"u0"', '"u1"', '"u2"'],
}
