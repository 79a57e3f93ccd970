/** The world and its subgraphs: one source of data, of which each subgraph answers what it knows and no more. */
import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import {
  createWorld,
  createWorldSubgraph,
  faultsOf,
  openGraph,
  randomGraph,
  randomOperationOf,
  rightAnswer,
} from './index.ts'
import { askOracle } from './oracle.ts'
import { fieldSet } from './services.ts'

const link = (...imports: string[]): string =>
  `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [${imports.map((each) => `"@${each}"`).join()}])\n`

const services = {
  shop: `${link('key', 'external', 'provides', 'shareable', 'override')}
    type Query { product: Product! seller: Seller! @provides(fields: "name") other: Seller! }
    type Product @key(fields: "id") @key(fields: "sku region") { id: ID! sku: Int! region: String! weight: Int! old: Int! price(in: String = "EUR"): String! }
    type Seller @key(fields: "id") { id: ID! name: String! @external }`,
  stock: `${link('key', 'external', 'requires', 'override')}
    type Product @key(fields: "sku region") @key(fields: "id", resolvable: false) {
      id: ID! sku: Int! region: String! weight: Int! @external
      shipping(fast: Boolean): String! @requires(fields: "weight") old: Int! @override(from: "shop")
    }`,
  people: `${link('key', 'shareable')}
    type Seller @key(fields: "id") { id: ID! name: String! @shareable }`,
}
const world = createWorld(services, 7)
const subgraphs = Object.fromEntries(
  Object.keys(services).map((name) => [name, createWorldSubgraph(world, name)]),
)

async function ask(subgraph: string, query: string, variables: Record<string, unknown> = {}) {
  const { data, errors = [] } = await subgraphs[subgraph]!.execute(parse(query), variables)
  return { data: JSON.parse(JSON.stringify(data ?? null)), errors: errors.map(({ message }) => message) }
}

const lookUp = (representation: object, selection: string): [string, Record<string, unknown>] => [
  `query($r: [_Any!]!) { _entities(representations: $r) { ${selection} } }`,
  { r: [representation] },
]

describe('the world', () => {
  const product = { type: 'Product', id: '2' }

  test('is the same for the same seed, and another one for another', () => {
    const again = createWorld(services, 7)
    const other = createWorld(services, 8)
    expect(again.resolve(product, 'weight', {})).toEqual(world.resolve(product, 'weight', {}))
    expect(other.resolve(product, 'weight', {})).not.toEqual(world.resolve(product, 'weight', {}))
  })

  test('gives a field another value for other arguments and the same for its default', () => {
    const price = (args: Record<string, unknown>) => world.resolve(product, 'price', args)
    expect(price({})).toEqual(price({ in: 'EUR' }))
    expect(price({ in: 'USD' })).not.toEqual(price({ in: 'EUR' }))
  })

  test('finds every entity by each of its keys, and by no other value', () => {
    for (const key of ['id', 'sku region']) {
      for (const id of ['0', '1', '2', '3']) {
        const representation = world.gather({ type: 'Product', id }, fieldSet(key))
        expect(world.find('Product', fieldSet(key), representation)).toEqual({ type: 'Product', id })
      }
    }
    expect(world.find('Product', fieldSet('id'), { id: 'x' })).toBeUndefined()
    expect(world.find('Product', fieldSet('sku region'), { sku: 1 })).toBeUndefined()
  })

  test('holds what the types promise: over many graphs the oracle meets no error', async () => {
    let executed = 0
    for (let seed = 1; seed <= 12; seed++) {
      const graph = randomGraph(seed)
      for (let i = 0; i < 10; i++) {
        const operation = randomOperationOf(graph, seed * 100 + i)
        if (operation === undefined) continue
        const { data, errors } = await rightAnswer(graph, parse(operation.query), operation.variables)
        expect(errors, operation.query).toEqual([])
        expect(data, operation.query).not.toBeNull()
        executed += 1
      }
    }
    expect(executed).toBeGreaterThan(80)
  })
})

describe('a subgraph', () => {
  test('answers what it knows with the values of the world', async () => {
    const { data, errors } = await ask('shop', '{ product { __typename id weight price } }')
    expect(errors).toEqual([])
    const id = data.product.id.at(-1)
    expect(data.product).toEqual({
      __typename: 'Product',
      id: `id-Product-${id}`,
      weight: world.resolve({ type: 'Product', id }, 'weight', {}),
      price: world.resolve({ type: 'Product', id }, 'price', {}),
    })
  })

  test('does not answer an external field, except if the path provides it', async () => {
    expect((await ask('shop', '{ seller { name } }')).errors).toEqual([])
    expect((await ask('shop', '{ other { name } }')).errors).toEqual(['shop does not know Seller.name here'])
  })

  test('does not answer a field that was taken over', async () => {
    expect((await ask('shop', '{ product { old } }')).errors).toEqual([
      'Product.old of shop was taken over by stock',
    ])
  })

  test('finds entities by whole keys that are resolvable', async () => {
    const { id, ...key } = world.gather({ type: 'Product', id: '1' }, fieldSet('id sku region'))
    expect(
      (await ask('stock', ...lookUp({ __typename: 'Product', ...key }, '... on Product { old }'))).errors,
    ).toEqual([])
    const notResolvable = await ask(
      'stock',
      ...lookUp({ __typename: 'Product', id }, '... on Product { old }'),
    )
    expect(notResolvable.errors).toEqual([expect.stringMatching(/^stock finds no Product by/)])
    const half = await ask(
      'stock',
      ...lookUp({ __typename: 'Product', sku: key.sku }, '... on Product { old }'),
    )
    expect(half.errors).toEqual([expect.stringMatching(/^stock finds no Product by/)])
  })

  test('checks what it requires against the world', async () => {
    const whole = world.gather({ type: 'Product', id: '3' }, fieldSet('sku region weight'))
    const run = (weight: unknown) =>
      ask(
        'stock',
        ...lookUp({ __typename: 'Product', ...whole, weight }, '... on Product { shipping(fast: true) }'),
      )
    const right = await run(whole.weight)
    expect(right.errors).toEqual([])
    expect(right.data._entities).toEqual([
      { shipping: world.resolve({ type: 'Product', id: '3' }, 'shipping', { fast: true }) },
    ])
    for (const weight of [-1, null, undefined])
      expect((await run(weight)).errors).toEqual([
        expect.stringMatching(/shipping requires \{"weight":\d+\}, got/),
      ])
  })

  test('says which operations it cannot take', () => {
    expect(faultsOf(subgraphs.people!, parse('{ product { id } }')).map(({ message }) => message)).toEqual([
      'people got an operation that is not valid: Cannot query field "product" on type "Query".',
    ])
  })
})

describe('the oracle', () => {
  const answer = async (sdls: Record<string, string>, query: string) => {
    const graph = openGraph(sdls, 3)!
    const result = await askOracle(graph.world, graph.supergraph.apiSchema, parse(query), {})
    expect(result.errors).toBeUndefined()
    return { graph, data: JSON.parse(JSON.stringify(result.data)) }
  }

  test('joins what two subgraphs know of one object, and computes what is required', async () => {
    const { graph, data } = await answer(services, '{ product { id weight shipping old } }')
    const id = data.product.id.at(-1)
    const value = (field: string) => graph.world.resolve({ type: 'Product', id }, field, {})
    expect(data.product).toEqual({
      id: `id-Product-${id}`,
      weight: value('weight'),
      shipping: value('shipping'),
      old: value('old'),
    })
  })

  test('gives fields of an interface object to every implementation', async () => {
    const { graph, data } = await answer(
      {
        media: `${link('key')}
          type Query { media: [[Media!]!]! }
          interface Media @key(fields: "id") { id: ID! }
          type Film implements Media @key(fields: "id") { id: ID! }
          type Song implements Media @key(fields: "id") { id: ID! bpm: Int! }`,
        ratings: `${link('key', 'interfaceObject')}
          type Query { best: Media! }
          type Media @key(fields: "id") @interfaceObject { id: ID! rating: Int! }`,
      },
      '{ best { __typename id rating ... on Song { bpm } } }',
    )
    const [, type, id] = data.best.id.split('-')
    expect(data.best).toMatchObject({
      __typename: type,
      rating: graph.world.resolve({ type, id }, 'rating', {}),
    })
  })

  test('takes the argument of a context from the nearest object that sets it', async () => {
    const { graph, data } = await answer(
      {
        shop: `${link('key', 'context', 'fromContext')}
          type Query { shop: Shop! }
          type Shop @key(fields: "id") @context(name: "shop") { id: ID! currency: String! item: Item! }
          type Item @key(fields: "id") { id: ID! price(in: String @fromContext(field: "$shop { currency }")): String! }`,
        other: `${link('key')} type Query { x: Int } type Shop @key(fields: "id") { id: ID! more: Int }`,
      },
      '{ shop { currency item { id price } } }',
    )
    const { currency, item } = data.shop
    const priced = { type: 'Item', id: item.id.at(-1) }
    expect(item.price).toBe(graph.world.resolve(priced, 'price', { in: currency }))
    expect(item.price).not.toBe(graph.world.resolve(priced, 'price', {}))
  })

  test('shows the tags of an executable directive in strings', async () => {
    const marked = Object.fromEntries(
      Object.entries(services).map(([name, sdl]) => [name, `${sdl}\ndirective @mark(tag: String) on FIELD`]),
    )
    const { data } = await answer(marked, '{ product { price a: price @mark(tag: "x") } }')
    expect(data.product.a).toBe(`${data.product.price}@x`)
  })
})
