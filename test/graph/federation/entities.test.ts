/** Entities: keys of every kind, and how few fetches they take. */
import { describe, expect, test } from 'vitest'
import { errorLines, startFederation, ways } from '../../support/federation.ts'
import '../../support/matchers.ts'

const products = [
  { id: '1', upc: 'a', sku: { code: 's1', region: { name: 'eu' } }, name: 'one', vendor: { id: 'v1' } },
  { id: '2', upc: 'b', sku: { code: 's1', region: { name: 'us' } }, name: 'two', vendor: { id: 'v2' } },
  { id: '3', upc: 'c', sku: { code: 's3', region: { name: 'eu' } }, name: 'three', vendor: { id: 'v1' } },
]

const byKey = (key: Record<string, unknown>) =>
  products.find(
    ({ id, upc, sku }) =>
      id === key.id ||
      upc === key.upc ||
      (key.sku !== undefined && JSON.stringify(sku) === JSON.stringify(key.sku)),
  )

const vendorName = (id: string) => `vendor ${id}`
const weight = (upc: string) => upc.charCodeAt(0)
const origin = (code: string, region: string) => `${code}/${region}`
const tags = (parts: readonly { n: number; m: string }[]) => parts.map(({ n, m }) => `${n}${m}`)

const services = {
  catalog: {
    sdl: `
      type Query { products: [Product!]! product(id: ID!): Product grid: [[Product]!] crate: Crate }
      type Product @key(fields: "id") @key(fields: "upc") @key(fields: "sku { code region { name } }") {
        id: ID! upc: ID! sku: Sku! name: String vendor: Vendor
      }
      type Sku { code: String! region: Region! }
      type Region { name: String! }
      type Vendor @key(fields: "id") { id: ID! }
      type Crate @key(fields: "parts { n m }") { parts: [Part!]! }
      type Part { n: Int! m: String! }`,
    resolvers: {
      Query: {
        products: () => products,
        product: (_: unknown, key: { id: string }) => byKey(key) ?? null,
        grid: () => [[products[0], null, products[1]], [], [products[0]]],
        crate: () => ({
          parts: [
            { n: 1, m: 'x' },
            { n: 2, m: 'y' },
          ],
        }),
      },
      Product: { __resolveReference: byKey },
    },
  },
  vendors: {
    sdl: 'type Vendor @key(fields: "id") { id: ID! name: String! }',
    resolvers: { Vendor: { __resolveReference: ({ id }: { id: string }) => ({ id, name: vendorName(id) }) } },
  },
  shipping: {
    sdl: `
      type Product @key(fields: "upc") { upc: ID! weight: Int! }
      type Crate @key(fields: "parts { n m }") { parts: [Part!]! tags: [String!]! }
      type Part { n: Int! @shareable m: String! @shareable }`,
    resolvers: {
      Product: { __resolveReference: ({ upc }: { upc: string }) => ({ upc, weight: weight(upc) }) },
      Crate: {
        __resolveReference: (crate: { parts: { n: number; m: string }[] }) => ({
          ...crate,
          tags: tags(crate.parts),
        }),
      },
    },
  },
  origins: {
    sdl: `
      type Product @key(fields: "sku { code region { name } }") { sku: Sku! origin: String! }
      type Sku { code: String! @shareable region: Region! @shareable }
      type Region { name: String! @shareable }`,
    resolvers: {
      Product: {
        __resolveReference: ({ sku }: { sku: (typeof products)[0]['sku'] }) => ({
          sku,
          origin: origin(sku.code, sku.region.name),
        }),
      },
    },
  },
}

const oracle = {
  Query: services.catalog.resolvers.Query,
  Product: {
    weight: ({ upc }: { upc: string }) => weight(upc),
    origin: ({ sku }: (typeof products)[0]) => origin(sku.code, sku.region.name),
  },
  Vendor: { name: ({ id }: { id: string }) => vendorName(id) },
  Crate: { tags: ({ parts }: { parts: { n: number; m: string }[] }) => tags(parts) },
}

describe.each(ways)('entities %s', (way) => {
  test.each([
    ['by one of several keys', '{ products { name weight } }'],
    ['by a composite key with nested objects', '{ products { name origin } }'],
    ['by a key with a list in it', '{ crate { tags } }'],
    ['by different keys in different subgraphs', '{ products { weight origin vendor { name } } }'],
    ['inside nested lists with nulls and empty lists', '{ grid { weight vendor { id name } } }'],
    ['that are not there', '{ product(id: "404") { weight } other: product(id: "2") { weight } }'],
    ['under aliases', '{ p: product(id: "1") { w: weight v: vendor { n: name } } }'],
    [
      'in named fragments within fragments',
      '{ products { ...A } } fragment A on Product { ...B vendor { ...C } } fragment B on Product { weight } fragment C on Vendor { name }',
    ],
  ])('are found %s', async (_, query) => {
    await using federation = await startFederation(services, { way, oracle })
    const { data, errors } = await federation.run(query)
    const expected = await federation.expected(query)
    expect(data).toEqual(expected.data)
    expect(errorLines(errors)).toEqual([])
  })

  test('are asked for once each, however often they stand in the response', async () => {
    await using federation = await startFederation(services, { way, oracle })
    const { data } = await federation.run('{ products { vendor { name } } }')
    expect(data.products.map((product: { vendor: { name: string } }) => product.vendor.name)).toEqual([
      'vendor v1',
      'vendor v2',
      'vendor v1',
    ])
    expect(federation.counts()).toEqual({ catalog: 1, vendors: 1 })
    expect(federation.fetched[1]?.variables).toEqual({
      representations: [
        { __typename: 'Vendor', id: 'v1' },
        { __typename: 'Vendor', id: 'v2' },
      ],
    })
  })

  test('take one fetch a subgraph and level', async () => {
    await using federation = await startFederation(services, { way, oracle })
    await federation.run('{ products { name weight origin vendor { name } } }')
    expect(federation.counts()).toEqual({ catalog: 1, shipping: 1, origins: 1, vendors: 1 })
  })

  test('that stand in two places get only what was asked for each', async () => {
    await using federation = await startFederation(services, { way, oracle })
    const query = '{ a: product(id: "1") { vendor { name } } b: product(id: "3") { vendor { id n: name } } }'
    expect((await federation.run(query)).data).toEqual((await federation.expected(query)).data)
  })

  test('are not requested if nothing came', async () => {
    await using federation = await startFederation(services, { way, oracle })
    expect((await federation.run('{ product(id: "404") { weight vendor { name } } }')).data).toEqual({
      product: null,
    })
    expect(federation.counts()).toEqual({ catalog: 1 })
  })
})

test('plans put independent lookups beside each other', async () => {
  await using federation = await startFederation(services)
  const plan = await federation.plan('{ product(id: "1") { weight vendor { name } } }')
  expect(plan).toHavePlan(`
    sequence
      fetch catalog
        { product(id: "1") { __typename upc vendor { __typename id } } }
      parallel
        entities shipping
          product: { ... on Product { __typename upc } }
          { ... on Product { weight } }
        entities vendors
          product.vendor: { ... on Vendor { __typename id } }
          { ... on Vendor { name } }
  `)
})
