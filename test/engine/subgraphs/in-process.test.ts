/** A subgraph in this process: the same results as graphql-js, each time that an operation is executed. */
import {
  buildSchema,
  execute,
  GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  parse,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import {
  createInProcessTransport,
  type SubgraphFetch,
  type SubgraphResult,
} from '../../../engine/subgraphs/index.ts'
import { reportPartial } from '../../../shared/graphql/partial-errors.ts'
import { ExactNumber } from '../../../shared/json/exact-number.ts'
import type { Subgraph } from '../../../shared/subgraph.ts'
import { awaitListItems } from '../../../subgraphs/kit/await-list-items.ts'
import { selectionOf } from '../../../subgraphs/kit/selection.ts'
import { executableSchema, settled, testGatewayRequest } from '../../support/federation.ts'
import { subgraphOperation } from '../../support/subgraph-operation.ts'

function subgraphOf(
  schema: GraphQLSchema,
  createContext: () => object = () => ({}),
): Subgraph & { contexts: number } {
  const subgraph = {
    name: 'test',
    typeDefs: parse('type Query { a: Int }'),
    schema: awaitListItems(schema),
    contexts: 0,
    createContext() {
      subgraph.contexts += 1
      return createContext()
    },
    close: () => Promise.resolve(),
  }
  return subgraph
}

const plain = ({ data, errors = [] }: SubgraphResult): unknown => ({
  data: JSON.parse(JSON.stringify(data ?? null)),
  // Fields fail in any order.
  errors: errors
    .map(({ message, path, extensions }) => ({ message, path, extensions: extensions ?? {} }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
})

/** Runs it several times, beside graphql-js itself; all have to agree. */
async function everyWay(
  schema: GraphQLSchema,
  query: string,
  variables: Record<string, unknown> = {},
  createContext?: () => object,
): Promise<unknown> {
  const document = parse(query)
  const expected = await execute({
    schema,
    document,
    variableValues: variables,
    contextValue: createContext?.() ?? {},
  })
  const subgraph = subgraphOf(schema, createContext)
  const transport = createInProcessTransport(subgraph)
  const send = transport.prepare(subgraphOperation(query))
  for (let turn = 0; turn < 5; turn++) {
    const result = await send(variables, testGatewayRequest())
    expect(plain(result), `turn ${turn}`).toEqual(plain(expected as SubgraphResult))
    await settled()
  }
  return plain(expected as SubgraphResult)
}

test.each([undefined, null, 7, {}, 'Missing', 'Int', 'I', 'Other'])(
  'a value of an abstract type whose type is resolved to %j is an error of its field',
  async (name) => {
    const schema = executableSchema(
      'interface I { a: Int } type A implements I { a: Int } type Other { a: Int } type Query { i: I b: Int o: Other }',
      { Query: { i: () => ({ a: 1 }), b: () => 2 }, I: { __resolveType: () => name } },
    )
    const send = createInProcessTransport(subgraphOf(schema)).prepare(subgraphOperation('{ i { a } b }'))
    const { data, errors } = await send({}, testGatewayRequest())
    expect(data).toEqual({ i: null, b: 2 })
    expect(errors?.map(({ path, message }) => [path, message])).toEqual([
      [
        ['i'],
        expect.stringMatching(/^The value of "Query.i" was resolved to the type .*: expected .* of "I"/),
      ],
    ])
  },
)

describe('every execution agrees with graphql-js', () => {
  test('on types whose names and fields run into each other', async () => {
    const schema = executableSchema(
      'type Query { a: A ab: AB } type A { bc: String } type AB { c: String }',
      { Query: { a: () => ({}), ab: () => ({}) }, A: { bc: () => 'A.bc' }, AB: { c: () => 'AB.c' } },
    )
    await everyWay(schema, '{ a { bc } ab { c } }')
    const upper = executableSchema('type Query { a: A ab: Ab } type A { bC: String } type Ab { C: String }', {
      Query: { a: () => ({}), ab: () => ({}) },
      A: { bC: () => 'A.bC' },
      Ab: { C: () => 'Ab.C' },
    })
    await everyWay(upper, '{ a { bC } ab { C } }')
  })

  test('on paths whose names run into each other', async () => {
    const name = (_: unknown, __: unknown, ___: unknown, { path, returnType }: GraphQLResolveInfo) =>
      `${String(path.key)} ${String(returnType)}`
    const schema = executableSchema(
      'type Query { a_b: B b: A } type B { a: String } type A { a_b: String! a: A }',
      { Query: { a_b: () => ({}), b: () => ({}) }, A: { a_b: name, a: () => ({}) }, B: { a: name } },
    )
    await everyWay(schema, '{ a_b { a } b { a_b a { a_b } } x_y: a_b { z: a } y: b { z_x: a_b } }')
  })

  test('on one key that may be null on one type and not on another', async () => {
    const schema = executableSchema(
      'union U = A | B type Query { us: [U] } type A { v: String! } type B { v: String }',
      { Query: { us: () => [{ t: 'A' }, { t: 'B' }] }, U: { __resolveType: ({ t }: { t: string }) => t } },
    )
    await everyWay(schema, '{ us { ... on A { v } ... on B { w: v } } }')
    await everyWay(schema, '{ us { ... on A { v } ... on B { v } } }')
  })

  test('on keys of prototypes', async () => {
    const schema = executableSchema('type Query { thing: Thing } type Thing { a: Int }', {
      Query: { thing: () => ({ a: 1 }) },
    })
    await everyWay(schema, '{ __proto__: thing { constructor: a toString: a } thing { __proto__: a } }')
  })

  test('on types that are found late, never, or by a fault', async () => {
    const withType = (resolveType: unknown) =>
      executableSchema('interface I { a: Int } type A implements I { a: Int } type Query { i: I is: [I!] }', {
        Query: { i: () => ({ a: 1 }), is: () => [{ a: 2 }] },
        I: { __resolveType: resolveType },
      })
    await everyWay(
      withType(async () => 'A'),
      '{ i { a } is { __typename } }',
    )
    await everyWay(
      withType(() => 'A'),
      '{ i { a __typename } is { a } }',
    )
    await everyWay(
      withType(() => {
        throw new Error('no type')
      }),
      '{ i { a } }',
    )
    let times = 0
    // The first executions are fine, and later ones meet a fault: it must answer, and recover.
    const late = withType(() => {
      times += 1
      if (times > 4) throw new Error('no type')
      return 'A'
    })
    const send = createInProcessTransport(subgraphOf(late)).prepare(subgraphOperation('{ i { a } }'))
    for (let turn = 0; turn < 8; turn++) {
      const { data, errors = [] } = await send({}, testGatewayRequest())
      expect((data?.i ?? null) === null).toBe(errors.length > 0)
      await settled()
    }
  })

  test.each([
    ['at once', (is: boolean) => is],
    ['late', async (is: boolean) => is],
  ])('on types that values are asked for %s', async (_, answer) => {
    const schema = executableSchema(
      'interface I { a: Int } type A implements I { a: Int } type B implements I { a: Int } type Query { i: I as: [A] }',
      { Query: { i: () => ({ b: 1, a: 1 }), as: () => [{ a: 1 }, { b: 1, a: 2 }] } },
    )
    Object.assign(schema.getType('A')!, { isTypeOf: (value: object) => answer(!('b' in value)) })
    Object.assign(schema.getType('B')!, { isTypeOf: (value: object) => answer('b' in value) })
    await everyWay(schema, '{ i { __typename a } as { a } }')
  })

  test('on arguments, defaults, enums with values of their own, and scalars', async () => {
    const schema = buildSchema(`
      scalar Upper enum E { A B } input In { n: Int = 2, e: E = B, list: [In!] }
      type Query { echo(n: Int = 1, e: E = A, input: In = { n: 5 }, u: Upper, ids: [ID!]): String e: E u: Upper }`)
    Object.assign(schema.getType('Upper')!, {
      serialize: (v: string) => v.toUpperCase(),
      parseValue: (v: string) => v.toLowerCase(),
      parseLiteral: ({ value }: { value: string }) => value.toLowerCase(),
    })
    const query = schema.getQueryType()!.getFields()
    const sorted = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, each]) => [key, sorted(each)])
        : Array.isArray(value)
          ? value.map(sorted)
          : value
    query.echo!.resolve = (_, args) => JSON.stringify(sorted(args))
    query.e!.resolve = () => 'B'
    query.u!.resolve = () => 'up'
    await everyWay(
      schema,
      '{ echo a: echo(n: null, e: B, input: { list: [{ e: A }, {}] }, u: "ABC", ids: ["1", 2]) e u }',
    )
    await everyWay(
      schema,
      'query($n: Int, $i: In, $u: Upper, $e: E = B, $ids: [ID!]!) { echo(n: $n, input: $i, u: $u, e: $e, ids: $ids) b: echo(input: { n: $n, e: $e }) }',
      { i: { list: [] }, u: 'XY', ids: ['a'] },
    )
  })

  test('on conditions, fragments in two places and repeated fields', async () => {
    const schema = executableSchema('type Query { a: T b: T } type T { x: Int y: Int t: T }', {
      Query: { a: () => ({ x: 1, y: 2, t: { x: 3 } }), b: () => ({ x: 4, y: 5 }) },
    })
    const query =
      'query($p: Boolean!, $q: Boolean!) { a { ...F @include(if: $p) t { x @skip(if: $q) } } b { ...F @skip(if: $p) x @include(if: $q) } a @include(if: $q) { y } } fragment F on T { x y @include(if: $q) t { x } }'
    for (const p of [true, false]) for (const q of [true, false]) await everyWay(schema, query, { p, q })
  })

  test('on mutations, one after the other', async () => {
    let state = 0
    const step = async (_: unknown, { n }: { n: number }) => {
      const before = state
      await new Promise((resolve) => setImmediate(resolve))
      state = before + n
      return state - before
    }
    const schema = executableSchema('type Query { a: Int } type Mutation { add(n: Int!): Int }', {
      Mutation: { add: step },
    })
    await everyWay(schema, 'mutation { a: add(n: 1) b: add(n: 2) c: add(n: 3) }')
    expect(state).toBe(36)
  })

  test('on mutations of one field, however it ends', async () => {
    const late = <T>(value: T) => new Promise<T>((resolve) => setImmediate(resolve, value))
    const deed = async (_: unknown, { how }: { how: string }) => {
      if (how === 'thrown') throw new GraphQLError('refused', { extensions: { code: 'CONFLICT' } })
      if (how === 'null') return null
      return { how: how === 'hollow' ? null : await late(how) }
    }
    const parts = () => [{ n: 1 }, { n: 2 }]
    const schema = executableSchema(
      `type Query { a: Int }
      type Mutation { deed(how: String!): Deed now: Int never: Int! }
      type Deed { how: String! after: [Part!]! } type Part { n: Int! }`,
      {
        Mutation: {
          deed,
          now: () => 1,
          never: () => {
            throw new Error('never')
          },
        },
        Deed: { after: (_: { how: string }) => late(parts()) },
        Part: { n: ({ n }: { n: number }) => late(n) },
      },
    )
    const query = 'mutation($how: String!) { __typename done: deed(how: $how) { how after { n } } }'
    for (const how of ['well', 'thrown', 'null', 'hollow']) await everyWay(schema, query, { how })
    await everyWay(schema, 'mutation { now }')
    await everyWay(schema, 'mutation { never }')
    await everyWay(schema, 'mutation { __typename }')
  })

  test('on mutations of one field, many at a time', async () => {
    const schema = executableSchema('type Query { a: Int } type Mutation { echo(n: Int!): Int }', {
      Mutation: {
        echo: async (_: unknown, { n }: { n: number }) => {
          await new Promise((resolve) => setTimeout(resolve, 5 - (n % 5)))
          return n
        },
      },
    })
    const transport = createInProcessTransport(subgraphOf(schema))
    const send = transport.prepare(subgraphOperation('mutation($n: Int!) { echo(n: $n) }'))
    const ask = async (n: number) => {
      const { data } = await send({ n }, testGatewayRequest())
      expect(data).toEqual({ echo: n })
    }
    await ask(0)
    await settled()
    await Promise.all(Array.from({ length: 20 }, (_, n) => ask(n)))
  })

  test('on what resolvers see of the operation', async () => {
    const seen = (_: unknown, __: unknown, ___: unknown, info: GraphQLResolveInfo) => {
      const selection = selectionOf(info)
      return {
        x: JSON.stringify([
          [...selection.names].sort(),
          info.fieldName,
          info.path.key,
          info.variableValues,
          Object.keys(info.fragments),
          info.fieldNodes.length,
          info.parentType.name,
          info.operation.operation,
        ]),
      }
    }
    const schema = executableSchema('type Query { seen: Seen } type Seen { x: String y: Int z: Int }', {
      Query: { seen },
    })
    await everyWay(
      schema,
      'query($v: Int) { s: seen { x ...F } s: seen { w: x } } fragment F on Seen { y }',
      { v: 3 },
    )
  })
})

describe('the context of a subgraph', () => {
  test('is made once a request', async () => {
    const schema = executableSchema('type Query { a: Int }', { Query: { a: () => 1 } })
    const subgraph = subgraphOf(schema)
    const transport = createInProcessTransport(subgraph)
    const operation = subgraphOperation('{ a }')
    const [send, other] = [transport.prepare(operation), transport.prepare(operation)]
    const request = testGatewayRequest()
    await Promise.all([send({}, request), send({}, request), other({}, request)])
    expect(subgraph.contexts).toBe(1)
    await send({}, testGatewayRequest())
    expect(subgraph.contexts).toBe(2)
  })

  test('that cannot be compiled is an error, not a crash', async () => {
    const schema = executableSchema('type Query { a: Int }', {})
    const transport = createInProcessTransport(
      subgraphOf(schema, () => {
        throw new Error('no context')
      }),
    )
    const send = transport.prepare(subgraphOperation('{ a }'))
    const { data, errors } = await send({}, testGatewayRequest())
    expect(data).toBeNull()
    expect(errors).toMatchObject([{ message: 'no context' }])
  })

  test('keeps the errors that come along with data apart, for fetches at the same time', async () => {
    const schema = executableSchema('type Query { a(n: Int): Int }', {
      Query: {
        a: async (
          _: unknown,
          { n }: { n: number },
          context: { partialErrors: GraphQLError[] },
          info: GraphQLResolveInfo,
        ) => {
          await null
          reportPartial(context, new GraphQLError(`partial ${n}`), info)
          await null
          return n
        },
      },
    })
    const subgraph = subgraphOf(schema, () => ({ partialErrors: [] }))
    const transport = createInProcessTransport(subgraph)
    const [one, two] = ['{ x: a(n: 1) }', '{ y: a(n: 2) }'].map((text) =>
      transport.prepare(subgraphOperation(text)),
    ) as [SubgraphFetch, SubgraphFetch]
    for (let turn = 0; turn < 3; turn++) {
      const request = testGatewayRequest()
      const results = await Promise.all([one({}, request), two({}, request)])
      expect(results.map(plain)).toEqual([
        { data: { x: 1 }, errors: [{ message: 'partial 1', path: ['x'], extensions: {} }] },
        { data: { y: 2 }, errors: [{ message: 'partial 2', path: ['y'], extensions: {} }] },
      ])
      await settled()
    }
  })
})

test('long numbers of defaults are doubles for resolvers, and data of another subgraph keep their digits', async () => {
  const seen: unknown[] = []
  const see = (_source: unknown, args: unknown) => {
    seen.push(args)
  }
  const schema = executableSchema(
    `scalar Big input In { n: Big } type Query { see(n: Big, in: In, data: Big): Int }
     type Subscription { seen(n: Big, in: In): Int }`,
    { Query: { see } },
  )
  const subscription = schema.getSubscriptionType()?.getFields().seen
  if (subscription !== undefined)
    subscription.subscribe = async function* (source, args) {
      see(source, args)
      yield {}
    }
  const exact = new ExactNumber('9007199254740993')
  const transport = createInProcessTransport(subgraphOf(schema))
  const variables = { n: [exact], in: { n: { deep: exact } }, data: exact }
  await transport.prepare(
    subgraphOperation(
      'query ($n: Big = [9007199254740993], $in: In!, $data: Big) { see(n: $n, in: $in, data: $data) }',
    ),
  )(variables, testGatewayRequest())
  const events = await transport
    .subscribe?.(
      subgraphOperation('subscription ($n: Big = [9007199254740993], $in: In) { seen(n: $n, in: $in) }'),
    )
    .open({ n: variables.n, in: variables.in }, testGatewayRequest())
  await events?.next()
  await events?.return?.()
  const doubles = { n: [9007199254740992], in: { n: { deep: 9007199254740992 } } }
  expect(seen).toEqual([{ ...doubles, data: exact }, doubles])
})
