/** Errors and nulls: their paths, and what a failing subgraph takes along (only its own). */
import { GraphQLError } from 'graphql'
import { describe, expect, test } from 'vitest'
import type { Transport } from '../../../engine/subgraphs/index.ts'
import { errorLines, startFederation, ways } from '../../support/federation.ts'

const boom = (what: string): never => {
  throw new GraphQLError(`${what} failed`, { extensions: { code: 'NOT_FOUND', service: 'test' } })
}

const products = [
  { id: '1', name: 'one' },
  { id: '2', name: 'two' },
  { id: '1', name: 'one' },
]

const services = {
  products: {
    sdl: `
      type Query { products: [Product] strict: [Product!] product: Product must: Product! boom: Product nested: [[Product!]] }
      type Product @key(fields: "id") { id: ID! name: String! maker: Maker }
      type Maker @key(fields: "id") { id: ID! }`,
    resolvers: {
      Query: {
        products: () => products,
        strict: () => products,
        product: () => products[1],
        must: () => products[1],
        boom: () => boom('boom'),
        nested: () => [[products[0]], [products[0], products[1]]],
      },
      Product: { maker: ({ id }: { id: string }) => ({ id: `m${id}` }) },
    },
  },
  stock: {
    sdl: `
      type Query { stocks: Int }
      type Product @key(fields: "id") { id: ID! stock: Int! soft: String shelf: Shelf }
      type Shelf { row: Int! col: Int }
      type Mutation { restock(id: ID!): Int }`,
    resolvers: {
      Query: { stocks: () => 2 },
      Product: {
        __resolveReference: (key: object) => key,
        stock: ({ id }: { id: string }) => (id === '2' ? boom('stock') : 5),
        soft: ({ id }: { id: string }) => (id === '1' ? boom('soft') : 'soft'),
        shelf: ({ id }: { id: string }) => ({ id }),
      },
      Shelf: { row: ({ id }: { id: string }) => (id === '2' ? boom('row') : 1), col: () => 2 },
      Mutation: { restock: () => 1 },
    },
  },
  makers: {
    sdl: 'type Maker @key(fields: "id") { id: ID! name: String! }',
    resolvers: {
      Maker: {
        __resolveReference: ({ id }: { id: string }) => (id === 'm2' ? null : { id, name: `maker ${id}` }),
      },
    },
  },
}

const oracle = {
  Query: { ...services.products.resolvers.Query, stocks: () => 2 },
  Product: {
    ...services.products.resolvers.Product,
    stock: services.stock.resolvers.Product.stock,
    soft: services.stock.resolvers.Product.soft,
    shelf: ({ id }: { id: string }) => ({ id }),
  },
  Shelf: services.stock.resolvers.Shelf,
  Maker: { name: ({ id }: { id: string }) => (id === 'm2' ? null : `maker ${id}`) },
}

describe.each(ways)('errors %s', (way) => {
  test.each([
    ['of a root field', '{ boom { name } product { name } }'],
    ['of an entity, at every place where it stands', '{ products { soft } }'],
    ['under aliases', '{ a: product { b: stock } c: nested { d: soft } }'],
    ['inside nested lists', '{ nested { soft } }'],
    ['deep inside an entity', '{ products { shelf { col row } } }'],
    ['that take a nullable item along', '{ products { name stock } }'],
    ['that take a list along', '{ strict { name stock } product { name } }'],
    ['that take everything along', '{ must { stock } product { name } }'],
  ])('%s have the places that one schema would give them', async (_, query) => {
    await using federation = await startFederation(services, { way, oracle })
    const [actual, expected] = [await federation.run(query), await federation.expected(query)]
    expect(actual.data).toEqual(expected.data)
    expect(errorLines(actual.errors)).toEqual(errorLines(expected.errors))
    for (const error of actual.errors)
      expect(error.extensions).toMatchObject({ code: 'NOT_FOUND', service: 'test' })
  })

  test('of an entity that is lost is the only one, also if another subgraph brought an object within it', async () => {
    const boxes = {
      first: {
        sdl: `
          type Query { boxed: [Boxed!] }
          type Boxed @key(fields: "id box { id }") { id: ID! box: Box! }
          type Box @key(fields: "id", resolvable: false) { id: ID! }`,
        resolvers: { Query: { boxed: () => [{ id: '1', box: { id: 'b' } }] } },
      },
      second: {
        sdl: `
          type Boxed @key(fields: "id box { id }") { id: ID! box: Box! }
          type Box { id: ID! size: Int! owner: String! }`,
        resolvers: {
          Boxed: { __resolveReference: (key: object) => key },
          Box: { size: () => 1, owner: () => boom('owner') },
        },
      },
    }
    await using federation = await startFederation(boxes, { way })
    const { data, errors } = await federation.run('{ boxed { box { size owner } } }')
    expect(data).toEqual({ boxed: null })
    expect(errorLines(errors)).toEqual(['boxed.0.box.owner: owner failed'])
  })

  test('a null without an error of a subgraph gets one error', async () => {
    await using federation = await startFederation(services, { way, oracle })
    const { data, errors } = await federation.run('{ product { name maker { id name } } }')
    expect(data).toEqual({ product: { name: 'two', maker: null } })
    expect(errorLines(errors)).toEqual([
      'product.maker.name: Cannot return null for non-nullable field Maker.name.',
    ])
    expect(errors[0]?.extensions.code).toBe('UPSTREAM_BAD_RESPONSE')
  })
})

/** A transport whose subgraph answers this. */
const answering =
  (service: string, result: () => Awaited<ReturnType<ReturnType<Transport['prepare']>>>) =>
  (transport: Transport): Transport =>
    transport.name === service ? { ...transport, prepare: () => () => result() } : transport

describe('a subgraph that fails as a whole', () => {
  test('leaves an error at everything that was asked from it, and nothing else', async () => {
    await using federation = await startFederation(services, { way: 'over HTTP' })
    await federation.stop('stock')
    const { data, errors } = await federation.run('{ stocks products { name soft shelf { row } } }')
    expect(data).toEqual({
      stocks: null,
      products: products.map(({ name }) => ({ name, soft: null, shelf: null })),
    })
    expect([...new Set(errors.map(({ message }) => message))]).toEqual([
      'The subgraph stock cannot be reached.',
    ])
    expect(errors.map(({ path }) => path?.join('.')).sort()).toEqual([
      'products.0.shelf',
      'products.0.soft',
      'products.1.shelf',
      'products.1.soft',
      'products.2.shelf',
      'products.2.soft',
      'stocks',
    ])
    for (const { extensions } of errors)
      expect(extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', service: 'stock' })
  })

  test('takes non-null fields along by their rules', async () => {
    await using federation = await startFederation(services, { way: 'over HTTP' })
    await federation.stop('stock')
    const { data, errors } = await federation.run('{ product { name stock } strict { stock } stocks }')
    expect(data).toEqual({ product: null, strict: null, stocks: null })
    expect(errors.every(({ extensions }) => extensions.code === 'UPSTREAM_UNAVAILABLE')).toBe(true)
  })

  test('is reported with a bounded number of errors', async () => {
    const many = Array.from({ length: 500 }, (_, n) => ({ id: String(n), name: 'x' }))
    const large = {
      ...services,
      products: { ...services.products, resolvers: { Query: { products: () => many, strict: () => many } } },
    }
    await using federation = await startFederation(large, {
      wrap: answering('stock', () => ({
        errors: [{ message: 'down', extensions: { code: 'UPSTREAM_UNAVAILABLE' } }],
      })),
    })
    const { data, errors } = await federation.run('{ products { soft } }')
    expect(data.products).toHaveLength(500)
    expect(errors).toHaveLength(100)
    const strict = await federation.run('{ strict { stock } }')
    expect(strict.data).toEqual({ strict: null })
    expect(strict.errors).toHaveLength(100)
  })
})

describe('an answer that is not what was promised', () => {
  const answers: [string, () => Record<string, unknown>, unknown, string[]][] = [
    [
      'a text for a number',
      () => ({ stocks: 'many' }),
      null,
      ['stocks: The service answered a value that Int does not have.'],
    ],
    ['a number as text', () => ({ stocks: '7' }), 7, []],
    [
      'an object for a number',
      () => ({ stocks: {} }),
      null,
      ['stocks: The service answered a value that Int does not have.'],
    ],
    ['nothing', () => ({}), null, []],
  ]
  test.each(answers)('%s', async (_, data, stocks, errors) => {
    await using federation = await startFederation(services, {
      wrap: answering('stock', () => ({ data: data() })),
    })
    const outcome = await federation.run('{ stocks }')
    expect(outcome.data).toEqual({ stocks })
    expect(errorLines(outcome.errors)).toEqual(errors)
  })

  test('objects, lists and entities of the wrong kind are null, with an error that says so', async () => {
    await using federation = await startFederation(services, {
      wrap: answering('products', () => ({
        data: JSON.parse(
          '{ "products": "none", "product": ["x"], "nested": [{ "__typename": "Product" }], "strict": [{ "name": "n" }, 3] }',
        ),
      })),
    })
    const { data, errors } = await federation.run(
      '{ products { name } product { name } nested { name } strict { name soft } }',
    )
    expect(data).toEqual({ products: null, product: null, nested: [null], strict: null })
    expect(errors.length).toBeGreaterThan(0)
    expect(errors.every(({ extensions }) => extensions.code === 'UPSTREAM_BAD_RESPONSE')).toBe(true)
  })

  test('entities that come in another number, or are no objects, leave the rest as it is', async () => {
    for (const _entities of [[], null, 'x', [null, 3, { soft: 's' }], [{ soft: 's' }]]) {
      await using federation = await startFederation(services, {
        wrap: answering('stock', () => ({ data: structuredClone({ _entities }) })),
      })
      const { data } = await federation.run('{ products { name soft } }')
      expect(data.products.map(({ name }: { name: string }) => name)).toEqual(['one', 'two', 'one'])
    }
  })

  test('errors with odd paths reach the client without a false place', async () => {
    const odd = [
      { message: 'no such entity', path: ['_entities', 9, 'soft'] },
      { message: 'no index', path: ['_entities'] },
      { message: 'internal field', path: ['_entities', 0, 'soft', 'beneath', 3] },
      { message: 'other root', path: ['elsewhere', 0] },
    ]
    await using federation = await startFederation(services, {
      wrap: answering('stock', () => ({ data: { _entities: [{ soft: 'a' }, { soft: 'b' }] }, errors: odd })),
    })
    const { errors } = await federation.run('{ products { soft } }')
    expect(errorLines(errors)).toEqual([
      '-: no such entity',
      '-: other root',
      'products.0.soft: internal field',
      'products.0.soft: no index',
      'products.1.soft: no index',
      'products.2.soft: internal field',
      'products.2.soft: no index',
    ])
  })

  test('errors of entities without an index are reported at the entities that are null', async () => {
    const errors = [{ message: 'no index', path: ['_entities'] }]
    await using federation = await startFederation(services, {
      wrap: answering('stock', () => ({ data: { _entities: [null, { soft: 'b' }] }, errors })),
    })
    const outcome = await federation.run('{ products { soft } }')
    expect(outcome.data.products).toEqual([{ soft: null }, { soft: 'b' }, { soft: null }])
    expect(errorLines(outcome.errors)).toEqual(['products.0: no index', 'products.2: no index'])
  })

  test('errors of fields without an index are reported at the entities that lack the field', async () => {
    const errors = [{ message: 'no index', path: ['_entities', 'soft'] }]
    await using federation = await startFederation(services, {
      wrap: answering('stock', () => ({
        data: { _entities: [{ stock: 1 }, { stock: 2, soft: 'b' }] },
        errors,
      })),
    })
    const outcome = await federation.run('{ products { soft stock } }')
    expect(outcome.data.products[0]).toEqual({ soft: null, stock: 1 })
    expect(errorLines(outcome.errors)).toEqual(['products.0.soft: no index', 'products.2.soft: no index'])
  })

  test('keys of prototypes are keys like any other', async () => {
    await using federation = await startFederation(services, {
      wrap: answering('products', () => ({
        data: JSON.parse(
          '{ "__proto__": { "name": "p", "polluted": 1 }, "constructor": { "name": "c" }, "product": { "__proto__": { "x": 1 }, "name": "n" } }',
        ),
      })),
    })
    const { data } = await federation.run(
      '{ __proto__: product { name } constructor: product { name } product { name } toString: product { name } }',
    )
    expect(JSON.stringify(data)).toBe(
      '{"__proto__":{"name":"p"},"constructor":{"name":"c"},"product":{"name":"n"},"toString":null}',
    )
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

test('no fetch starts for a request that was cancelled', async () => {
  const { testGatewayRequest } = await import('../../support/federation.ts')
  const request = testGatewayRequest()
  await using federation = await startFederation({
    ...services,
    products: {
      ...services.products,
      resolvers: {
        Query: {
          product: () => {
            request.cancel()
            return products[1]
          },
        },
      },
    },
  })
  const { data, errors } = await federation.run('{ product { name soft } }', {}, { once: true, request })
  expect(federation.counts()).toEqual({ products: 1 })
  expect(data).toEqual({ product: { name: 'two', soft: null } })
  expect(errors.map(({ path, extensions }) => [path?.join('.'), extensions.code])).toEqual([
    ['product.soft', 'UPSTREAM_TIMEOUT'],
  ])
})
