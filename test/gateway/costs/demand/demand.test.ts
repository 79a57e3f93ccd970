/** Costs by `@cost` and `@listSize`: the examples of IBM's specification and of Apollo's documentation, and bounds. */
import fc from 'fast-check'
import { buildSchema, execute, GraphQLError, type GraphQLSchema, parse } from 'graphql'
import { expect, test } from 'vitest'
import type { GrantedOperation } from '../../../../gateway/auth/granted-operation.ts'
import { createDemand, type DemandOptions } from '../../../../gateway/costs/demand/index.ts'
import { normalisedOf } from '../../../support/normalised.ts'

const directives = `
  directive @cost(weight: String!) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR
  directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION
`

const usual = { mode: 'enforce', listSize: 10, actual: true, report: 'asked' } as const
const demandOf = (sdl: string, options: Partial<DemandOptions> = {}) =>
  createDemand({
    schema: buildSchema(directives + sdl),
    supergraph: parse(directives + sdl),
    ...usual,
    ...options,
  })
const schemaOf = (sdl: string) => buildSchema(directives + sdl)
const granted = (schema: GraphQLSchema, query: string): GrantedOperation =>
  ({ allowed: normalisedOf(schema, query) }) as unknown as GrantedOperation
const estimated = (sdl: string, query: string, variables = {}, options: Partial<DemandOptions> = {}) =>
  demandOf(sdl, options).estimate(granted(schemaOf(sdl), query), variables)
function actual(sdl: string, query: string, data: Record<string, unknown> | null, variables = {}): number {
  const demand = demandOf(sdl, { mode: 'measure' })
  const cost = demand.admit(granted(schemaOf(sdl), query), variables)
  if (cost instanceof GraphQLError) throw cost
  demand.measure(cost, granted(schemaOf(sdl), query), variables, () => data)
  return cost.actual ?? Number.NaN
}

const users = `
  type User { name: String age: Int @cost(weight: "2.0") }
  type Query { users(max: Int): [User] @listSize(slicingArguments: ["max"]) }
`

test('IBM, section 3: five users with a field of weight 2 have a field cost of 11', () => {
  expect(estimated(users, 'query Example { users(max: 5) { age } }')).toMatchObject({
    fieldCost: 11,
    typeCost: 6,
  })
  // Each user is 1 and each age 2, as Apollo weighs them; of three users, 9.
  expect(estimated(users, '{ users(max: 5) { age } }').cost).toBe(15)
  expect(actual(users, '{ users(max: 5) { age } }', { users: [{ age: 33 }, { age: 45 }, { age: 27 }] })).toBe(
    9,
  )
})

test('a slicing argument may be a custom scalar, whose numbers are texts as well, or a single key of a list', () => {
  const of = (type: string) =>
    `scalar Long input By { max: ${type} } ${users.replace('max: Int', `max: ${type} by: By`)}`
  const cost = (type: string, argument: string, variables = {}): number => {
    const sdl = of(type).replace('["max"]', '["max", "by.max"], requireOneSlicingArgument: false')
    return estimated(sdl, `query ($n: ${type}) { users(${argument}) { age } }`, variables).cost
  }
  for (const value of ['5', '"5"', '5.0']) expect(cost('Long', `max: ${value}`)).toBe(15)
  for (const n of [5, '5']) expect(cost('Long', 'max: $n', { n })).toBe(15)
  // An input object costs 1 by itself.
  expect(cost('Long', 'by: { max: "5" }')).toBe(16)
  expect(cost('Long', 'max: "5000000"')).toBe(15_000_000)
  expect(cost('[ID!]', 'max: "5"')).toBe(3)
  expect(cost('[ID!]', 'by: { max: ["5", "6"] }')).toBe(7)
})

test('IBM, section 5.3.2: arguments, negative weights and input fields', () => {
  const argumentsOf = `
    input Filter { approx: Approximate @cost(weight: "-12.0") }
    enum Approximate { YES }
    type Product { name: String }
    type Query {
      topProducts(filter: Filter @cost(weight: "15.0")): [String] @cost(weight: "5.0") @listSize(assumedSize: 10)
      mostPopularProduct(approx: Approximate @cost(weight: "-3.0")): Product @cost(weight: "5.0")
      free(approx: Approximate @cost(weight: "-3.0")): Int
    }
  `
  const fieldCost = (query: string, variables = {}) => estimated(argumentsOf, query, variables).fieldCost
  expect(fieldCost('{ topProducts }')).toBe(5)
  expect(fieldCost('{ topProducts(filter: {}) }')).toBe(20)
  expect(fieldCost('{ topProducts(filter: { approx: YES }) }')).toBe(8)
  expect(fieldCost('query ($f: Filter) { topProducts(filter: $f) }', { f: { approx: 'YES' } })).toBe(8)
  expect(fieldCost('query ($f: Filter = { approx: YES }) { topProducts(filter: $f) }')).toBe(8)
  expect(fieldCost('{ mostPopularProduct(approx: YES) { name } }')).toBe(2)
  // No field is worth less than nothing.
  expect(fieldCost('{ free(approx: YES) mostPopularProduct { name } }')).toBe(5)
  expect(estimated(argumentsOf, '{ free(approx: YES) }').cost).toBe(0)
})

test('IBM, section 8: defaults of slicing arguments, the largest of several, sized fields, abstract types', () => {
  const lists = `
    type Film { title: String }
    type FilmEdge { node: Film }
    type FilmConnection { edges: [FilmEdge] total: Int }
    interface Named { name: String }
    type Cheap implements Named { name: String @cost(weight: "1") }
    type Dear implements Named @cost(weight: "7") { name: String @cost(weight: "3") }
    type Query {
      topProducts: [String] @cost(weight: "2") @listSize(assumedSize: 10)
      films(first: Int, last: Int): FilmConnection
        @listSize(slicingArguments: ["first", "last"], sizedFields: ["edges"])
      either(first: Int = 4, last: Int): [Film]
        @listSize(slicingArguments: ["first", "last"], requireOneSlicingArgument: false)
      backup(first: Int): [Film]
        @listSize(assumedSize: 6, slicingArguments: ["first"], requireOneSlicingArgument: false)
      named: Named
      plain: [Film]
    }
  `
  const cost = (query: string, variables = {}) => estimated(lists, query, variables).cost
  expect(cost('{ topProducts }')).toBe(20)
  expect(cost('{ films(first: 3) { edges { node { title } } } }')).toBe(1 + 3 + 3)
  expect(cost('query ($n: Int) { films(last: $n) { edges { node { title } } total } }', { n: 5 })).toBe(11)
  expect(cost('{ either { title } }')).toBe(4)
  expect(cost('{ either(last: 9) { title } }')).toBe(9)
  expect(cost('{ either(first: -3, last: 2) { title } }')).toBe(2)
  expect(cost('{ backup { title } }')).toBe(6)
  expect(cost('{ backup(first: 2) { title } }')).toBe(2)
  expect(cost('{ plain { title } }')).toBe(10)
  expect(estimated(lists, '{ plain { title } }', {}, { listSize: 3 }).cost).toBe(3)
  // Of an interface, what costs most of its members.
  expect(cost('{ named { name } }')).toBe(7 + 3)
})

test('a length of type Float counts whether it is written in the document or given in a variable', () => {
  const list =
    'type T { a: Int } type Query { list(first: Float): [T] @listSize(slicingArguments: ["first"]) }'
  expect(estimated(list, '{ list(first: 3.0) { a } }')).toMatchObject({ cost: 3, unsized: [] })
  expect(estimated(list, 'query ($n: Float) { list(first: $n) { a } }', { n: 3 }).cost).toBe(3)
})

test('a field that needs one slicing argument is refused without one and with two', () => {
  const one =
    'type T { a: Int } type Query { list(first: Int, last: Int): [T] @listSize(slicingArguments: ["first", "last"]) }'
  const demand = demandOf(one)
  for (const query of [
    '{ list { a } }',
    '{ list(first: 1, last: 2) { a } }',
    '{ list(first: null) { a } }',
  ]) {
    const refused = demand.admit(granted(schemaOf(one), query), {})
    expect(refused).toBeInstanceOf(GraphQLError)
    expect((refused as GraphQLError).extensions.code).toBe('BAD_USER_INPUT')
    const measured = demandOf(one, { mode: 'measure' }).admit(granted(schemaOf(one), query), {})
    expect(measured).not.toBeInstanceOf(GraphQLError)
  }
  expect(demand.admit(granted(schemaOf(one), '{ list(first: 1) { a } }'), {})).toMatchObject({
    estimated: 1,
  })
})

const books = `
  type Query {
    book(id: ID): Book
    bestsellers: [Book] @listSize(assumedSize: 5)
    newestAdditions(after: ID, limit: Int!): [Book] @listSize(slicingArguments: ["limit"])
  }
  type Mutation { rename(id: ID): Book }
  type Book { title: String author: Author publisher: Publisher }
  type Author { name: String }
  type Publisher { name: String address: Address }
  type Address @cost(weight: "5") { zipCode: Int! }
`
const book = '{ title author { name } publisher { name address { zipCode } } }'

test('Apollo: the prices of its documentation', () => {
  const plain = books.replace('@cost(weight: "5")', '')
  expect(estimated(plain, `query BookQuery { book(id: 1) ${book} }`).cost).toBe(4)
  expect(estimated(books, `query BookQuery { book(id: 1) ${book} }`).cost).toBe(8)
  expect(estimated(books, `{ bestsellers ${book} }`).cost).toBe(40)
  expect(estimated(books, `{ newestAdditions(limit: 3) ${book} }`).cost).toBe(24)
  expect(estimated(books, `{ newestAdditions(limit: 7) ${book} }`).cost).toBe(56)
  expect(estimated(books, 'mutation { rename(id: 1) { title } }').cost).toBe(11)
})

test('Apollo: a list in an argument costs the weight once, and again for each item', () => {
  const lists = `
    input Filter { name: String @cost(weight: "3") }
    type Query {
      byIds(ids: [ID] @cost(weight: "2")): Int
      byFilters(filters: [Filter] @cost(weight: "2")): Int
      plain(filters: [Filter]): Int
    }
  `
  expect(estimated(lists, '{ byIds(ids: []) }').cost).toBe(2)
  expect(estimated(lists, '{ byIds(ids: [1, 2, null]) }').cost).toBe(6)
  expect(estimated(lists, 'query ($i: [ID]) { byIds(ids: $i) }', { i: [1, 2] }).cost).toBe(6)
  expect(estimated(lists, '{ byFilters(filters: [{ name: "a" }, {}]) }').cost).toBe(9)
  expect(estimated(lists, '{ plain(filters: [{ name: "a" }, {}]) }').cost).toBe(5)
})

test('Apollo: weights of fields, arguments, enums, input fields, scalars, objects and lists', () => {
  const custom = `
    enum AorB @cost(weight: "15") { A B }
    scalar ExpensiveInt @cost(weight: "30")
    type ExpensiveObject @cost(weight: "40") { id: ID }
    input InputTypeWithCost { somethingWithCost: Int @cost(weight: "20") }
    type A { id: ID }
    type SizedField { items: [A] }
    type ResultContainer { page: [A] }
    type DeepContainer { results: ResultContainer page: [A] }
    input Page { first: Int }
    input Search { pagination: Page }
    type Query {
      fieldWithCost: Int @cost(weight: "5")
      argWithCost(arg: Int @cost(weight: "10")): Int
      enumWithCost: AorB
      inputWithCost(someInput: InputTypeWithCost): Int
      scalarWithCost: ExpensiveInt
      objectWithCost: ExpensiveObject
      fieldWithListSize: [String!] @listSize(assumedSize: 2000, requireOneSlicingArgument: false)
      fieldWithDynamicListSize(first: Int = 10): SizedField
        @listSize(slicingArguments: ["first"], sizedFields: ["items"], requireOneSlicingArgument: true)
      itemsByIds(ids: [ID!]!): [A] @listSize(slicingArguments: ["ids"])
      search(input: Search!): [A] @listSize(slicingArguments: ["input.pagination.first"])
      deep(first: Int = 10): DeepContainer @listSize(slicingArguments: ["first"], sizedFields: ["results { page }"])
    }
  `
  const all = (first: string, input: string) =>
    `fieldWithCost argWithCost(arg: 3) enumWithCost inputWithCost(someInput: ${input}) scalarWithCost objectWithCost { id } fieldWithListSize fieldWithDynamicListSize${first} { ...Items }`
  const items = 'fragment Items on SizedField { items { id } }'
  expect(estimated(custom, `{ ${all('(first: 5)', '{ somethingWithCost: 10 }')} } ${items}`).cost).toBe(127)
  expect(estimated(custom, `{ ${all('', '{ somethingWithCost: 10 }')} } ${items}`).cost).toBe(132)
  const variable = `query ($i: InputTypeWithCost, $n: Int) { ${all('(first: $n)', '$i')} } ${items}`
  expect(estimated(custom, variable, { i: { somethingWithCost: 10 }, n: 5 }).cost).toBe(127)
  expect(
    actual(custom, `{ ${all('(first: 5)', '{ somethingWithCost: 10 }')} } ${items}`, {
      fieldWithCost: 2,
      argWithCost: 30,
      enumWithCost: 'A',
      inputWithCost: 5,
      scalarWithCost: 6,
      objectWithCost: { id: '9' },
      fieldWithListSize: ['hello', 'world'],
      fieldWithDynamicListSize: { items: [{ id: 4 }, { id: 5 }, { id: 6 }] },
    }),
  ).toBe(125)
  expect(estimated(custom, '{ itemsByIds(ids: [1, 2, 3]) { id } }').cost).toBe(3)
  expect(estimated(custom, '{ search(input: { pagination: { first: 6 } }) { id } }').cost).toBe(2 + 6)
  expect(
    estimated(custom, 'query ($s: Search!) { search(input: $s) { id } }', { s: { pagination: { first: 6 } } })
      .cost,
  ).toBe(8)
  expect(estimated(custom, '{ deep(first: 3) { results { page { id } } page { id } } }').cost).toBe(
    1 + 1 + 3 + 10,
  )
})

test('conditions count as they are in a request, deferred fragments always', () => {
  const query = `query ($yes: Boolean!) {
    book(id: 1) @include(if: $yes) { title }
    ... @skip(if: $yes) { bestsellers { title } }
    ... @defer { other: book(id: 2) { author { name } } }
    never: book @skip(if: true) { title }
  }`
  expect(estimated(books, query, { yes: true }).cost).toBe(1 + 2)
  expect(estimated(books, query, { yes: false }).cost).toBe(5 + 2)
})

test('an operation over the maximum is refused with its numbers', () => {
  const demand = demandOf(books, { max: 39 })
  const refused = demand.admit(granted(schemaOf(books), `{ bestsellers ${book} }`), {}) as GraphQLError
  expect(refused.extensions).toEqual({
    code: 'COST_ESTIMATED_TOO_EXPENSIVE',
    cost: { estimated: 40, maximum: 39 },
  })
  expect(
    demandOf(books, { max: 40 }).admit(granted(schemaOf(books), `{ bestsellers ${book} }`), {}),
  ).toMatchObject({ estimated: 40, maximum: 40 })
})

test('directives of another name are read, and those that a schema defines for itself are not', () => {
  const linked = `
    schema @link(url: "https://specs.apollo.dev/cost/v0.1", as: "price", import: [{ name: "@listSize", as: "@size" }]) { query: Query }
    directive @link(url: String, as: String, import: [I]) repeatable on SCHEMA
    scalar I
    directive @price(weight: Int!) on OBJECT
    directive @size(assumedSize: Int) on FIELD_DEFINITION
    directive @cost(weight: Int!) on OBJECT
    type A @price(weight: 3) { id: ID }
    type B @cost(weight: 100) { id: ID }
    type Query { a: [A] @size(assumedSize: 2) b: B }
  `
  const schema = buildSchema(linked, { assumeValidSDL: true })
  const demand = createDemand({ ...usual, schema, supergraph: parse(linked), mode: 'measure' })
  expect(demand.estimate(granted(schema, '{ a { id } b { id } }'), {}).cost).toBe(6 + 1)
})

test('an answer never costs more than the estimate if lists are as long as said', async () => {
  const schema = buildSchema(directives + books)
  const demand = demandOf(books, { mode: 'measure' })
  const leaf = fc.constantFrom(
    'title',
    'author { name }',
    'publisher { name address { zipCode } }',
    '__typename',
  )
  const selection = fc.array(leaf, { minLength: 1, maxLength: 4 }).map((parts) => `{ ${parts.join(' ')} }`)
  const root = fc.oneof(
    fc.tuple(fc.constantFrom('a', 'b'), selection).map(([alias, below]) => `${alias}: book ${below}`),
    selection.map((below) => `bestsellers ${below}`),
    fc
      .tuple(fc.nat(6), selection)
      .map(([limit, below]) => `n${limit}: newestAdditions(limit: ${limit}) ${below}`),
    selection.map((below) => `... on Query { a: book ${below} }`),
  )
  const address = fc.option(fc.record({ zipCode: fc.integer({ min: 0, max: 9 }) }))
  const some = fc.option(
    fc.record({
      title: fc.string(),
      author: fc.option(fc.record({ name: fc.string() })),
      publisher: fc.option(fc.record({ name: fc.string(), address })),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(root, { minLength: 1, maxLength: 4 }), some, async (fields, one) => {
      const query = `{ ${fields.join(' ')} }`
      const { data } = await execute({
        schema,
        document: parse(query),
        rootValue: {
          book: one,
          bestsellers: Array(5).fill(one),
          newestAdditions: ({ limit }: { limit: number }) => Array(limit).fill(one),
        },
      })
      const cost = demand.admit(granted(schema, query), {})
      if (cost instanceof GraphQLError) throw cost
      demand.measure(cost, granted(schema, query), {}, () => data ?? null)
      expect(cost.actual).toBeLessThanOrEqual(cost.estimated)
    }),
    { numRuns: 300 },
  )
})

test('a list of an interface is as long as an implementing type says', () => {
  const sdl = `
    interface Shop { items(first: Int): [Item] }
    type Item { name: String }
    type Book implements Shop { items(first: Int, last: Int): [Item] @listSize(slicingArguments: ["first", "last"], assumedSize: 20) }
    type Toys implements Shop { items(first: Int): [Item] @listSize(assumedSize: 30, requireOneSlicingArgument: false) }
    type Query { shop: Shop games: Game }
    interface Game { items(first: Int): [Item] }
    type Chess implements Game { items(first: Int): [Item] @listSize(slicingArguments: ["first"]) }
    type Go implements Game { items(first: Int): [Item] }
  `
  expect(estimated(sdl, '{ shop { items { name } } }').cost).toBe(31)
  expect(estimated(sdl, '{ games { items(first: 5000) { name } } }').cost).toBe(5001)
  expect(estimated(sdl, '{ games { items { name } } }').unsized).toMatchObject([
    { field: 'Game.items', given: 0 },
  ])
})
