/** Plans as text: which fields are fetched from which subgraph, and in which order. */
import { describe, expect, test } from 'vitest'
import { PlanError } from '../../../engine/planner/index.ts'
import { startFederation } from '../../support/federation.ts'
import { fetchesOf } from '../../support/plans.ts'
import '../../support/matchers.ts'
import { planInputOf } from '../../support/normalised.ts'

const services = {
  shop: {
    sdl: `
      type Query { product(id: ID!): Product products: [Product] media: [Media] }
      type Product @key(fields: "id") { id: ID! name: String weight: Int alike: [Product] }
      interface Media @key(fields: "id") { id: ID! }
      type Film implements Media @key(fields: "id") { id: ID! minutes: Int }
      type Song implements Media @key(fields: "id") { id: ID! bpm: Int }
      type Mutation { rename(id: ID!): Product }`,
    resolvers: {},
  },
  post: {
    sdl: `
      type Product @key(fields: "id") { id: ID! weight: Int @external cost(to: String): Int @requires(fields: "weight") stock: Int }
      type Media @key(fields: "id") @interfaceObject { id: ID! rating: Float }
      type Mutation { send(id: ID!): Product }`,
    resolvers: {},
  },
}

const plan = async (query: string) => {
  await using federation = await startFederation(services)
  return federation.plan(query)
}

describe('a plan', () => {
  test('of one subgraph is one fetch', async () => {
    expect(await plan('{ product(id: "1") { name } }')).toHavePlan(`
      fetch shop
        { product(id: "1") { name } }
    `)
  })

  test('passes on what a field requires', async () => {
    expect(await plan('query($to: String) { product(id: "1") { cost(to: $to) } }')).toHavePlan(`
      sequence
        fetch shop
          { product(id: "1") { __typename id weight } }
        entities post
          product: { ... on Product { __typename id weight } }
          { ... on Product { cost(to: $to) } }
    `)
  })

  test('asks for the same of several places in one fetch', async () => {
    expect(await plan('{ a: product(id: "1") { stock } b: product(id: "2") { stock } }')).toHavePlan(`
      sequence
        fetch shop
          { a: product(id: "1") { __typename id } b: product(id: "2") { __typename id } }
        entities post
          a, b: { ... on Product { __typename id } }
          { ... on Product { stock } }
    `)
  })

  test('asks for different things of several places in one fetch, too', async () => {
    expect(await plan('{ product(id: "1") { n: stock alike { stock } } }')).toHavePlan(`
      sequence
        fetch shop
          { product(id: "1") { __typename id alike { __typename id } } }
        entities post
          product: { ... on Product { __typename id } }
          { ... on Product { n: stock } }
          product.alike.@: { ... on Product { __typename id } }
          { ... on Product { stock } }
    `)
  })

  test('names an interface to a subgraph that knows no more', async () => {
    expect(await plan('{ media { rating } }')).toHavePlan(`
      sequence
        fetch shop
          { media { __typename id } }
        entities post
          media.@: { ... as Media { id } }
          { ... on Media { rating } }
    `)
  })

  test('keeps mutations in order', async () => {
    expect(
      await plan(
        'mutation { a: rename(id: "1") { name } b: send(id: "1") { id } c: rename(id: "2") { id } }',
      ),
    ).toHavePlan(`
      sequence
        fetch shop
          mutation { a: rename(id: "1") { name } }
        fetch post
          mutation { b: send(id: "1") { id } }
        fetch shop
          mutation { c: rename(id: "2") { id } }
    `)
  })

  test('has the mutations of both orders if the order depends on a variable', async () => {
    const query = `mutation($x: Boolean!) {
      a: rename(id: "1") @skip(if: $x) { name } b: send(id: "1") { id } a: rename(id: "1") { name weight } }`
    expect(await plan(query)).toHavePlan(`
      sequence
        fetch post if $x
          mutation { b: send(id: "1") { id } }
        fetch shop if $x
          mutation { a: rename(id: "1") { name weight } }
        fetch shop if not $x
          mutation { a: rename(id: "1") { name weight } }
        fetch post if not $x
          mutation { b: send(id: "1") { id } }
    `)
  })

  test('has one order of mutations if no other subgraph comes between', async () => {
    const a = 'a: rename(id: "1") { name }'
    const conditional = 'a: rename(id: "1") @skip(if: $x) { name }'
    const [b, c] = ['b: send(id: "1") { id }', 'c: rename(id: "2") { id }']
    const mutation = (...fields: string[]): string => `mutation($x: Boolean!) { ${fields.join(' ')} }`
    for (const settled of [
      mutation(conditional, c, a),
      mutation(a, b, conditional),
      mutation(conditional, a, b),
      mutation(b, conditional, a),
    ])
      expect(fetchesOf(await plan(settled)), settled).toBeLessThan(3)
  })

  test('is refused if the order of mutations depends on more than four variables', async () => {
    const names = [1, 2, 3, 4, 5].map((n) => `c${n}`)
    const moving = (
      some: readonly string[],
    ): string => `mutation(${some.map((n) => `$${n}: Boolean!`).join(' ')}) {
      ${some.map((n) => `${n}: rename(id: "${n}") @skip(if: $${n}) { name }`).join(' ')} b: send(id: "1") { id }
      ${some.map((n) => `${n}: rename(id: "${n}") { id }`).join(' ')} }`
    expect(fetchesOf(await plan(moving(names.slice(1))))).toBeGreaterThan(16)
    await expect(plan(moving(names))).rejects.toThrow(/depends on more than 4 variables/)
  })

  test('leaves conditions to the request', async () => {
    const query = 'query($x: Boolean!) { product(id: "1") { name stock @include(if: $x) } }'
    expect(await plan(query)).toHavePlan(`
      sequence
        fetch shop
          { product(id: "1") { ... @include(if: $x) { __typename id } name } }
        entities post
          product: { ... on Product { __typename id } } if $x
          { ... on Product { stock } }
    `)
    expect(await plan('{ product(id: "1") @skip(if: true) { name } }')).toHavePlan('nothing to fetch')
  })

  test('that is impossible says why', async () => {
    await using federation = await startFederation(services)
    const { engine } = federation
    expect(() => engine.planner.plan(planInputOf(engine.schema, '{ nowhere }'))).toThrow(
      new PlanError('No subgraph can resolve Query.nowhere at the place where the operation selects it.'),
    )
  })
})
