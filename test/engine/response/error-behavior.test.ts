/**
 * `onError`, case by case, in process and over HTTP to subgraphs that do not get the
 * setting. Random cases are in `test/graph/federation/error-behavior.test.ts`.
 */
import { type DocumentNode, type FieldNode, GraphQLError, Kind, parse, visit } from 'graphql'
import { describe, expect, test } from 'vitest'
import type { ExecutionUpdates } from '../../../engine/executor/incremental/index.ts'
import type { ErrorBehavior } from '../../../shared/graphql/error-behavior.ts'
import {
  errorLines,
  type Federation,
  type Service,
  startFederation,
  testGatewayRequest,
} from '../../support/federation.ts'

const boom = (): never => {
  throw new GraphQLError('broken')
}

let changed: string[] = []
const change = (name: string) => () => {
  changed.push(name)
  return name === 'second' ? boom() : name
}

const services: Record<string, Service> = {
  shop: {
    sdl: `
      type Query { shop: Shop! other: String tags: [[String!]!]! }
      type Mutation { first: String second: String! third: String }
      type Shop { name: String! items: [Item!]! open: Boolean }
      type Item @key(fields: "id") { id: ID! label: String! width: Int! }`,
    resolvers: {
      Query: {
        shop: () => ({ open: true }),
        other: () => 'here',
        tags: () => [
          ['a', boomLater()],
          [null, 'b'],
        ],
      },
      Mutation: { first: change('first'), second: change('second'), third: change('third') },
      Shop: { name: boom, items: () => [{ id: '1' }, { id: '2' }] },
      Item: {
        __resolveReference: (key: object) => key,
        label: ({ id }: { id: string }) => (id === '1' ? boom() : `Item ${id}`),
        width: ({ id }: { id: string }) => (id === '1' ? boom() : 7),
      },
    },
  },
  costs: {
    sdl: `
      type Query { last: String }
      type Mutation { fourth: String }
      type Item @key(fields: "id") { id: ID! width: Int! @external cost: String! @requires(fields: "width") rate: String! }`,
    resolvers: {
      Query: { last: () => 'last' },
      Mutation: { fourth: change('fourth') },
      Item: {
        __resolveReference: (key: object) => key,
        cost: ({ width }: { width: unknown }) => `cost of ${width}`,
        rate: ({ id }: { id: string }) => (id === '2' ? boom() : 'rate'),
      },
    },
  },
}

const boomLater = (): Promise<never> => Promise.reject(new GraphQLError('broken'))

const ask = (federation: Federation, query: string, onError: ErrorBehavior) =>
  federation.run(query, {}, { request: testGatewayRequest({ onError }), once: query.startsWith('mutation') })

describe('in process', () => {
  test('NULL: a failed field is null at its place, and removes nothing else', async () => {
    await using federation = await startFederation(services)
    const query = '{ shop { name open items { id label rate } } other tags }'
    const { data, errors } = await ask(federation, query, 'NULL')
    expect(data).toEqual({
      shop: {
        name: null,
        open: true,
        items: [
          { id: '1', label: null, rate: 'rate' },
          { id: '2', label: 'Item 2', rate: null },
        ],
      },
      other: 'here',
      tags: [
        ['a', null],
        [null, 'b'],
      ],
    })
    expect(errorLines(errors)).toEqual([
      'shop.items.0.label: broken',
      'shop.items.1.rate: broken',
      'shop.name: broken',
      'tags.0.1: broken',
      expect.stringMatching(/^tags\.1\.0: Cannot return null/),
    ])
    expect((await ask(federation, query, 'PROPAGATE')).data).toBeNull()
  })

  test('NULL: a failed requirement is not sent as null, and the field that requires it has the error', async () => {
    await using federation = await startFederation(services)
    const { data, errors } = await ask(federation, '{ shop { items { cost } } }', 'NULL')
    expect(data).toEqual({ shop: { items: [{ cost: null }, { cost: 'cost of 7' }] } })
    expect(errorLines(errors)).toEqual(expect.arrayContaining(['shop.items.0.cost: broken']))
    const sent = federation.fetched.filter(({ service }) => service === 'costs')
    expect(JSON.stringify(sent)).not.toContain('"width":null')
    // What failed by itself is not asked for a second time.
    expect(federation.fetched.filter(({ service }) => service === 'shop')).toHaveLength(sent.length)
  })

  test('HALT: one error and no data, and nothing is changed after it', async () => {
    await using federation = await startFederation(services)
    const { data, errors } = await ask(federation, '{ other shop { open name items { label } } }', 'HALT')
    expect(data).toBeNull()
    expect(errors).toHaveLength(1)
    changed = []
    const ended = await ask(federation, 'mutation { first second third fourth }', 'HALT')
    expect([ended.data, errorLines(ended.errors)]).toEqual([null, ['second: broken']])
    expect(changed).toEqual(['first', 'second'])
    expect((await ask(federation, '{ other last }', 'HALT')).data).toEqual({ other: 'here', last: 'last' })
  })
})

test('NULL over HTTP to subgraphs without `onError`: lost fields are null with their own errors', async () => {
  await using federation = await startFederation(services, { way: 'over HTTP' })
  const { data, errors } = await ask(federation, '{ shop { open } last }', 'NULL')
  expect([data, errors]).toEqual([{ shop: { open: true }, last: 'last' }, []])
  const lost = await ask(federation, '{ shop { name open } last }', 'NULL')
  expect(lost.data).toEqual({ shop: null, last: 'last' })
  expect(errorLines(lost.errors)).toEqual(['shop.name: broken', 'shop: broken'])
})

test('NULL over HTTP to subgraphs with `onError`', async () => {
  const bodies: string[] = []
  const headers = (_: unknown, body: string) => {
    bodies.push(body)
    return {}
  }
  await using federation = await startFederation(services, {
    way: 'over HTTP',
    http: { takesOnError: true, headers },
  })
  await ask(federation, '{ last }', 'NULL')
  await ask(federation, '{ last }', 'PROPAGATE')
  expect(bodies.map((body) => JSON.parse(body).onError)).toContain('NULL')
  expect(bodies.some((body) => JSON.parse(body).onError === undefined)).toBe(true)
})

/** The first field of this name is refused. */
function refusing(name: string) {
  return (document: DocumentNode) => {
    let field: FieldNode | undefined
    visit(document, {
      Field(node) {
        if (node.name.value === name) field ??= node
      },
    })
    const allowed = visit(document, {
      Field: (node) =>
        node === field ? { ...node, name: { kind: Kind.NAME, value: '__typename' } } : undefined,
    })
    const refusedNodes = [{ field: field as FieldNode, parentType: '*', message: 'refused', extensions: {} }]
    return { allowed, refusedNodes }
  }
}

test('a refused field that must not be null leaves its parent, and ends what halts before anything is asked for', async () => {
  await using federation = await startFederation(services)
  const refuse = refusing('label')
  const run = (query: string, onError: ErrorBehavior, how = refuse) =>
    federation.run(query, {}, { request: testGatewayRequest({ onError }), refuse: how, once: true })
  const query = '{ shop { open items { id label } } }'
  const { data, errors } = await run(query, 'NULL')
  expect(data).toEqual({
    shop: {
      open: true,
      items: [
        { id: '1', label: null },
        { id: '2', label: null },
      ],
    },
  })
  expect(errorLines(errors)).toEqual(['shop.items.0.label: refused', 'shop.items.1.label: refused'])
  expect((await run(query, 'PROPAGATE')).data).toBeNull()
  changed = []
  const halted = await run('mutation { first third }', 'HALT', refusing('third'))
  expect([halted.data, errorLines(halted.errors), changed]).toEqual([null, ['third: refused'], []])
})

test('parts that come later keep their nulls, and what halts comes whole', async () => {
  await using federation = await startFederation(services)
  const query = '{ other ... @defer(label: "late") { shop { open name items { id label rate } } } }'
  const { executeIncrementally } = federation.engine.compile({ document: parse(query) })
  if (executeIncrementally === undefined) return expect.unreachable()
  const first = await executeIncrementally({}, testGatewayRequest({ onError: 'NULL' }))
  expect(first.data).toEqual({ other: 'here' })
  const later = []
  for (let update = await next(first.updates); update !== undefined; update = await next(first.updates))
    later.push(...update.incremental)
  expect(JSON.parse(JSON.stringify(later.map((result) => 'data' in result && result.data)))).toEqual([
    {
      shop: {
        open: true,
        name: null,
        items: [
          { id: '1', label: null, rate: 'rate' },
          { id: '2', label: 'Item 2', rate: null },
        ],
      },
    },
  ])
  expect(errorLines(later.flatMap(({ errors }) => errors))).toEqual([
    'shop.items.0.label: broken',
    'shop.items.1.rate: broken',
    'shop.name: broken',
  ])
  const halted = await executeIncrementally({}, testGatewayRequest({ onError: 'HALT' }))
  expect([halted.data, halted.errors?.length, halted.updates]).toEqual([null, 1, undefined])
})

const next = (updates: ExecutionUpdates | undefined) => updates?.next()
