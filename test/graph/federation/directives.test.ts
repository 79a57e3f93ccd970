/** What the directives of Federation 2 promise, each with a graph of its own, against the oracle. */
import { describe, expect, test } from 'vitest'
import { errorLines, startFederation, ways } from '../../support/federation.ts'
import { worldOf } from '../../support/world-of.ts'

describe.each(ways)('%s', (way) => {
  /** Holds the answers over several worlds to the oracle's. Returns the most fetches of each subgraph. */
  async function compare(
    sdls: Readonly<Record<string, string>>,
    query: string,
    variables: Record<string, unknown> = {},
  ): Promise<Record<string, number>> {
    const most: Record<string, number> = {}
    for (let seed = 1; seed <= 4; seed++) {
      const { services, oracle } = worldOf(sdls, seed)
      await using federation = await startFederation(services, { way, oracle })
      expect(await federation.run(query, variables)).toEqual(await federation.expected(query, variables))
      for (const [name, count] of Object.entries(federation.counts()))
        most[name] = Math.max(most[name] ?? 0, count)
    }
    return most
  }

  describe('@requires', () => {
    const boxes = {
      boxes: `
        type Query { boxes: [Box!]! }
        type Box @key(fields: "id") { id: ID! size: Size parts: [Part!] wrap: Wrap }
        type Size { w: Int! h: Int! }
        type Part { kg: Int! }
        union Wrap = Foil | Paper
        type Foil { thickness: Int! }
        type Paper { grams: Int! }`,
      post: `
        type Box @key(fields: "id") {
          id: ID! size: Size @external parts: [Part!] @external wrap: Wrap @external
          area: Int @requires(fields: "size { w h }")
          weight: Int @requires(fields: "parts { kg }")
          wrapping: Int @requires(fields: "wrap { ... on Foil { thickness } ... on Paper { grams } }")
          price: Int @requires(fields: "tax size { w }")
          tax: Int @external
        }
        type Size { w: Int! @external h: Int! @external }
        type Part { kg: Int! @external }
        union Wrap = Foil | Paper
        type Foil { thickness: Int! @external }
        type Paper { grams: Int! @external }`,
      taxes: 'type Box @key(fields: "id") { id: ID! tax: Int }',
    }

    test('passes on nested objects, lists, unions and nulls, and shows none of it', async () => {
      await compare(boxes, '{ boxes { area weight wrapping } }')
    })

    test('waits for what a third subgraph knows', async () => {
      expect(await compare(boxes, '{ boxes { price } }')).toEqual({ boxes: 1, taxes: 1, post: 1 })
    })

    test('asks no subgraph with half of what it requires', async () => {
      const tax = ({ id }: { id: string }) => {
        if (id === '2') throw new Error('no tax')
        return { id, tax: Number(id) * 7 }
      }
      const price = ({ tax }: { tax: number }) => tax + 2
      const services = {
        boxes: {
          sdl: 'type Query { boxes: [Box!]! } type Box @key(fields: "id") { id: ID! }',
          resolvers: { Query: { boxes: () => ['1', '2', '3'].map((id) => ({ id })) } },
        },
        taxes: {
          sdl: 'type Box @key(fields: "id") { id: ID! tax: Int }',
          resolvers: { Box: { __resolveReference: tax } },
        },
        post: {
          sdl: 'type Box @key(fields: "id") { id: ID! tax: Int @external price: Int @requires(fields: "tax") }',
          resolvers: { Box: { __resolveReference: (key: object) => key, price } },
        },
      }
      await using federation = await startFederation(services, { way })
      const { data, errors } = await federation.run('{ boxes { price } }')
      expect(data).toEqual({ boxes: [{ price: 9 }, { price: null }, { price: 23 }] })
      expect(errorLines(errors)).toEqual(['boxes.1: no tax'])
      const last = federation.fetched.at(-1)!
      expect(last.service).toBe('post')
      expect((last.variables.representations as { id: string }[]).map(({ id }) => id)).toEqual(['1', '3'])
    })
  })

  test('@provides spares a fetch on the path that provides, and only there', async () => {
    const sdls = {
      reviews: `
        type Query { review: Review! author: User }
        type Review { author: User! @provides(fields: "name") other: User! }
        type User @key(fields: "id") { id: ID! name: String @external }`,
      users: 'type User @key(fields: "id") { id: ID! name: String @shareable }',
    }
    expect(await compare(sdls, '{ review { author { name } } }')).toEqual({ reviews: 1 })
    expect(await compare(sdls, '{ review { author { name } other { name } } }')).toEqual({
      reviews: 1,
      users: 1,
    })
  })

  test('@shareable fields are read from the subgraph of the object', async () => {
    const flat = (fields: string) => `type Query { here: Position! } type Position @shareable { ${fields} }`
    const deep = 'type Query { there: Position! } type Position @shareable { x: Int y: Int z: Int }'
    const without = { sdl: flat('x: Int y: Int'), resolvers: {} }
    await expect(
      startFederation({ flat: without, deep: { sdl: deep, resolvers: {} } }, { way }),
    ).rejects.toThrow(/z/)
    const sdls = { flat: flat('x: Int y: Int z: Int'), deep }
    expect(await compare(sdls, '{ here { x y z } there { x z } }')).toEqual({ flat: 1, deep: 1 })
  })

  test('a value type that two root fetches share comes together from both', async () => {
    const status = 'type Query { status: Status! @shareable }'
    const sdls = {
      left: `${status} type Status { left: String deep: Deep! @shareable } type Deep { l: [Int] }`,
      right: `${status} type Status { right: String deep: Deep! @shareable } type Deep { r: Int }`,
    }
    expect(await compare(sdls, '{ status { left right deep { l r } } }')).toEqual({ left: 1, right: 1 })
  })

  describe('@inaccessible', () => {
    const services = {
      open: {
        sdl: `
          type Query { things: [Thing!]! state: State states: [State!] any: [Any] byKind(kind: Kind): String }
          type Thing @key(fields: "hidden") { hidden: ID! @inaccessible name: String }
          enum State { ON OFF SECRET @inaccessible }
          union Any = Thing | Ghost
          type Ghost @inaccessible { boo: String }
          input Kind { a: Int b: Int @inaccessible }`,
        resolvers: {
          Query: {
            things: () => [{ hidden: 'h1', name: 'one' }],
            state: () => 'SECRET',
            states: () => ['ON', 'SECRET'],
            any: () => [
              { __typename: 'Ghost', boo: 'boo' },
              { __typename: 'Thing', hidden: 'h2', name: 'two' },
            ],
            byKind: (_: unknown, { kind }: { kind: object }) => JSON.stringify(kind),
          },
        },
      },
      more: {
        sdl: 'type Thing @key(fields: "hidden") { hidden: ID! @inaccessible more: String }',
        resolvers: {
          Thing: { __resolveReference: ({ hidden }: { hidden: string }) => ({ more: `more of ${hidden}` }) },
        },
      },
    }

    test('keys work and do not show', async () => {
      await using federation = await startFederation(services, { way })
      expect((await federation.run('{ things { name more } }')).data).toEqual({
        things: [{ name: 'one', more: 'more of h1' }],
      })
      await expect(federation.run('{ things { hidden } }')).rejects.toThrow(/hidden/)
      await expect(federation.run('{ byKind(kind: { b: 1 }) }')).rejects.toThrow(/"b"/)
    })

    test('values and types are null at their places', async () => {
      await using federation = await startFederation(services, { way })
      const { data, errors } = await federation.run('{ state any { __typename ... on Thing { name } } }')
      expect(data).toEqual({ state: null, any: [null, { __typename: 'Thing', name: 'two' }] })
      expect(errors).toEqual([])
      const listed = await federation.run('{ states }')
      expect(listed.data).toEqual({ states: null })
      expect(errorLines(listed.errors)).toEqual([
        'states.1: Cannot return null for non-nullable field Query.states.',
      ])
    })
  })

  describe('@interfaceObject', () => {
    const sdls = {
      media: `
        type Query { media: [Media!]! one(id: ID!): Media }
        interface Media @key(fields: "id") { id: ID! title: String }
        type Film implements Media @key(fields: "id") { id: ID! title: String minutes: Int }
        type Song implements Media @key(fields: "id") { id: ID! title: String bpm: Int }`,
      ratings: `
        type Query { best: Media }
        type Media @key(fields: "id") @interfaceObject { id: ID! rating: Float }`,
    }

    test.each([
      ['adds fields to every implementation', '{ media { id title rating ... on Song { bpm rating } } }'],
      ['adds fields to an object that is found by its id', '{ one(id: "1") { __typename rating } }'],
      ['learns the concrete type of what it answers', '{ best { __typename rating title } }'],
      [
        'learns the type for fields of some types',
        '{ best { rating ... on Song { bpm } ... on Film { minutes } } }',
      ],
      ['learns the type under an alias', '{ best { t: __typename id } }'],
    ])('%s', async (_, query) => {
      await compare(sdls, query)
    })

    test('is requested alone if the interface is enough', async () => {
      expect(await compare(sdls, '{ best { id rating } }')).toEqual({ ratings: 1 })
    })
  })

  test.each([
    '{ search { __typename ... on Page { id views } ... on User { name } ... on Tag { text } } }',
    '{ search { ... on Page { id title } ... on User { id n: name likes { id title views } } } }',
    '{ named { id ... on User { name } ... on Page { views } } }',
    '{ named { id } }',
    '{ nested { ... on User { name } ... on Named { id } ... on Page { views } } }',
    '{ search { ...A } } fragment A on Hit { ...B ... on Named { ... on User { name } } } fragment B on Page { views }',
  ])('unions and interfaces whose members live in different subgraphs: %s', async (query) => {
    const sdls = {
      search: `
        type Query { search: [Hit] named: [Named] nested: [[Hit!]]! }
        union Hit = Page | User | Tag
        interface Named { id: ID! }
        type Page implements Named @key(fields: "id") { id: ID! title: String! }
        type User implements Named @key(fields: "id") { id: ID! }
        type Tag { text: String }`,
      users: `
        type User @key(fields: "id") { id: ID! name: String title: String likes: [Page] }
        type Page @key(fields: "id", resolvable: false) { id: ID! }`,
      pages: 'type Page @key(fields: "id") { id: ID! views: Int! }',
    }
    await compare(sdls, query)
  })

  test.each([
    { f: { kind: 'A', n: null }, k: ['A'], any: { deep: [{}] } },
    { k: [], ids: ['1', 2], e: 'B' },
    { f: {}, k: 'A', any: 'text', ids: null },
  ])('enums, inputs, defaults and custom scalars pass through as they are: %j', async (variables) => {
    const sdls = {
      one: `
        type Query { one(filter: Filter = { kind: A }, any: Any, ids: [ID!], e: Kind): String stamp: Any kind: Kind }
        input Filter { kind: Kind n: Int = 3 only: String }
        enum Kind { A B }
        scalar Any`,
      two: `
        type Query { two(filter: Filter, kinds: [Kind!]! = [B]): String }
        input Filter { kind: Kind n: Int = 3 }
        enum Kind { A B }`,
    }
    const query = `query($f: Filter, $k: [Kind!]!, $any: Any, $ids: [ID!] = ["x"], $e: Kind) {
      one(filter: $f, any: $any, ids: $ids, e: $e) a: one b: one(filter: {kind: B}, any: {x: [1, "2"]}) two(filter: $f, kinds: $k) c: two stamp kind
    }`
    await compare(sdls, query, variables)
  })
})
