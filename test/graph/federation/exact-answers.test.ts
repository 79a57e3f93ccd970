import { GraphQLError, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createEngine, responseBody } from '../../../engine/index.ts'
import { createHttpTransport, type Transport } from '../../../engine/subgraphs/index.ts'
import { loadSupergraph, SupergraphError } from '../../../engine/supergraph/index.ts'
import { inTurn, raw, startFaultyServer } from '../../support/faulty-server.ts'
import { errorLines, type Outcome, startFederation, testGatewayRequest } from '../../support/federation.ts'
import { composeAny } from '../../support/random-federation/index.ts'
import { textOf } from '../../support/sent-json.ts'

const self = (key: object) => key
const fails = (what: string): never => {
  throw new GraphQLError(`${what} fails`)
}

/** Instead of one subgraph's answers. */
function answering(service: string, data: unknown) {
  return (transport: Transport): Transport =>
    transport.name !== service
      ? transport
      : { ...transport, prepare: () => () => ({ data: structuredClone(data) as Record<string, unknown> }) }
}

/** A subgraph that answers texts as they are. */
const answeringText = (texts: readonly string[]) =>
  startFaultyServer(
    inTurn(...texts.map((text) => raw(text, { 'content-type': 'application/graphql-response+json' }))),
  )

/** What the engine makes of subgraphs that answer each fetch so. */
async function scripted(
  sdls: Readonly<Record<string, string>>,
  answers: Readonly<Record<string, (operation: { readonly text: string }) => object>>,
  query: string,
): Promise<Outcome> {
  const transports = new Map(
    Object.keys(sdls).map((name): [string, Transport] => [
      name,
      {
        name,
        prepare: (operation) => () => structuredClone(answers[name]?.(operation) ?? { data: {} }),
        close: async () => {},
      },
    ]),
  )
  const supergraph = loadSupergraph(composeAny(sdls).supergraph ?? '')
  const compiled = createEngine({ supergraph, transports }).compile({ document: parse(query) })
  const { data, errors = [] } = await compiled.execute({}, testGatewayRequest())
  return { data: JSON.parse(JSON.stringify(data)), errors }
}

const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])\n'

test('ids and custom scalars beyond 2^53 keep their digits, in answers and as keys', async () => {
  await using things = await answeringText([
    '{"data":{"things":[{"__typename":"Thing","id":9007199254740993,"blob":{"n":[12345678901234567890]}}]}}',
  ])
  await using sizes = await answeringText(['{"data":{"_entities":[{"size":-9007199254740995.25}]}}'])
  const { supergraph } = composeAny({
    things: `${link} scalar Big type Query { things: [Thing] } type Thing @key(fields: "id") { id: ID! blob: Big }`,
    sizes: `${link} scalar Big type Thing @key(fields: "id") { id: ID! size: Big }`,
  })
  const transports = new Map([
    ['things', createHttpTransport({ name: 'things', url: things.url })],
    ['sizes', createHttpTransport({ name: 'sizes', url: sizes.url })],
  ])
  const engine = createEngine({ supergraph: loadSupergraph(supergraph!), transports })
  const compiled = engine.compile({ document: parse('{ things { id blob size } }') })
  const body = textOf(responseBody(await compiled.executeToJson({}, testGatewayRequest())))
  expect(body).toBe(
    '{"data":{"things":[{"id":"9007199254740993","blob":{"n":[12345678901234567890]},"size":-9007199254740995.25}]}}',
  )
  expect(sizes.arrived.map(({ body }) => body).join()).toContain(
    '"representations":[{"__typename":"Thing","id":9007199254740993}]',
  )
  for (const transport of transports.values()) await transport.close()
})

describe('an answer of a subgraph that is not what was asked for', () => {
  const services = {
    list: {
      sdl: 'type Query { all: [Thing] } type Thing @key(fields: "id") { id: ID! kind: Kind } enum Kind { RED BLUE }',
      resolvers: { Query: { all: () => ['1', '2', '3'].map((id) => ({ id, kind: 'RED' })) } },
    },
    more: {
      sdl: 'type Thing @key(fields: "id") { id: ID! size: Int }',
      resolvers: { Thing: { __resolveReference: self, size: ({ id }: { id: string }) => Number(id) } },
    },
  }

  test('with fewer entities than were asked for has an error for each that is missing', async () => {
    await using federation = await startFederation(services, {
      wrap: answering('more', { _entities: [{ size: 1 }] }),
    })
    const { data, errors } = await federation.run('{ all { id size } }')
    expect(data).toEqual({
      all: [
        { id: '1', size: 1 },
        { id: '2', size: null },
        { id: '3', size: null },
      ],
    })
    expect(errorLines(errors)).toEqual([
      'all.1: The subgraph more answered 1 of 3 entities.',
      'all.2: The subgraph more answered 1 of 3 entities.',
    ])
  })

  test('with an entity that is no object is null, with an error in its place', async () => {
    await using federation = await startFederation(services, {
      wrap: answering('more', { _entities: [{ size: 1 }, 'two', [3]] }),
    })
    const { data, errors } = await federation.run('{ all { size } }')
    expect(data).toEqual({ all: [{ size: 1 }, { size: null }, { size: null }] })
    expect(errorLines(errors)).toEqual([
      'all.1: The subgraph more answered something other than an entity.',
      'all.2: The subgraph more answered something other than an entity.',
    ])
  })

  test('with a value that the enum does not have is null, with an error in its place', async () => {
    const all = [
      { id: '1', kind: 'GREEN' },
      { id: '2', kind: 'BLUE' },
    ]
    await using federation = await startFederation(services, { wrap: answering('list', { all }) })
    const { data, errors } = await federation.run('{ all { kind } }')
    expect(data).toEqual({ all: [{ kind: null }, { kind: 'BLUE' }] })
    expect(errorLines(errors)).toEqual(['all.0.kind: The service answered a value that Kind does not have.'])
  })

  test('with an object of an impossible type is null, with an error in its place', async () => {
    const members = [{ __typename: 'Gone' }, { __typename: 'Team', n: 1 }, { __typename: 'Human', n: 1.5 }]
    const sdl = `
      type Query { members: [Member] named: [Named] team: Team }
      union Member = Human | Robot
      interface Named { n: Int }
      type Human implements Named { n: Int } type Robot implements Named { n: Int } type Team { n: Int }`
    await using federation = await startFederation(
      { list: { sdl, resolvers: { Named: { __resolveType: () => 'Human' } } } },
      { wrap: answering('list', { members, named: members }) },
    )
    for (const field of ['members', 'named']) {
      const { data, errors } = await federation.run(`{ ${field} { __typename ... on Human { n } } }`)
      expect(data).toEqual({ [field]: [null, null, { __typename: 'Human', n: null }] })
      expect(errorLines(errors)).toEqual([
        `${field}.0: The service returned an object of a type that this field does not have.`,
        `${field}.1: The service returned an object of a type that this field does not have.`,
        `${field}.2.n: The service answered a value that Int does not have.`,
      ])
      expect(errors[0]?.extensions).toEqual({ code: 'UPSTREAM_BAD_RESPONSE' })
    }
  })
})

test('an entity that is null because of one field has no error for those beside it', async () => {
  const services = {
    list: {
      sdl: 'type Query { list: [Thing] } type Thing @key(fields: "id") { id: ID! }',
      resolvers: { Query: { list: () => [{ id: '1' }, { id: '2' }] } },
    },
    parts: {
      sdl: 'type Thing @key(fields: "id") { id: ID! first: Int! broken: Int! last: Int! }',
      resolvers: {
        Thing: {
          __resolveReference: self,
          first: () => 1,
          broken: ({ id }: { id: string }) => (id === '1' ? fails('broken') : 2),
          last: () => 3,
        },
      },
    },
  }
  await using federation = await startFederation(services)
  const { data, errors } = await federation.run('{ list { id first broken last } }')
  expect(data).toEqual({ list: [null, { id: '2', first: 1, broken: 2, last: 3 }] })
  expect(errorLines(errors)).toEqual(['list.0.broken: broken fails'])
})

test('a list that one subgraph loses to an error and another brings has no error for its other items', async () => {
  const items = () => [{ id: '1' }, { id: '2' }, { id: '3' }]
  const services = {
    strict: {
      sdl: `type Query { thing: Thing }
        type Thing @key(fields: "id") { id: ID! all: [Thing!] @shareable one: Thing @shareable must: String! }`,
      resolvers: {
        Query: { thing: () => ({ id: '0' }) },
        Thing: {
          __resolveReference: self,
          all: items,
          one: () => ({ id: '2' }),
          must: ({ id }: { id: string }) => (id === '2' ? fails('must') : id),
        },
      },
    },
    other: {
      sdl: 'type Thing @key(fields: "id") { id: ID! all: [Thing!] @shareable one: Thing @shareable soft: Int }',
      resolvers: { Thing: { __resolveReference: self, all: items, one: () => ({ id: '2' }), soft: () => 1 } },
    },
  }
  await using federation = await startFederation(services)
  const { data, errors } = await federation.run('{ thing { all { soft must } soft } }')
  expect(data).toEqual({ thing: { all: null, soft: 1 } })
  expect(errorLines(errors)).toEqual(['thing.all.1.must: must fails'])
  const below = await federation.run('{ thing { one { all { soft must } one { must soft } } } }')
  expect(below.data).toEqual({ thing: { one: { all: null, one: null } } })
  expect(errorLines(below.errors).sort()).toEqual([
    'thing.one.all.1.must: must fails',
    'thing.one.one.must: must fails',
  ])
})

describe('an interface object with a type that cannot be found out', () => {
  const song = { __typename: 'Song', id: '1', bpm: 120 }
  const services = (resolveMedia: () => unknown) => ({
    best: {
      sdl: 'type Query { best: Media must: Media! } type Media @key(fields: "id") @interfaceObject { id: ID! rating: Int }',
      resolvers: {
        Query: { best: () => ({ id: '1', rating: 5 }), must: () => ({ id: '1', rating: 5 }) },
        Media: { __resolveReference: self },
      },
    },
    media: {
      sdl: `interface Media @key(fields: "id") { id: ID! }
        type Film implements Media @key(fields: "id") { id: ID! minutes: Int }
        type Song implements Media @key(fields: "id") { id: ID! bpm: Int }`,
      resolvers: { Media: { __resolveType: () => 'Song', __resolveReference: resolveMedia } },
    },
  })
  const query = '{ best { rating ... on Song { bpm } } }'

  test('is null if the operation selects fields of some types, with the reason', async () => {
    await using failing = await startFederation(services(() => fails('media')))
    const { data, errors } = await failing.run(query)
    expect(data).toEqual({ best: null })
    expect(errorLines(errors)).toEqual(['best: media fails'])
    await using unknown = await startFederation(services(() => null))
    const other = await unknown.run(query)
    expect(other.data).toEqual({ best: null })
    expect(errorLines(other.errors)).toEqual(['best: The type of this Media is not known.'])
  })

  test('is null if a field that all types have selects more, or under other conditions, for some of them', async () => {
    const { best, media } = services(() => null)
    const related = {
      best: {
        sdl: `${best.sdl.replace('rating: Int', 'rating: Int related: [Media] box: Box')} type Box { size: Int label: String }`,
        resolvers: {
          ...best.resolvers,
          Media: {
            __resolveReference: self,
            related: () => [{ id: '2' }],
            box: () => ({ size: 1, label: 'a' }),
            rating: () => 5,
          },
        },
      },
      media,
    }
    await using federation = await startFederation(related)
    const ask = (selection: string, variables = {}) =>
      federation.run(
        `query${selection.includes('$c') ? '($c: Boolean = false)' : ''} { best { ${selection} } }`,
        variables,
        { once: true },
      )
    const unknown = ['best: The type of this Media is not known.']
    for (const [selection, variables] of [
      ['related { id } ... on Song { related { rating } }', {}],
      ['related { id } ... on Song { related { rating @include(if: $c) } }', { c: true }],
      ['related { id @include(if: $c) } ... on Song { related { id } }', {}],
      ['box { size } ... on Song { box { ... on Box { label } } }', {}],
      ['box @include(if: $c) { size } ... on Song { box { size } }', {}],
      ['rating @include(if: $c) ... on Song { rating }', {}],
      ['rating @skip(if: $c) ... on Song { rating @include(if: $c) }', { c: true }],
      // Nothing is left below it: the field itself is what other types do not have.
      ['rating ... on Song { box { size @include(if: $c) } }', {}],
      ['box @include(if: $c) { size } ... on Song { box { size @include(if: $c) } }', {}],
    ] as const) {
      const { data, errors } = await ask(selection, variables)
      expect(data, selection).toEqual({ best: null })
      expect(errorLines(errors), selection).toEqual(unknown)
    }
    for (const [selection, variables, whole] of [
      ['related { id } ... on Song { related { id } }', {}, { related: [{ id: '2' }] }],
      ['related { id } ... on Song { related { rating @include(if: $c) } }', {}, { related: [{ id: '2' }] }],
      [
        'box { size label } ... on Song { box { ... on Box { label } } }',
        {},
        { box: { size: 1, label: 'a' } },
      ],
      ['rating @include(if: $c) ... on Song { rating }', { c: true }, { rating: 5 }],
      ['rating @skip(if: $c) ... on Song { rating @include(if: $c) }', {}, { rating: 5 }],
    ] as const) {
      const { data, errors } = await ask(selection, variables)
      expect([data, errorLines(errors)], selection).toEqual([{ best: whole }, []])
    }
  })

  test('makes its parent null if it is non-null', async () => {
    await using failing = await startFederation(services(() => fails('media')))
    const { data, errors } = await failing.run('{ must { rating __typename } }')
    expect(data).toBeNull()
    expect(errorLines(errors)).toEqual(['must: media fails'])
  })

  test('is there if nothing of it depends on its type, and if the type is known', async () => {
    await using failing = await startFederation(services(() => fails('media')))
    // Once: other variants of the operation would ask for the type.
    const { data, errors } = await failing.run('{ best { id rating } }', {}, { once: true })
    expect({ data, errors }).toEqual({ data: { best: { id: '1', rating: 5 } }, errors: [] })
    const skipped = 'query($c: Boolean = false) { best { rating ... on Song @include(if: $c) { bpm } } }'
    expect((await failing.run(skipped, {}, { once: true })).data).toEqual({ best: { rating: 5 } })
    await using knowing = await startFederation(services(() => song))
    expect(await knowing.run(query)).toEqual({ data: { best: { rating: 5, bpm: 120 } }, errors: [] })
  })
})

test('an object of unknown type is null if a field fails that is non-null in its type and not in its interface', async () => {
  const services = {
    best: {
      sdl: 'type Query { best: Media must: Media! } type Media @key(fields: "id") @interfaceObject { id: ID! stars: Int }',
      resolvers: {
        Query: { best: () => ({ id: '1', stars: 5 }), must: () => ({ id: '1', stars: 5 }) },
        Media: { __resolveReference: self },
      },
    },
    media: {
      sdl: `interface Media @key(fields: "id") { id: ID! name: String }
        type Film implements Media @key(fields: "id") { id: ID! name: String }
        type Song implements Media @key(fields: "id") { id: ID! name: String! }`,
      resolvers: { Film: { name: () => fails('name') }, Song: { name: () => fails('name') } },
    },
  }
  const typed = (type: string) => ({
    ...services,
    media: {
      ...services.media,
      resolvers: {
        ...services.media.resolvers,
        Media: { __resolveType: () => type, __resolveReference: self },
      },
    },
  })
  await using song = await startFederation(typed('Song'))
  const lost = await song.run('{ best { stars name } }')
  expect({ data: lost.data, errors: errorLines(lost.errors) }).toEqual({
    data: { best: null },
    errors: ['best.name: name fails'],
  })
  const all = await song.run('{ must { stars title: name } }')
  expect({ data: all.data, errors: errorLines(all.errors) }).toEqual({
    data: null,
    errors: ['must.title: name fails'],
  })
  await using film = await startFederation(typed('Film'))
  const kept = await film.run('{ best { stars name } }')
  expect({ data: kept.data, errors: errorLines(kept.errors) }).toEqual({
    data: { best: { stars: 5, name: null } },
    errors: ['best.name: name fails'],
  })
})

test('an interface that no type implements has its own name as __typename', async () => {
  const services = {
    a: {
      sdl: 'type Query { a: Int } interface Node @key(fields: "id") { id: ID! }',
      resolvers: { Query: { a: () => 1 } },
    },
    b: {
      sdl: 'type Query { b: Node } type Node @key(fields: "id", resolvable: false) @interfaceObject { id: ID! field: String }',
      resolvers: { Query: { b: () => ({ id: 'n1', field: 'foo' }) } },
    },
  }
  await using federation = await startFederation(services)
  expect(await federation.run('{ b { __typename id field } }')).toEqual({
    data: { b: { __typename: 'Node', id: 'n1', field: 'foo' } },
    errors: [],
  })
  expect(federation.counts()).toEqual({ b: expect.any(Number) })
})

test('a supergraph with an invalid public schema is refused at the start, not at each operation', () => {
  const services = {
    a: `${link} type Query { a: I } interface I @key(fields: "id") { id: ID! } type T implements I @key(fields: "id") { id: ID! }`,
  }
  const { supergraph } = composeAny(services)
  const broken = supergraph!.replace(/(interface I[^{]*\{)/, '$1 more: Int ')
  expect(() => loadSupergraph(broken)).toThrow(SupergraphError)
  expect(() => loadSupergraph(broken)).toThrow(/public schema cannot be built: .*I\.more/)
})

test.each([
  [
    'a part of it',
    {
      data: { a: 1, x: null },
      errors: [{ message: 'It fails.', path: ['x'], extensions: { code: 'NOT_FOUND' } }],
    },
    { a: 1, x: null },
    ['x'],
  ],
  [
    'all of it',
    { data: null, errors: [{ message: 'It fails.', extensions: { code: 'UPSTREAM_UNAVAILABLE' } }] },
    { a: null, x: null },
    ['a', 'x'],
  ],
])(
  'errors of root fields below a field are at each place where these are selected: %s',
  async (_, answer, query, failed) => {
    const pays = [1, 2].map((n) => ({ n, query: { __typename: 'Query' } }))
    const { data, errors } = await scripted(
      {
        one: 'type Query { own: Int } type Mutation { pays: [Pay] } type Pay { n: Int query: Query }',
        two: 'type Query { a: Int b: Int }',
      },
      { one: () => ({ data: { pays } }), two: () => answer },
      'mutation { pays { n query { a x: b } } }',
    )
    expect(data).toEqual({ pays: [1, 2].map((n) => ({ n, query })) })
    expect(errorLines(errors)).toEqual(
      [0, 1].flatMap((at) => failed.map((key) => `pays.${at}.query.${key}: It fails.`)),
    )
  },
)

test('an error at a field that a subgraph is asked for under another name has the name of the client', async () => {
  const imports = 'url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable"]'
  let asked = ''
  const { data, errors } = await scripted(
    {
      one: `extend schema @link(${imports}) type Query { us: [U] } union U = A | B
        type A @key(fields: "id") { id: ID! v: String! @shareable } type B { v: String }`,
      two: `extend schema @link(${imports}) type A @key(fields: "id") { id: ID! v: String @shareable }`,
    },
    {
      one({ text }) {
        asked = text
        const [, alias = 'v'] = /(\w+): v/.exec(text) ?? []
        const us = [
          { __typename: 'A', v: 'a', [alias]: 'a' },
          null,
          { __typename: 'B', v: null, [alias]: null },
        ]
        const error = { message: 'It fails.', path: ['us', 2, alias], extensions: { code: 'NOT_FOUND' } }
        return { data: { us }, errors: [error] }
      },
    },
    '{ us { ... on A { v } ... on B { v } } }',
  )
  expect(asked).toMatch(/\w+: v/)
  expect(data).toEqual({ us: [{ v: 'a' }, null, { v: null }] })
  expect(errorLines(errors)).toEqual(['us.2.v: It fails.'])
})
