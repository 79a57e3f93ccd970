/**
 * A field that must not be null fails, and its subgraph gives null for the whole object: what another field `@requires`
 * of that object is asked for once more, or counts as missing. The null itself is never sent as the required value.
 */
import { GraphQLError } from 'graphql'
import { describe, expect, test } from 'vitest'
import { errorLines, type Service, startFederation, ways } from '../../support/federation.ts'

const boom = (): never => {
  throw new GraphQLError('broken')
}

const items = [{ id: '1' }, { id: '2' }]
const boxOf = {
  Item: { __resolveReference: (key: object) => key, box: ({ id }: { id: string }) => ({ id }) },
}
const box = { width: ({ id }: { id: string }) => Number(id) * 10, label: () => boom() }

/** Says in its answer what it was sent. */
const costs = (required: string, types: string): Service => ({
  sdl: `
    type Item @key(fields: "id") { id: ID! box: Box @external cost: String @requires(fields: "${required}") }
    ${types}`,
  resolvers: {
    Item: {
      __resolveReference: (key: object) => key,
      cost: (item: { box: unknown }) => JSON.stringify(item.box),
    },
  },
})

const valueTypes: Record<string, Service> = {
  shop: {
    sdl: `
      type Query { items: [Item!]! }
      type Mutation { touch: [Item!]! }
      type Item @key(fields: "id") { id: ID! box: Box }
      type Box { width: Int label: String! }`,
    resolvers: {
      Query: { items: () => items },
      Mutation: { touch: () => items },
      Item: boxOf.Item,
      Box: box,
    },
  },
  costs: costs('box { width }', 'type Box { width: Int @external }'),
}

const entities: Record<string, Service> = {
  shop: {
    sdl: `
      type Query { items: [Item!]! }
      type Item @key(fields: "id") { id: ID! box: Box }
      type Box @key(fields: "id") { id: ID! }`,
    resolvers: { Query: { items: () => items }, Item: boxOf.Item },
  },
  boxes: {
    sdl: 'type Box @key(fields: "id") { id: ID! width: Int label: String! }',
    resolvers: { Box: { __resolveReference: (key: object) => key, ...box } },
  },
  costs: costs(
    'box { width }',
    'type Box @key(fields: "id", resolvable: false) { id: ID! width: Int @external }',
  ),
}

const withoutTypes = (text: string): unknown => {
  const { __typename: _, id: __, ...rest } = JSON.parse(text)
  return rest
}

describe.each(ways)('what is required, %s', (way) => {
  test.each([
    ['of an object that came with the list', valueTypes, 'shop', '{ items { __typename id box { width } } }'],
    ['of an entity', entities, 'boxes', 'width'],
  ])('%s comes by one more fetch that leaves out what failed', async (_, services, asked, again) => {
    await using federation = await startFederation(services, { way })
    const run = () => federation.run('{ items { cost box { label } } }', {}, { once: true })
    const { data, errors } = await run()
    expect(data.items.map((item: { box: unknown }) => item.box)).toEqual([null, null])
    expect(data.items.map((item: { cost: string }) => withoutTypes(item.cost))).toEqual([
      { width: 10 },
      { width: 20 },
    ])
    expect(errorLines(errors).map((each) => each.split(':')[0])).toEqual([
      'items.0.box.label',
      'items.1.box.label',
    ])
    const texts = federation.fetched.filter(({ service }) => service === asked).map(({ text }) => text)
    expect(texts).toHaveLength(2)
    expect(texts[0]).toContain('label')
    expect(texts[1]).not.toContain('label')
    expect(texts[1]?.replace(/\s+/g, ' ')).toContain(again)
  })
})

test('nothing is requested again if nothing required is lost', async () => {
  await using federation = await startFederation(entities)
  await federation.run('{ items { cost box { width } } }', {}, { once: true })
  expect(federation.counts()).toEqual({ shop: 1, boxes: 1, costs: 1 })
  federation.reset()
  const { data } = await federation.run('{ items { box { label width } } }', {}, { once: true })
  expect(data).toEqual({ items: [{ box: null }, { box: null }] })
  expect(federation.counts()).toEqual({ shop: 1, boxes: 1 })
})

describe('a required field that does not come again', () => {
  const costsOf = ({ data }: { data: { items: { cost: string | null }[] } }) =>
    data.items.map(({ cost }) => cost && withoutTypes(cost))
  const query = '{ items { cost box { label } } }'

  test('is missing, and never sent as null', async () => {
    const shop = {
      ...valueTypes.shop!,
      sdl: valueTypes.shop!.sdl.replace('width: Int ', 'width: Int! '),
      resolvers: { ...valueTypes.shop!.resolvers, Box: { ...box, width: () => boom() } },
    }
    const costsShop = {
      ...valueTypes.costs!,
      sdl: valueTypes.costs!.sdl.replace('width: Int ', 'width: Int! '),
    }
    await using federation = await startFederation({ shop, costs: costsShop })
    const outcome = await federation.run(query, {}, { once: true })
    expect(costsOf(outcome)).toEqual([null, null])
    expect(federation.counts()).toEqual({ shop: 2 })
  })

  test('is not taken from other objects, if the second list has another order', async () => {
    let times = 0
    const shop = {
      ...valueTypes.shop!,
      resolvers: {
        ...valueTypes.shop!.resolvers,
        Query: { items: () => (times++ === 0 ? items : [...items].reverse()) },
      },
    }
    await using federation = await startFederation({ ...valueTypes, shop })
    expect(costsOf(await federation.run(query, {}, { once: true }))).toEqual([null, null])
    expect(times).toBe(2)
    expect(federation.counts()).toEqual({ shop: 2 })
  })

  test('is missing after a mutation, which is not sent twice', async () => {
    await using federation = await startFederation(valueTypes)
    const { data } = await federation.run('mutation { touch { cost box { label } } }', {}, { once: true })
    expect(data).toEqual({
      touch: [
        { cost: null, box: null },
        { cost: null, box: null },
      ],
    })
    expect(federation.counts()).toEqual({ shop: 1 })
  })
})
