/** Operations as a whole: mutations, conditions, introspection, variables, `node`, and who waits for what. */
import {
  buildClientSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  printSchema,
  validateSchema,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import type { Transport } from '../../../engine/subgraphs/index.ts'
import { errorLines, startFederation, ways } from '../../support/federation.ts'
import { worldOf } from '../../support/world-of.ts'
import '../../support/matchers.ts'

const self = (key: object) => key

describe.each(ways)('mutations %s', (way) => {
  const start = async () => {
    const log: string[] = []
    const step =
      (name: string) =>
      async (_: unknown, { n }: { n: number }) => {
        log.push(`${name}${n} starts`)
        await new Promise((resolve) => setImmediate(resolve))
        if (n < 0) throw new Error(`${name} refuses`)
        log.push(`${name}${n} ends`)
        return { id: String(n) }
      }
    const federation = await startFederation(
      {
        a: {
          sdl: 'type Query { a: Int } type Mutation { a(n: Int!): Thing } type Thing @key(fields: "id") { id: ID! fromA: String }',
          resolvers: {
            Mutation: { a: step('a') },
            Thing: {
              __resolveReference: ({ id }: { id: string }) => ({ id, fromA: `a of ${id}` }),
              fromA: ({ id }: { id: string }) => `a of ${id}`,
            },
          },
        },
        b: {
          sdl: 'type Query { b: Int } type Mutation { b(n: Int!): Thing c(n: Int!): Thing } type Thing @key(fields: "id") { id: ID! fromB: String }',
          resolvers: {
            Mutation: { b: step('b'), c: step('c') },
            Thing: { __resolveReference: self, fromB: ({ id }: { id: string }) => `b of ${id}` },
          },
        },
      },
      { way },
    )
    return { federation, log }
  }

  test('run one after the other, over all subgraphs', async () => {
    const { federation, log } = await start()
    await using _ = federation
    const { data, errors } = await federation.run(
      'mutation { one: a(n: 1) { fromB } two: b(n: 2) { fromA fromB } three: c(n: 3) { id } four: a(n: 4) { id } }',
      {},
      { once: true },
    )
    expect(errorLines(errors)).toEqual([])
    expect(data).toEqual({
      one: { fromB: 'b of 1' },
      two: { fromA: 'a of 2', fromB: 'b of 2' },
      three: { id: '3' },
      four: { id: '4' },
    })
    expect(log).toEqual(['a1', 'b2', 'c3', 'a4'].flatMap((name) => [`${name} starts`, `${name} ends`]))
  })

  test('continue after one that failed', async () => {
    const { federation, log } = await start()
    await using _ = federation
    const { data, errors } = await federation.run(
      'mutation { one: a(n: -1) { fromB } two: b(n: 2) { fromA } }',
      {},
      { once: true },
    )
    expect(data).toEqual({ one: null, two: { fromA: 'a of 2' } })
    expect(errorLines(errors)).toEqual(['one: a refuses'])
    expect(log).toEqual(['a-1 starts', 'b2 starts', 'b2 ends'])
  })
})

describe('conditions', () => {
  const { services, oracle } = worldOf(
    {
      a: 'type Query { thing: Thing! other: Int } type Thing @key(fields: "id") { id: ID! a: Int }',
      b: 'type Thing @key(fields: "id") { id: ID! b: Int deep: Thing! } type Query { alone: Int }',
    },
    1,
  )
  const query = `query($x: Boolean!, $y: Boolean! = true) {
    thing @include(if: $x) { ...A @skip(if: $y) id @include(if: true) }
    thing @skip(if: $y) { a b @include(if: $x) }
    alone @include(if: $x) @skip(if: $y)
    other @skip(if: true)
  } fragment A on Thing { b deep { b @include(if: $x) ... @skip(if: $x) { id } } }`

  test.each([
    [{ x: true, y: true }, { a: 1 }],
    [
      { x: true, y: false },
      { a: 1, b: 2 },
    ],
    [{ x: false, y: true }, {}],
    [{ x: false, y: false }, { a: 1 }],
    [{ x: true }, { a: 1 }],
  ])('%j fetch only what they leave', async (variables, counts) => {
    for (const way of ways) {
      await using federation = await startFederation(services, { way, oracle })
      const [actual, expected] = [
        await federation.run(query, variables),
        await federation.expected(query, variables),
      ]
      expect(actual).toEqual(expected)
      expect(federation.counts()).toEqual(counts)
    }
  })
})

describe('introspection', () => {
  const services = {
    a: {
      sdl: '"A thing." type Thing @key(fields: "id") { id: ID! hidden: Int @inaccessible "Its a." a(n: Int = 3): Int @deprecated(reason: "old") } type Query { thing: Thing self: Query }',
      resolvers: { Query: { thing: () => ({ id: '1', a: 1 }), self: () => ({}) } },
    },
  }

  test('answers with the public schema, without a fetch', async () => {
    await using federation = await startFederation(services)
    const { data, errors } = await federation.run(getIntrospectionQuery())
    expect(errors).toEqual([])
    const schema = buildClientSchema(data as IntrospectionQuery)
    expect(validateSchema(schema)).toEqual([])
    expect(schema.getType('Thing')?.description).toBe('A thing.')
    expect(printSchema(schema)).not.toMatch(/hidden|join__|_entities|_service/)
    expect(federation.counts()).toEqual({})
  })

  test('stands beside other fields, under aliases, in fragments and below the root', async () => {
    await using federation = await startFederation(services)
    const query = `query($name: String!, $x: Boolean!) {
      __typename q: __typename ...F thing { id }
      s: __schema { queryType { name } } s: __schema { mutationType { name } }
      ... on Query @include(if: $x) { t: __type(name: $name) { fields(includeDeprecated: true) { name args { defaultValue } } } }
      none: __type(name: "None") { name } self { __typename __type(name: "Thing") { name } }
    } fragment F on Query { f: __typename k: __type(name: "Thing") { kind } }`
    const introspected = {
      q: 'Query',
      f: 'Query',
      k: { kind: 'OBJECT' },
      thing: { id: '1' },
      s: { queryType: { name: 'Query' }, mutationType: null },
      none: null,
      self: { __typename: 'Query', __type: { name: 'Thing' } },
    }
    const fields = [
      { name: 'id', args: [] },
      { name: 'a', args: [{ defaultValue: '3' }] },
    ]
    expect((await federation.run(query, { name: 'Thing', x: true })).data).toEqual({
      __typename: 'Query',
      ...introspected,
      t: { fields },
    })
    expect((await federation.run(query, { name: 'None', x: false })).data).toEqual({
      __typename: 'Query',
      ...introspected,
    })
  })

  test('of one type stands beside fetched fields, also if there is none', async () => {
    await using federation = await startFederation(services)
    const query = '{ __type(name: "Thing") { name } none: __type(name: "None") { name } thing { id } }'
    expect((await federation.run(query)).data).toEqual({
      __type: { name: 'Thing' },
      none: null,
      thing: { id: '1' },
    })
  })

  test('the root type alone is fetched nowhere', async () => {
    await using federation = await startFederation(services)
    expect((await federation.run('{ ...F } fragment F on Query { __typename a: __typename }')).data).toEqual({
      __typename: 'Query',
      a: 'Query',
    })
    expect(federation.counts()).toEqual({})
    expect(await federation.plan('{ __typename }')).toHavePlan('nothing to fetch')
  })
})

describe('variables', () => {
  const services = {
    a: {
      sdl: 'type Query { echo(id: ID, n: Int, f: Float, s: String, b: Boolean, ids: [ID!], many: [[Int]], input: In): String constructor(toString: Int): Int } input In { n: Int! }',
      resolvers: {
        Query: {
          echo: (_: unknown, args: object) =>
            JSON.stringify(Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1))),
          constructor: (_: unknown, args: { toString?: unknown }) =>
            typeof args.toString === 'number' ? args.toString : null,
        },
      },
    },
  }
  const all =
    'query($id: ID, $n: Int, $f: Float, $s: String, $b: Boolean, $ids: [ID!], $many: [[Int]], $input: In) { echo(id: $id, n: $n, f: $f, s: $s, b: $b, ids: $ids, many: $many, input: $input) }'

  test.each([
    [{}],
    [{ id: '1', n: 2, f: 1.5, s: '', b: false, ids: [], many: [[1, null], null], input: { n: 1 } }],
    [{ id: 7, n: 2.0, f: 3, ids: 'one', many: 4 }],
    [{ id: null, n: null, ids: null, input: null, unknown: 3 }],
    [{ ids: ['a', 1], n: -2147483648 }],
  ])('%j are what graphql makes of them', async (variables) => {
    for (const way of ways) {
      await using federation = await startFederation(services, { way, oracle: services.a.resolvers })
      expect(await federation.run(all, variables)).toEqual(await federation.expected(all, variables))
    }
  })

  test.each([
    [{ n: 2147483648 }, /"\$n" got invalid value 2147483648/],
    [{ n: '2' }, /"\$n"/],
    [{ s: 1 }, /"\$s"/],
    [{ b: 'true' }, /"\$b"/],
    [{ f: Number.NaN }, /"\$f"/],
    [{ id: {} }, /"\$id"/],
    [{ ids: [null] }, /"\$ids"/],
    [{ input: { n: null } }, /"\$input"/],
    [{ input: { m: 1 } }, /"\$input"/],
  ])('%j are refused before anything is fetched', async (variables, message) => {
    await using federation = await startFederation(services)
    const { data, errors } = await federation.run(all, variables, { once: true })
    expect(data).toBeUndefined()
    expect(errors[0]?.message).toMatch(message)
    expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT')
    expect(federation.counts()).toEqual({})
  })

  test('a required one that is missing is refused', async () => {
    await using federation = await startFederation(services)
    const { errors } = await federation.run('query($n: Int!) { echo(n: $n) }', {}, { once: true })
    expect(errors[0]?.message).toMatch(/"\$n" of required type "Int!" was not provided/)
  })

  test('names of prototypes are names like any other', async () => {
    for (const way of ways) {
      await using federation = await startFederation(services, { way })
      const query =
        'query($constructor: Int, $__proto__: Int, $hasOwnProperty: Int) { constructor(toString: $constructor) a: constructor(toString: $__proto__) toString: constructor(toString: $hasOwnProperty) }'
      expect((await federation.run(query, { hasOwnProperty: 3 })).data).toEqual({
        constructor: null,
        a: null,
        toString: 3,
      })
    }
  })
})

describe('node and nodes', () => {
  const videos: Record<string, { id: string; title: string }> = { v1: { id: 'v1', title: 'one' } }
  const services = {
    nodes: {
      sdl: `
        interface Node { id: ID! }
        type Query { node(id: ID!): Node nodes(ids: [ID!]!): [Node]! }
        type Video implements Node @key(fields: "id", resolvable: false) { id: ID! }`,
      resolvers: {
        Query: {
          node: (_: unknown, { id }: { id: string }) =>
            id.startsWith('v') ? { __typename: 'Video', id } : null,
          nodes: (_: unknown, { ids }: { ids: string[] }) =>
            ids.map((id) => (id.startsWith('v') ? { __typename: 'Video', id } : null)),
        },
      },
    },
    videos: {
      sdl: 'type Video @key(fields: "id") { id: ID! title: String }',
      resolvers: {
        Video: {
          __resolveReference: ({ id }: { id: string }) => {
            if (id === 'v500') throw new Error('upstream failed')
            return videos[id] ?? null
          },
        },
      },
    },
    likes: {
      sdl: 'type Video @key(fields: "id") { id: ID! likes: Int }',
      resolvers: {
        Video: { __resolveReference: ({ id }: { id: string }) => (id === 'v2' ? { id, likes: 2 } : null) },
      },
    },
  }
  const title = '... on Video { title }'

  test('what no subgraph knows is null', async () => {
    for (const way of ways) {
      await using federation = await startFederation(services, { way })
      const { data, errors } = await federation.run(
        `{ a: node(id: "v1") { id ${title} } b: node(id: "v404") { id ${title} } c: node(id: "x") { id } nodes(ids: ["v404", "v1", "x", "v404"]) { __typename ${title} } }`,
      )
      expect(data).toEqual({
        a: { id: 'v1', title: 'one' },
        b: null,
        c: null,
        nodes: [null, { __typename: 'Video', title: 'one' }, null, null],
      })
      expect(errors).toEqual([])
    }
  })

  test('what one subgraph knows, or failed to tell, stays', async () => {
    await using federation = await startFederation(services)
    const both = '... on Video { title likes }'
    const { data, errors } = await federation.run(
      `{ known: node(id: "v2") { id ${both} } failed: node(id: "v500") { id ${both} } absent: node(id: "v3") { ${both} } }`,
    )
    expect(data).toEqual({
      known: { id: 'v2', title: null, likes: 2 },
      failed: { id: 'v500', title: null, likes: null },
      absent: null,
    })
    expect(errorLines(errors)).toEqual(['failed: upstream failed'])
  })

  test('the option off, it is an object without fields', async () => {
    await using federation = await startFederation(services, { absentNodes: false })
    const { data } = await federation.run(`{ node(id: "v404") { id ${title} } }`)
    expect(data).toEqual({ node: { id: 'v404', title: null } })
  })

  test('fields that are not called so keep the meaning of Federation', async () => {
    const renamed = {
      ...services,
      nodes: {
        ...services.nodes,
        sdl: services.nodes.sdl.replace('node(id: ID!)', 'thing(id: ID!)'),
        resolvers: { Query: { thing: services.nodes.resolvers.Query.node } },
      },
    }
    await using federation = await startFederation(renamed)
    const { data } = await federation.run(`{ thing(id: "v404") { id ${title} } }`)
    expect(data).toEqual({ thing: { id: 'v404', title: null } })
  })
})

test('independent fetches run at the same time', async () => {
  const waiting: (() => void)[] = []
  const gate = (transport: Transport): Transport => ({
    ...transport,
    prepare(operation) {
      const send = transport.prepare(operation)
      return async (variables, request) => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          // None goes on before all three are here.
          if (waiting.length === 3) for (const go of waiting) go()
        })
        return send(variables, request)
      }
    },
  })
  const one = (name: string) => ({
    sdl: `type Query { ${name}: Int }`,
    resolvers: { Query: { [name]: () => 1 } },
  })
  await using federation = await startFederation({ a: one('a'), b: one('b'), c: one('c') }, { wrap: gate })
  expect((await federation.run('{ a b c }', {}, { once: true })).data).toEqual({ a: 1, b: 1, c: 1 })
})

test('an in-process answer without promises is synchronous', async () => {
  const services = { a: { sdl: 'type Query { a: Int }', resolvers: { Query: { a: () => 1 } } } }
  await using federation = await startFederation(services)
  await federation.run('{ a }')
  const { parse } = await import('graphql')
  const { testGatewayRequest } = await import('../../support/federation.ts')
  const compiled = federation.engine.compile({ document: parse('{ a }') })
  compiled.plan()
  expect(compiled.execute({}, testGatewayRequest())).toEqual({ data: { a: 1 } })
})

test('a field that requires others is answered on an object that its own subgraph answered, too', async () => {
  const services = {
    a: {
      sdl: 'type Query { p: P } type P @key(fields: "id") { id: ID! w: Int }',
      resolvers: {
        Query: { p: () => ({ id: '1', w: 2 }) },
        P: { __resolveReference: ({ id }: { id: string }) => ({ id, w: Number(id) * 2 }) },
      },
    },
    b: {
      sdl: 'type P @key(fields: "id") { id: ID! w: Int @external s: Int @requires(fields: "w") self: P }',
      resolvers: {
        P: {
          __resolveReference: (key: object) => key,
          self: ({ id }: { id: string }) => ({ id }),
          s: ({ w }: { w: number }) => w + 1,
        },
      },
    },
  }
  await using federation = await startFederation(services)
  expect((await federation.run('{ p { self { s } } }')).data).toEqual({ p: { self: { s: 3 } } })
  expect(await federation.plan('{ p { self { s } } }')).toHavePlan(`
    sequence
      fetch a
        { p { __typename id } }
      entities b
        p: { ... on P { __typename id } }
        { ... on P { self { __typename id } } }
      entities a
        p.self: { ... on P { __typename id } }
        { ... on P { w } }
      entities b
        p.self: { ... on P { __typename id w } }
        { ... on P { s } }
  `)
})

test('answers that depend only on the operation are the same for any number of concurrent requests', async () => {
  const services = {
    a: {
      sdl: 'type Query { p(id: ID!): P } type P @key(fields: "id") { id: ID! }',
      resolvers: { Query: { p: (_: unknown, key: object) => key } },
    },
    b: {
      sdl: 'type P @key(fields: "id") { id: ID! n: String }',
      resolvers: { P: { __resolveReference: async ({ id }: { id: string }) => ({ id, n: `n${id}` }) } },
    },
  }
  const { parse } = await import('graphql')
  const { testGatewayRequest } = await import('../../support/federation.ts')
  for (const way of ways) {
    await using federation = await startFederation(services, { way })
    const compiled = federation.engine.compile({ document: parse('query($id: ID!) { p(id: $id) { n } }') })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => compiled.executeToJson({ id: String(n) }, testGatewayRequest())),
    )
    expect(answers.map(({ data }) => data)).toEqual(
      Array.from({ length: 50 }, (_, n) => `{"p":{"n":"n${n}"}}`),
    )
  }
})
