/** `@defer` and `@stream` in the schema, in validation, and in what subgraphs are asked. */
import {
  buildASTSchema,
  buildSchema,
  type IntrospectionSchema,
  introspectionFromSchema,
  parse,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { withIncrementalDirectives } from '../../../../engine/executor/incremental/index.ts'
import { createTextReader } from '../../../../gateway/pipeline/read-document.ts'
import { runToEnd } from '../../../../shared/runtime/steps.ts'
import { startFederation } from '../../../support/federation.ts'

const schema = buildASTSchema(
  withIncrementalDirectives(
    parse(/* GraphQL */ `
      directive @defer(other: Int) on QUERY
      type Query { item: Item items: [Item!]! name: String names: [[String]] }
      type Mutation { change: Item changeAll: [Item] }
      type Subscription { changed: Item }
      type Item { name: String others: [Item] }
    `),
  ),
)

const mostLimits = {
  tokens: 10_000,
  nesting: 100,
  depth: 100,
  aliases: 100,
  rootFields: 100,
  directives: 100,
  fields: 1000,
  listItems: 1000,
  values: 100_000,
}
const read = createTextReader({ schema, limits: mostLimits, introspection: true })
const faults = (text: string): readonly string[] => {
  const result = runToEnd(() => read(text))
  return Array.isArray(result) ? result.map(({ message }) => message) : []
}

describe('the schema', () => {
  test('has both directives, instead of its own of the same name', () => {
    const { directives } = introspectionFromSchema(schema).__schema as IntrospectionSchema
    const found = directives.filter(({ name }) => name === 'defer' || name === 'stream')
    expect(
      found.map(({ name, locations, args }) => [name, locations, args.map((each) => each.name)]),
    ).toEqual([
      ['defer', ['FRAGMENT_SPREAD', 'INLINE_FRAGMENT'], ['if', 'label']],
      ['stream', ['FIELD'], ['if', 'label', 'initialCount']],
    ])
    expect(buildSchema('type Query { a: Int }').getDirective('defer')).toBeUndefined()
  })
})

describe('validation', () => {
  test('allows both at their places', () => {
    expect(
      faults(
        /* GraphQL */ `
        query ($on: Boolean!, $count: Int!) {
          ... @defer(label: "a", if: $on) { name }
          items @stream(label: "b", initialCount: $count) { ...F @defer }
          names @stream
        }
        mutation { change { ... @defer { name } others @stream { name } } }
        fragment F on Item { name }
      `
          .replace('query (', 'query A(')
          .replace('mutation {', 'mutation B {'),
      ),
    ).toEqual([])
  })

  test.each([
    [
      '{ ... @defer(label: "a") { name } ... @defer(label: "a") { name } }',
      'The label "a" of @defer is used more than once.',
    ],
    [
      'query ($l: String) { ... @defer(label: $l) { name } }',
      'The label of @defer must be a string and not a variable.',
    ],
    ['{ item @stream { name } }', '@stream is for lists: item is none.'],
    ['{ items @stream(initialCount: -1) { name } }', '`initialCount` of @stream must be 0 or more.'],
    ['mutation { ... @defer { change { name } } }', '@defer cannot stand at the root of a mutation.'],
    ['mutation { changeAll @stream { name } }', '@stream cannot stand at the root of a mutation.'],
    [
      'subscription { changed { ... @defer { name } } }',
      '@defer is not allowed in a subscription. Disable it by the argument `if`.',
    ],
    [
      '{ items @stream { name } items @stream(initialCount: 2) { name } }',
      'Two fields "items" have different @stream arguments: give one of them another alias.',
    ],
    ['{ name @defer }', 'Directive "@defer" may not be used on FIELD.'],
  ])('refuses %s', (text, message) => {
    expect(faults(text)).toContain(message)
  })
})

test('no subgraph is asked with them, and without incremental delivery the answer is the plain one', async () => {
  const services = {
    items: {
      sdl: /* GraphQL */ `
        type Query { items: [Item] }
        type Item @key(fields: "id") { id: ID! name: String }
      `,
      resolvers: {
        Query: {
          items: () => [
            { id: '1', name: 'one' },
            { id: '2', name: 'two' },
          ],
        },
      },
    },
    prices: {
      sdl: /* GraphQL */ `
        type Item @key(fields: "id") { id: ID! price: Int }
      `,
      resolvers: { Item: { price: ({ id }: { id: string }) => Number(id) * 10 } },
    },
  }
  for (const way of ['in process', 'over HTTP'] as const) {
    await using federation = await startFederation(services, { way })
    const { data, errors } = await federation.run(
      '{ items @stream(initialCount: 1) { name ...F @defer(label: "price") } } fragment F on Item { price }',
      {},
      { once: true },
    )
    expect(errors).toEqual([])
    expect(data).toEqual({
      items: [
        { name: 'one', price: 10 },
        { name: 'two', price: 20 },
      ],
    })
    expect(federation.fetched.length).toBeGreaterThan(1)
    for (const { text } of federation.fetched) expect(text).not.toMatch(/@defer|@stream/)
  }
})
