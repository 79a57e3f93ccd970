/** Nulls of variables at non-null places that have a default: the field is refused, and not asked for. */
import { type GraphQLError, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import type { OperationResult } from '../../../engine/index.ts'
import { rootKeyOf } from '../../../engine/operation/narrow.ts'
import { errorLines, startFederation, testGatewayRequest, ways } from '../../support/federation.ts'
import { mergeEngine } from '../../support/incremental.ts'
import { normalisedOf } from '../../support/normalised.ts'

const things = [{ id: '1' }, { id: '2' }]
const size = ({ id }: { id: string }, { n }: { n: number }) => Number(id) * n

const services = {
  things: {
    sdl: `
      type Query {
        things(n: Int! = 3): [Thing] thing: Thing must(n: Int! = 3): Int! listed(filter: [Filter!]): Int none: Thing
        sum(all: [Int!]): Int
      }
      type Mutation { first(n: Int! = 3): Int second: Int }
      type Thing @key(fields: "id") { id: ID! half(n: Int! = 3, m: Int! = 4): Int }
      input Filter { limit: Int! = 10 inner: Filter }`,
    resolvers: {
      Query: {
        things: () => things,
        thing: () => things[0],
        must: (_: unknown, { n }: { n: number }) => n,
        listed: (_: unknown, { filter }: { filter: readonly { limit: number }[] }) => filter[0]?.limit,
        none: () => null,
        sum: (_: unknown, { all }: { all: readonly number[] }) => all.length,
      },
      Mutation: { first: () => 1, second: () => 2 },
      Thing: { half: size },
    },
  },
  sizes: {
    sdl: 'type Thing @key(fields: "id") { id: ID! size(n: Int! = 3): Int strict(n: Int! = 3): Int! }',
    resolvers: { Thing: { __resolveReference: (key: object) => key, size, strict: size } },
  },
}

const oracle = { ...services.things.resolvers, Thing: { half: size, size, strict: size } }

const isNull = (name: string, type: string) =>
  `Argument "${name}" of non-null type "${type}" must not be null.`

describe.each(ways)('null for an argument that has a default %s', (way) => {
  test.each([
    ['of a root field', 'query($n: Int) { things(n: $n) { id } thing { id } }'],
    ['of the only field', 'query($n: Int) { things(n: $n) { id } }'],
    ['of a non-null field', 'query($n: Int) { must(n: $n) thing { id } }'],
    ['of a nested field', 'query($n: Int) { things { id half(n: $n) } }'],
    ['of the only field of an object', 'query($n: Int) { thing { half(m: $n) } }'],
    ['of a field of another subgraph', 'query($n: Int) { things { id size(n: $n) half } }'],
    ['of a non-null field of another subgraph', 'query($n: Int) { things { id strict(n: $n) } }'],
    ['of several fields', 'query($n: Int) { a: things(n: $n) { id } thing { b: size(n: $n) c: size } }'],
    ['below an object that is null', 'query($n: Int) { none { size(n: $n) } }'],
    [
      'of a field that is skipped',
      'query($n: Int, $no: Boolean = false) { thing { id half(n: $n) @include(if: $no) } }',
    ],
    [
      'in fragments',
      'query($n: Int) { thing { ...F id } a: thing { ...F } } fragment F on Thing { half(n: $n) size }',
    ],
    ['in an input object', 'query($n: Int) { listed(filter: { limit: $n }) thing { id } }'],
    ['deep in an input object', 'query($n: Int) { listed(filter: [{ inner: { limit: $n } }]) thing { id } }'],
    ['in a list', 'query($n: Int = 5) { sum(all: [1, $n]) thing { id } }'],
    ['of a mutation', 'mutation($n: Int) { first(n: $n) second }'],
  ])('%s', async (_, query) => {
    await using federation = await startFederation(services, { way, oracle })
    const { data, errors } = await federation.run(query, { n: null })
    const expected = await federation.expected(query, { n: null })
    expect(data).toEqual(expected.data)
    expect(errorLines(errors)).toEqual(errorLines(expected.errors))
    for (const { extensions } of errors) expect(extensions).toEqual({ code: 'BAD_USER_INPUT' })
    expect(federation.fetched.filter(({ text }) => text.includes('$n'))).toEqual([])
    // The same operation with another value is executed as a whole.
    for (const variables of [{ n: 2 }, {}]) {
      const other = await federation.run(query, variables)
      expect(other).toEqual({ data: (await federation.expected(query, variables)).data, errors: [] })
    }
  })

  test('leaves the default to the subgraph if the variable has no value', async () => {
    await using federation = await startFederation(services, { way })
    expect((await federation.run('query($n: Int) { must(n: $n) }')).data).toEqual({ must: 3 })
  })

  test('asks for nothing if the first error ends the operation', async () => {
    await using federation = await startFederation(services, { way })
    const { data, errors } = await federation.run(
      'mutation($n: Int) { second first(n: $n) }',
      { n: null },
      { once: true, request: testGatewayRequest({ onError: 'HALT' }) },
    )
    expect([data, errorLines(errors)]).toEqual([null, [`first: ${isNull('n', 'Int!')}`]])
    expect(federation.fetched).toEqual([])
  })

  test('below @defer and in items of a streamed list', async () => {
    await using federation = await startFederation(services, { way, oracle })
    const text = (defer: string, stream: string) =>
      `query($n: Int) {
        thing { id ... ${defer} { size half(n: $n) } }
        ... ${defer} { none { size(n: $n) } must: thing { strict(n: $n) } }
        all: things ${stream} { id size(n: $n) }
      }`
    const document = parse(text('@defer', '@stream(initialCount: 1)'))
    const { executeIncrementally } = federation.engine.compile({ document })
    for (const variables of [{ n: null }, { n: 2 }, { n: null }]) {
      federation.reset()
      const answer = await executeIncrementally?.(variables, testGatewayRequest())
      if (answer?.data === undefined) throw new Error('Nothing was executed.')
      const { data, errors, resultCount } = await mergeEngine({ ...answer, data: answer.data })
      const expected = await federation.expected(text('', ''), variables)
      expect(data).toEqual(expected.data)
      expect(resultCount).toBeGreaterThan(0)
      expect(errorLines(errors as GraphQLError[])).toEqual(errorLines(expected.errors))
      expect(federation.fetched.some((each) => each.text.includes('$n'))).toBe(variables.n !== null)
    }
  })

  test('refuses a subscription', async () => {
    const sdl = 'type Subscription { ticks(n: Int! = 3): Int } type Query { now(n: Int! = 3): Int }'
    await using federation = await startFederation({ clock: { sdl, resolvers: {} } }, { way })
    const compiled = federation.engine.compile({ document: parse('subscription($n: Int) { ticks(n: $n) }') })
    const { errors = [] } = compiled.events({ n: null }, testGatewayRequest()) as OperationResult
    expect(errors.map(({ message, extensions }) => [message, extensions.code])).toEqual([
      [isNull('n', 'Int!'), 'BAD_USER_INPUT'],
    ])
  })

  test('of a field that the caller may not see is not told', async () => {
    await using federation = await startFederation(services, { way })
    const { data, errors } = await federation.run(
      'query($n: Int) { a: must(n: $n) b: thing { half(n: $n) size } }',
      { n: null },
      {
        once: true,
        request: testGatewayRequest({ onError: 'NULL' }),
        refuse: (document) => {
          const operation = normalisedOf(federation.engine.schema, document)
          const field = operation.fields.findIndex(({ key }) => key === 'a')
          return {
            allowed: rootKeyOf(operation, 'b'),
            refusals: [{ field, parentType: '*', message: 'no', extensions: {} }],
          }
        },
      },
    )
    expect(data).toEqual({ a: null, b: { half: null, size: 3 } })
    expect(errorLines(errors)).toEqual(['a: no', `b.half: ${isNull('n', 'Int!')}`])
  })
})
