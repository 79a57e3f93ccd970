/** Plans as text: what is asked of whom, and in which order. */
import { type OperationDefinitionNode, parse, print } from 'graphql'
import { describe, expect, test } from 'vitest'
import { conditionVariables, withConditions } from '../../gateway/plan/conditions.ts'
import { plannable } from '../../gateway/plan/plannable.ts'
import { createPlanner, PlanError } from '../../gateway/plan.ts'
import { startFederation } from '../support/federation.ts'
import '../support/matchers.ts'

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

const plan = async (query: string, variables?: Record<string, unknown>) => {
  await using federation = await startFederation(services)
  return federation.plan(query, variables)
}

describe('a plan', () => {
  test('of one subgraph is one fetch', async () => {
    expect(await plan('{ product(id: "1") { name } }')).toHavePlan(`
      fetch shop
        { product(id: "1") { name } }
    `)
  })

  test('hands over what a field requires', async () => {
    expect(await plan('query($to: String) { product(id: "1") { cost(to: $to) } }')).toHavePlan(`
      sequence
        fetch shop
          { product(id: "1") { __typename id weight } }
        entities post
          product: { ... on Product { __typename weight id } }
          { ... on Product { cost(to: $to) } }
    `)
  })

  test('asks for the same of several places in one fetch', async () => {
    expect(await plan('{ a: product(id: "1") { stock } b: product(id: "2") { stock } }')).toHavePlan(`
      sequence
        fetch shop
          { a: product(id: "1") { ...a } b: product(id: "2") { ...a } } fragment a on Product { __typename id }
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
          product.alike.@: { ... on Product { __typename id } }
          { ... on Product { stock } }
          product: { ... on Product { __typename id } }
          { ... on Product { n: stock } }
    `)
  })

  test('names an interface to a subgraph that knows no more', async () => {
    expect(await plan('{ media { rating } }')).toHavePlan(`
      sequence
        fetch shop
          { media { __typename id } }
        entities post
          media.@: { ... on Media { __typename id } }
            sent: |Media.__typename = Media
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

  test('leaves out what conditions leave out', async () => {
    const query = 'query($x: Boolean!) { product(id: "1") { name stock @include(if: $x) } }'
    expect(await plan(query, { x: false })).toHavePlan(`
      fetch shop
        { product(id: "1") { name } }
    `)
    expect(await plan('{ product(id: "1") @skip(if: true) { name } }')).toHavePlan('nothing to fetch')
  })

  test('holds conditions where there are too many to plan for each apart', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const query = `query(${names.map((name) => `$${name}: Boolean!`).join(' ')}) {
      product(id: "1") { name ${names.map((name) => `... @include(if: $${name}) { ${name}: name }`).join(' ')} stock @include(if: $a) }
    }`
    const printed = await plan(query)
    expect(JSON.stringify(printed)).toContain('"kind":"condition"')
    expect(JSON.stringify(printed)).toContain('"variable":"a"')
  })

  test('that cannot be made says why', async () => {
    await expect(
      (async () => {
        await using federation = await startFederation(services)
        const { planner } = federation.engine
        await planner.plan(parse('{ nowhere }'), undefined)
      })(),
    ).rejects.toThrow(PlanError)
    expect(() => createPlanner('type Query {')).toThrow(PlanError)
  })
})

describe('the part of an operation that is planned', () => {
  const possibleTypes = new Map([['Media', new Set(['Film', 'Song'])]])
  const planned = (query: string): string | undefined => {
    const document = parse(query)
    const left = plannable(document, document.definitions[0] as OperationDefinitionNode, possibleTypes)
    return left === undefined ? undefined : print(left).replace(/\s+/g, ' ')
  }

  test.each([
    ['{ __typename a }', '{ a }'],
    ['{ __schema { types { name } } t: __type(name: "A") { name } a }', '{ a }'],
    [
      '{ __typename ... on Query { __schema { description } } ...F } fragment F on Query { x: __typename }',
      undefined,
    ],
    [
      '{ ...F a { ...F } } fragment F on Query { __typename b }',
      '{ ... on Query { b } a { ...F } } fragment F on Query { __typename b }',
    ],
    ['{ a { t: __typename b } }', '{ a { __typename b } }'],
    ['{ a { __schema { description } } }', '{ a { __typename } }'],
    ['{ a { ... on Film { ... on Song { x } } ... on Media { y } } }', '{ a { ... on Media { y } } }'],
    ['{ a { ... on Film { ...S } } } fragment S on Song { x }', '{ a { __typename } }'],
    [
      '{ a { ... on Film { ... on Media { x } } } }',
      '{ a { __typename ... on Film { ... on Media { x } } } }',
    ],
    ['query A { a } query B { ...F } fragment F on Query { b } fragment G on Query { c }', 'query A { a }'],
  ])('%s', (query, expected) => {
    expect(planned(query)).toBe(expected)
  })
})

describe('conditions', () => {
  test('hang on the variables that they name', () => {
    const document = parse(
      'query($a: Boolean!, $b: Boolean!, $c: Int) { x @skip(if: $b) ... @include(if: $a) { y(n: $c) @skip(if: true) } }',
    )
    expect(conditionVariables(document)).toEqual(['a', 'b'])
  })

  test('are gone once they are decided', () => {
    const document = parse(
      'query($a: Boolean!) { x @skip(if: $a) y @include(if: $a) @other(z: 1) ...F @include(if: false) z { w @skip(if: true) } } fragment F on Query { v }',
    )
    expect(print(withConditions(document, { a: true })).replace(/\s+/g, ' ')).toMatch(
      /^query \(\$a: Boolean!\) \{ y @other\(z: 1\) z /,
    )
    const plain = parse('{ a }')
    expect(withConditions(plain, {})).toBe(plain)
  })
})
