/** Entities: keys of every kind, and how few fetches they take. */
import { describe, expect, test } from 'vitest'
import { startFederation, ways } from '../../support/federation.ts'
import '../../support/matchers.ts'
import { worldOf } from '../../support/world-of.ts'

const sdls = {
  catalog: `
    type Query { products: [Product!]! product(id: ID!): Product grid: [[Product]!] crate: Crate! }
    type Product @key(fields: "id") @key(fields: "upc") @key(fields: "sku { code region { name } }") {
      id: ID! upc: ID! sku: Sku! name: String vendor: Vendor!
    }
    type Sku { code: String! region: Region! }
    type Region { name: String! }
    type Vendor @key(fields: "id") { id: ID! }
    type Crate @key(fields: "parts { n m }") { parts: [Part!]! }
    type Part { n: Int! m: String! }`,
  vendors: 'type Vendor @key(fields: "id") { id: ID! name: String! }',
  shipping: `
    type Product @key(fields: "upc") { upc: ID! weight: Int! }
    type Crate @key(fields: "parts { n m }") { parts: [Part!]! tags: [String!]! }
    type Part { n: Int! @shareable m: String! @shareable }`,
  origins: `
    type Product @key(fields: "sku { code region { name } }") { sku: Sku! origin: String! }
    type Sku { code: String! @shareable region: Region! @shareable }
    type Region { name: String! @shareable }`,
}

/** In the first one there are products, two of a vendor, and none by the id 3; in the others nested lists, with gaps. */
const worlds = [2, 3, 4].map((seed) => worldOf(sdls, seed))
const [world] = worlds as [(typeof worlds)[0]]

describe.each(ways)('entities %s', (way) => {
  test.each([
    ['by one of several keys', '{ products { name weight } }'],
    ['by a composite key with nested objects', '{ products { name origin } }'],
    ['by a key with a list in it', '{ crate { tags } }'],
    ['by different keys in different subgraphs', '{ products { weight origin vendor { name } } }'],
    ['inside nested lists with nulls and empty lists', '{ grid { weight vendor { id name } } }'],
    ['that are not there', '{ product(id: "3") { weight } other: product(id: "2") { weight } }'],
    ['under aliases', '{ p: product(id: "1") { w: weight v: vendor { n: name } } }'],
    [
      'in named fragments within fragments',
      '{ products { ...A } } fragment A on Product { ...B vendor { ...C } } fragment B on Product { weight } fragment C on Vendor { name }',
    ],
    [
      'that stand in two places, with what was asked for each',
      '{ a: product(id: "1") { vendor { name } } b: product(id: "2") { vendor { id n: name } } }',
    ],
  ])('are found %s', async (_, query) => {
    for (const { services, oracle } of worlds) {
      await using federation = await startFederation(services, { way, oracle })
      expect(await federation.run(query)).toEqual(await federation.expected(query))
    }
  })

  test('are asked for once each, however often they stand in the response', async () => {
    await using federation = await startFederation(world.services, { way })
    const { data } = await federation.run('{ products { vendor { id name } } }')
    const ids = data.products.map(({ vendor }: { vendor: { id: string } }) => vendor.id)
    expect(ids).toEqual(['id-Vendor-1', 'id-Vendor-1', 'id-Vendor-2'])
    expect(federation.counts()).toEqual({ catalog: 1, vendors: 1 })
    expect(federation.fetched[1]?.variables).toEqual({
      representations: [...new Set(ids)].map((id) => ({ __typename: 'Vendor', id })),
    })
  })

  test('take one fetch a subgraph and level', async () => {
    await using federation = await startFederation(world.services, { way })
    await federation.run('{ products { name weight origin vendor { name } } }')
    expect(federation.counts()).toEqual({ catalog: 1, shipping: 1, origins: 1, vendors: 1 })
  })

  test('are not requested if nothing came', async () => {
    await using federation = await startFederation(world.services, { way })
    expect((await federation.run('{ product(id: "3") { weight vendor { name } } }')).data).toEqual({
      product: null,
    })
    expect(federation.counts()).toEqual({ catalog: 1 })
  })
})

test('plans put independent lookups beside each other', async () => {
  await using federation = await startFederation(world.services)
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
