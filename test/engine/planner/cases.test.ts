/** Small graphs on which planners fail, each with its plan and its result. */
import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { type Resolvers, type Service, startFederation } from '../../support/federation.ts'
import { linkedSdl } from '../../support/linked-sdl.ts'
import { openGraph, startTrial } from '../../support/random-federation/index.ts'
import '../../support/matchers.ts'

const self = (key: object) => key

interface Case {
  readonly services: Readonly<Record<string, Service>>
  readonly query: string
  readonly data: unknown
  readonly plan: string
}

const service = (sdl: string, resolvers: Resolvers = {}): Service => ({ sdl, resolvers })

const cases: Record<string, Case> = {
  'a field that requires another, where its subgraph has a key that no other subgraph knows': {
    services: {
      products: service(
        'type Query { products: [Product] } type Product @key(fields: "upc") { upc: ID! weight: Int }',
        { Query: { products: () => [{ upc: 'u1', weight: 3 }] } },
      ),
      inventory: service(
        `type Product @key(fields: "upc") @key(fields: "sku") {
           upc: ID! sku: ID weight: Int @external shippingEstimate: Int @requires(fields: "weight") }`,
        {
          Product: {
            __resolveReference: self,
            shippingEstimate: ({ weight }: { weight: number }) => weight * 2,
          },
        },
      ),
    },
    query: '{ products { upc shippingEstimate } }',
    data: { products: [{ upc: 'u1', shippingEstimate: 6 }] },
    plan: `
      sequence
        fetch products
          { products { __typename upc weight } }
        entities inventory
          products.@: { ... on Product { __typename upc weight } }
          { ... on Product { shippingEstimate } }`,
  },
  'one field with different arguments below different types': {
    services: {
      departments: service(
        `type Query { departments: [Department] } union Department = A | R
         type A { photo: Photo } type R { photo: Photo } type Photo @key(fields: "id", resolvable: false) { id: ID! }`,
        {
          Query: {
            departments: () => [
              { __typename: 'A', photo: { id: 'a' } },
              { __typename: 'R', photo: { id: 'r' } },
            ],
          },
        },
      ),
      photos: service('type Photo @key(fields: "id") { id: ID! thumb(width: Int): String }', {
        Photo: {
          __resolveReference: self,
          thumb: ({ id }: { id: string }, { width }: { width: number }) => `${id}${width}`,
        },
      }),
    },
    query:
      '{ departments { ... on A { photo { thumb(width: 1) } } ... on R { photo { thumb(width: 2) } } } }',
    data: { departments: [{ photo: { thumb: 'a1' } }, { photo: { thumb: 'r2' } }] },
    plan: `
      sequence
        fetch departments
          { departments { __typename ... on A { photo { __typename id } } ... on R { photo { __typename id } } } }
        entities photos
          departments.@|A.photo: { ... on Photo { __typename id } }
          { ... on Photo { thumb(width: 1) } }
          departments.@|R.photo: { ... on Photo { __typename id } }
          { ... on Photo { thumb(width: 2) } }`,
  },
  'requirements that require others, of a key that has to be looked up': {
    services: {
      a: service('type Query { p: P } type P @key(fields: "id") { id: ID! }', {
        Query: { p: () => ({ id: '1' }) },
      }),
      b: service('type P @key(fields: "id") @key(fields: "code") { id: ID! code: ID! }', {
        P: { __resolveReference: ({ id }: { id: string }) => ({ id, code: `c${id}` }) },
      }),
      c: service('type P @key(fields: "code") { code: ID! w: Int }', {
        P: { __resolveReference: ({ code }: { code: string }) => ({ code, w: code.length }) },
      }),
      d: service('type P @key(fields: "id") { id: ID! w: Int @external x: Int @requires(fields: "w") }', {
        P: { __resolveReference: self, x: ({ w }: { w: number }) => w * 10 },
      }),
      e: service('type P @key(fields: "id") { id: ID! x: Int @external y: Int @requires(fields: "x") }', {
        P: { __resolveReference: self, y: ({ x }: { x: number }) => x + 1 },
      }),
    },
    query: '{ p { y } }',
    data: { p: { y: 21 } },
    plan: `
      sequence
        fetch a
          { p { __typename id } }
        entities b
          p: { ... on P { __typename id } }
          { ... on P { code } }
        entities c
          p: { ... on P { __typename code } }
          { ... on P { w } }
        entities d
          p: { ... on P { __typename id w } }
          { ... on P { x } }
        entities e
          p: { ... on P { __typename id x } }
          { ... on P { y } }`,
  },
  'an interface object whose subgraph sorts first, with aliases': {
    services: {
      alpha: service(
        'type Query { best: Media } type Media @key(fields: "id") @interfaceObject { id: ID! rating: Int }',
        {
          Query: { best: () => ({ id: '2', rating: 5 }) },
          Media: { __resolveReference: ({ id }: { id: string }) => ({ id, rating: 5 }) },
        },
      ),
      media: service(
        `interface Media @key(fields: "id") { id: ID! }
         type Film implements Media @key(fields: "id") { id: ID! minutes: Int }
         type Song implements Media @key(fields: "id") { id: ID! bpm: Int }`,
        {
          Media: {
            __resolveType: () => 'Song',
            __resolveReference: ({ id }: { id: string }) => ({ __typename: 'Song', id, bpm: 120 }),
          },
        },
      ),
    },
    query: '{ best { ... on Film { x: minutes } ... on Song { x: bpm y: id z: rating } } }',
    data: { best: { x: 120, y: '2', z: 5 } },
    plan: `
      sequence
        fetch alpha
          { best { id } }
        entities media
          best: { ... as Media { id } }
          { ... on Media { __typename ... on Film { x: minutes } ... on Song { x: bpm y: id } } }
        entities alpha
          best|Song: { ... as Media { id } }
          { ... on Media { z: rating } }`,
  },
  'a field whose type differs between the types of a union': {
    services: {
      a: service(
        'type Query { any: [U] } union U = X | Y type X @shareable { f: Int! } type Y @shareable { f: Int }',
        {
          Query: {
            any: () => [
              { __typename: 'X', f: 1 },
              { __typename: 'Y', f: null },
            ],
          },
        },
      ),
      b: service('type Query { x: X } type X @shareable { f: Int }'),
    },
    query: '{ any { ... on X { f } ... on Y { f } } }',
    data: { any: [{ f: 1 }, { f: null }] },
    plan: `
      fetch a
        { any { __typename ... on X { f } ... on Y { _r1_f: f } } }
        answer: any._r1_f -> f`,
  },
  'a lookup that can wait for a later one to the same subgraph': {
    services: {
      a: service('type Query { p: P } type P @key(fields: "id") { id: ID! }', {
        Query: { p: () => ({ id: '1' }) },
      }),
      b: service('type P @key(fields: "id") { id: ID! w: Int }', {
        P: { __resolveReference: ({ id }: { id: string }) => ({ id, w: 4 }) },
      }),
      c: service(
        'type P @key(fields: "id") { id: ID! w: Int @external n: Int x: Int @requires(fields: "w") }',
        { P: { __resolveReference: self, n: () => 7, x: ({ w }: { w: number }) => w * 2 } },
      ),
    },
    query: '{ p { n x } }',
    data: { p: { n: 7, x: 8 } },
    plan: `
      sequence
        fetch a
          { p { __typename id } }
        entities b
          p: { ... on P { __typename id } }
          { ... on P { w } }
        entities c
          p: { ... on P { __typename id } }
          { ... on P { n } }
          p: { ... on P { __typename id w } }
          { ... on P { x } }`,
  },
  'a field beside one that requires what does not come': {
    services: {
      a: service('type Query { p: P } type P @key(fields: "id") { id: ID! }', {
        Query: { p: () => ({ id: '1' }) },
      }),
      b: service('type P @key(fields: "id") { id: ID! w: Int }', { P: { __resolveReference: () => null } }),
      c: service(
        'type P @key(fields: "id") { id: ID! w: Int @external n: Int x: Int @requires(fields: "w") }',
        { P: { __resolveReference: self, n: () => 7, x: ({ w }: { w: number }) => w * 2 } },
      ),
    },
    query: '{ p { x n } }',
    data: { p: { x: null, n: 7 } },
    plan: `
      sequence
        fetch a
          { p { __typename id } }
        entities b
          p: { ... on P { __typename id } }
          { ... on P { w } }
        entities c
          p: { ... on P { __typename id } }
          { ... on P { n } }
          p: { ... on P { __typename id w } }
          { ... on P { x } }`,
  },
}

describe('a plan is right for', () => {
  test.each(Object.entries(cases))('%s', async (_, { services, query, data, plan }) => {
    await using federation = await startFederation(services)
    expect(await federation.plan(query)).toHavePlan(plan)
    const { data: answered, errors } = await federation.run(query)
    expect(errors).toEqual([])
    expect(answered).toEqual(data)
  })
})

const media = 'interface Media { id: ID! } type Book implements Media @key(fields: "id")'

/** Graphs with directives that need a newer Federation, or another composer, over a world of random data. */
const drawn: Record<string, { services: Readonly<Record<string, string>>; query: string; plan: string }> = {
  'a mutation whose payload returns to the root of another subgraph': {
    services: {
      a: 'type Query { a: Int } type Mutation { set: Payload } type Payload { query: Query! }',
      b: 'type Query { b(n: Int): Int }',
    },
    query: 'mutation { set { query { a b(n: 2) } } }',
    plan: `
      sequence
        fetch a
          mutation { set { query { a } } }
        fetch b at set.query
          { b(n: 2) }`,
  },
  'an argument that is taken from an object above': {
    services: {
      a: `type Query { t: [T] } type T @key(fields: "id") @context(name: "c") { id: ID! prop: String! u: U }
          type U @key(fields: "id") { id: ID! field(arg: String @fromContext(field: "$c { prop }")): String }`,
      b: 'type Query { x: Int }',
    },
    query: '{ t { u { field } } }',
    plan: `
      sequence
        fetch a
          { t { prop u { __typename id } } }
        entities a
          t.@.u: { ... on U { __typename id } }
            $context_arg = t.@ { prop }
          { ... on U { field(arg: $context_arg) } }`,
  },
  'a key of objects whose types are not all known to any one subgraph': {
    services: {
      a: `${media} { id: ID! next: Media! @shareable } type Film implements Media @key(fields: "id") { id: ID! }`,
      b: `${media} { id: ID! next: Media! @shareable } type Song implements Media @key(fields: "id") { id: ID! }`,
      c: `${media} { id: ID! } type Film implements Media @key(fields: "id") { id: ID! }
          type Song implements Media @key(fields: "id") { id: ID! } type Query { books: [Book] }`,
    },
    query: '{ books { next { id } } }',
    plan: `
      sequence
        fetch c
          { books { __typename id } }
        entities a
          books.@: { ... on Book { __typename id } }
          { ... on Book { next { __typename id } } }`,
  },
  'a field that is provided below one type of an interface, and not below another': {
    services: {
      a: `type Query { all: [Any!]! } interface Any { id: ID! }
          type First implements Any @key(fields: "id") { id: ID! }
          type Second implements Any @key(fields: "id") { id: ID! }`,
      b: `interface Any { held: Held! }
          type First @key(fields: "id") { id: ID! held: Held! @provides(fields: "name") }
          type Second @key(fields: "id") { id: ID! held: Held! }
          type Held @key(fields: "id") { id: ID! name: String! @external }`,
      c: 'type Held @key(fields: "id") { id: ID! name: String! @shareable }',
    },
    query: '{ all { held { name } } }',
    plan: `
      sequence
        fetch a
          { all { __typename id } }
        entities b
          all.@: { ... on First|Second { __typename id } }
          { ... on First { held { __typename id } } ... on Second { held { __typename id } } }
        entities c
          all.@.held: { ... on Held { __typename id } }
          { ... on Held { name } }`,
  },
  'what one type behind an interface object requires, if another type has a field of the same name': {
    services: {
      a: `type Query { media: [Media] } type Media @key(fields: "id") @interfaceObject { id: ID! stars: Int }`,
      b: `interface Media @key(fields: "id") { id: ID! } type Song implements Media @key(fields: "id") { id: ID! }
          type Book implements Media @key(fields: "id") { id: ID! size: Size! @external
            weight: Int @requires(fields: "size { pages }") } type Size { pages: Int @shareable }`,
      c: `type Book @key(fields: "id") { id: ID! size: Size! } type Size { pages: Int @shareable }
          type Song @key(fields: "id") { id: ID! size: Boolean }`,
    },
    query: '{ media { stars ... on Book { weight } } }',
    plan: `
      sequence
        fetch a
          { media { id stars } }
        entities b
          media.@: { ... as Media { id } }
          { ... on Media { __typename ... on Book { id } } }
        entities c
          media.@|Book: { ... on Book { __typename id } }
          { ... on Book { size { pages } } }
        entities b
          media.@: { ... as Media { id ... on Book { size { pages } } } }
          { ... on Media { __typename ... on Book { weight } } }`,
  },
}

test.each(Object.entries(drawn))(
  'a plan over random data is right for %s',
  async (_, { services, query, plan }) => {
    const linked = Object.fromEntries(Object.entries(services).map(([name, sdl]) => [name, linkedSdl(sdl)]))
    const graph = openGraph(linked, 7)
    if (graph === undefined) throw new Error('The subgraphs do not compose.')
    await using trial = await startTrial(graph)
    expect(await trial.run({ query, variables: {} })).toBeUndefined()
    expect(trial.engine.compile({ document: parse(query) }).plan()).toHavePlan(plan)
  },
)
