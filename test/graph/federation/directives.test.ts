/** What the directives of Federation 2 promise, each with a graph of its own, against the oracle. */
import { describe, expect, test } from 'vitest'
import {
  errorLines,
  type Resolvers,
  type Service,
  startFederation,
  type Way,
  ways,
} from '../../support/federation.ts'
import '../../support/matchers.ts'

/** The federated answer, which must be the oracle's; with what was fetched. */
async function compare(
  way: Way,
  services: Readonly<Record<string, Service>>,
  oracle: Resolvers,
  query: string,
  variables: Record<string, unknown> = {},
) {
  await using federation = await startFederation(services, { way, oracle })
  const actual = await federation.run(query, variables)
  const expected = await federation.expected(query, variables)
  expect(actual.data).toEqual(expected.data)
  expect(errorLines(actual.errors)).toEqual(errorLines(expected.errors))
  return { data: actual.data, fetched: [...federation.fetched], counts: federation.counts() }
}

const self = (key: object) => key

describe.each(ways)('%s', (way) => {
  describe('@requires', () => {
    const boxes = [
      { id: '1', size: { w: 2, h: 3 }, parts: [{ kg: 1 }, { kg: 2 }], wrap: { kind: 'Foil', thickness: 2 } },
      { id: '2', size: null, parts: [], wrap: { kind: 'Paper', grams: 80 } },
      { id: '3', size: { w: 1, h: 1 }, parts: null, wrap: null },
    ]
    const area = (size: { w: number; h: number } | null) => (size === null ? -1 : size.w * size.h)
    const weigh = (parts: { kg: number }[] | null) => (parts ?? []).reduce((sum, { kg }) => sum + kg, 0)
    const wrapped = (wrap: { thickness?: number; grams?: number } | null) =>
      (wrap?.thickness ?? 0) * 100 + (wrap?.grams ?? 0)
    const services = {
      boxes: {
        sdl: `
          type Query { boxes: [Box!]! }
          type Box @key(fields: "id") { id: ID! size: Size parts: [Part!] wrap: Wrap }
          type Size { w: Int! h: Int! }
          type Part { kg: Int! }
          union Wrap = Foil | Paper
          type Foil { thickness: Int! }
          type Paper { grams: Int! }`,
        resolvers: {
          Query: { boxes: () => boxes },
          Wrap: { __resolveType: ({ kind }: { kind: string }) => kind },
        },
      },
      post: {
        sdl: `
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
        resolvers: {
          Box: {
            __resolveReference: self,
            area: ({ size }: { size: { w: number; h: number } | null }) => area(size),
            weight: ({ parts }: { parts: { kg: number }[] | null }) => weigh(parts),
            wrapping: ({ wrap }: { wrap: { thickness?: number; grams?: number } | null }) => wrapped(wrap),
            price: ({ tax, size }: { tax: number; size: { w: number } | null }) => tax + (size?.w ?? 0),
          },
          Wrap: {
            __resolveType: ({ thickness }: { thickness?: number }) =>
              thickness === undefined ? 'Paper' : 'Foil',
          },
        },
      },
      taxes: {
        sdl: 'type Box @key(fields: "id") { id: ID! tax: Int }',
        resolvers: { Box: { __resolveReference: ({ id }: { id: string }) => ({ id, tax: Number(id) * 7 }) } },
      },
    }
    const oracle = {
      Query: services.boxes.resolvers.Query,
      Wrap: services.boxes.resolvers.Wrap,
      Box: {
        area: ({ size }: (typeof boxes)[0]) => area(size),
        weight: ({ parts }: (typeof boxes)[0]) => weigh(parts),
        wrapping: ({ wrap }: (typeof boxes)[0]) => wrapped(wrap),
        tax: ({ id }: (typeof boxes)[0]) => Number(id) * 7,
        price: ({ id, size }: (typeof boxes)[0]) => Number(id) * 7 + (size?.w ?? 0),
      },
    }

    test('passes on nested objects, lists, unions and nulls, and shows none of it', async () => {
      const { data } = await compare(way, services, oracle, '{ boxes { area weight wrapping } }')
      expect(data.boxes[0]).toEqual({ area: 6, weight: 3, wrapping: 200 })
    })

    test('waits for what a third subgraph knows', async () => {
      const { counts } = await compare(way, services, oracle, '{ boxes { price } }')
      expect(counts).toEqual({ boxes: 1, taxes: 1, post: 1 })
    })

    test('asks no subgraph with half of what it requires', async () => {
      const failing: typeof services = {
        ...services,
        taxes: {
          ...services.taxes,
          resolvers: {
            Box: {
              __resolveReference: ({ id }: { id: string }) => {
                if (id === '2') throw new Error('no tax')
                return { id, tax: Number(id) * 7 }
              },
            },
          },
        },
      }
      await using federation = await startFederation(failing, { way, oracle })
      const { data, errors } = await federation.run('{ boxes { id price } }')
      expect(data).toEqual({
        boxes: [
          { id: '1', price: 9 },
          { id: '2', price: null },
          { id: '3', price: 22 },
        ],
      })
      expect(errorLines(errors)).toEqual(['boxes.1: no tax'])
      const last = federation.fetched.at(-1)!
      expect(last.service).toBe('post')
      expect((last.variables.representations as { id: string }[]).map(({ id }) => id)).toEqual(['1', '3'])
    })
  })

  test('@provides spares a fetch on the path that provides, and only there', async () => {
    const services = {
      reviews: {
        sdl: `
          type Query { review: Review author: User }
          type Review { author: User @provides(fields: "name") other: User }
          type User @key(fields: "id") { id: ID! name: String @external }`,
        resolvers: {
          Query: {
            review: () => ({ author: { id: 'a', name: 'user a' }, other: { id: 'b' } }),
            author: () => ({ id: 'c' }),
          },
        },
      },
      users: {
        sdl: 'type User @key(fields: "id") { id: ID! name: String @shareable }',
        resolvers: { User: { __resolveReference: ({ id }: { id: string }) => ({ id, name: `user ${id}` }) } },
      },
    }
    const oracle = {
      Query: services.reviews.resolvers.Query,
      User: { name: ({ id }: { id: string }) => `user ${id}` },
    }
    expect((await compare(way, services, oracle, '{ review { author { name } } }')).counts).toEqual({
      reviews: 1,
    })
    expect(
      (await compare(way, services, oracle, '{ review { author { name } other { name } } }')).counts,
    ).toEqual({ reviews: 1, users: 1 })
  })

  test('@shareable fields are read from the subgraph of the object', async () => {
    const position = { x: 1, y: 2, z: 3 }
    const services = {
      flat: {
        sdl: 'type Query { here: Position } type Position @shareable { x: Int y: Int }',
        resolvers: { Query: { here: () => position } },
      },
      deep: {
        sdl: 'type Query { there: Position } type Position @shareable { x: Int y: Int z: Int }',
        resolvers: { Query: { there: () => position } },
      },
    }
    const oracle = { Query: { here: () => position, there: () => position } }
    await expect(startFederation(services, { way, oracle })).rejects.toThrow(/z/)
    const { counts } = await compare(
      way,
      { ...services, flat: { ...services.flat, sdl: services.flat.sdl.replace('y: Int', 'y: Int z: Int') } },
      oracle,
      '{ here { x y z } there { x z } }',
    )
    expect(counts).toEqual({ flat: 1, deep: 1 })
  })

  test('a value type that two root fetches share comes together from both', async () => {
    const services = {
      left: {
        sdl: 'type Query { status: Status @shareable } type Status { left: String deep: Deep @shareable } type Deep { l: [Int] }',
        resolvers: { Query: { status: () => ({ left: 'L', deep: { l: [1, null] } }) } },
      },
      right: {
        sdl: 'type Query { status: Status @shareable } type Status { right: String deep: Deep @shareable } type Deep { r: Int }',
        resolvers: { Query: { status: () => ({ right: 'R', deep: { r: 2 } }) } },
      },
    }
    const oracle = { Query: { status: () => ({ left: 'L', right: 'R', deep: { l: [1, null], r: 2 } }) } }
    const { counts } = await compare(way, services, oracle, '{ status { left right deep { l r } } }')
    expect(counts).toEqual({ left: 1, right: 1 })
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
    const media = [
      { __typename: 'Film', id: '1', title: 'a film', minutes: 90 },
      { __typename: 'Song', id: '2', title: 'a song', bpm: 120 },
    ]
    const rating = (id: string) => Number(id) + 0.5
    const services = {
      media: {
        sdl: `
          type Query { media: [Media!]! one(id: ID!): Media }
          interface Media @key(fields: "id") { id: ID! title: String }
          type Film implements Media @key(fields: "id") { id: ID! title: String minutes: Int }
          type Song implements Media @key(fields: "id") { id: ID! title: String bpm: Int }`,
        resolvers: {
          Query: {
            media: () => media,
            one: (_: unknown, { id }: { id: string }) => media.find((m) => m.id === id),
          },
          Media: {
            __resolveType: ({ __typename }: { __typename: string }) => __typename,
            __resolveReference: ({ id }: { id: string }) => media.find((m) => m.id === id),
          },
          Film: { __resolveReference: ({ id }: { id: string }) => media.find((m) => m.id === id) },
          Song: { __resolveReference: ({ id }: { id: string }) => media.find((m) => m.id === id) },
        },
      },
      ratings: {
        sdl: `
          type Query { best: Media }
          type Media @key(fields: "id") @interfaceObject { id: ID! rating: Float }`,
        resolvers: {
          Query: { best: () => ({ id: '2' }) },
          Media: {
            __resolveReference: ({ id }: { id: string }) => ({ id, rating: rating(id) }),
            rating: ({ id }: { id: string }) => rating(id),
          },
        },
      },
    }
    const oracle = {
      Query: { ...services.media.resolvers.Query, best: () => media[1] },
      Media: { __resolveType: services.media.resolvers.Media.__resolveType },
      Film: { rating: ({ id }: { id: string }) => rating(id) },
      Song: { rating: ({ id }: { id: string }) => rating(id) },
    }

    test('adds fields to every implementation', async () => {
      await compare(way, services, oracle, '{ media { id title rating ... on Song { bpm rating } } }')
      await compare(way, services, oracle, '{ one(id: "1") { __typename rating } }')
    })

    test('learns the concrete type of what it answers', async () => {
      await compare(way, services, oracle, '{ best { __typename rating title } }')
      await compare(way, services, oracle, '{ best { rating ... on Song { bpm } ... on Film { minutes } } }')
      await compare(way, services, oracle, '{ best { t: __typename id } }')
    })

    test('is requested alone if the interface is enough', async () => {
      const { counts } = await compare(way, services, oracle, '{ best { id rating } }')
      expect(counts).toEqual({ ratings: 1 })
    })
  })

  test('unions and interfaces whose members live in different subgraphs', async () => {
    const hits = [
      { __typename: 'Page', id: 'p', title: 'page' },
      { __typename: 'User', id: 'u' },
      null,
      { __typename: 'Tag', text: 'tag' },
    ]
    const services = {
      search: {
        sdl: `
          type Query { search: [Hit] named: [Named] nested: [[Hit!]]! }
          union Hit = Page | User | Tag
          interface Named { id: ID! }
          type Page implements Named @key(fields: "id") { id: ID! title: String! }
          type User implements Named @key(fields: "id") { id: ID! }
          type Tag { text: String }`,
        resolvers: {
          Query: {
            search: () => hits,
            named: () => [hits[0], hits[1]],
            nested: () => [[hits[1], hits[0]], null, []],
          },
          Page: { __resolveReference: () => hits[0] },
        },
      },
      users: {
        sdl: 'type User @key(fields: "id") { id: ID! name: String title: String likes: [Page] } type Page @key(fields: "id", resolvable: false) { id: ID! }',
        resolvers: {
          User: {
            __resolveReference: ({ id }: { id: string }) => ({
              id,
              name: `user ${id}`,
              title: null,
              likes: [{ id: 'p' }],
            }),
          },
        },
      },
      pages: {
        sdl: 'type Page @key(fields: "id") { id: ID! views: Int! }',
        resolvers: { Page: { __resolveReference: ({ id }: { id: string }) => ({ id, views: 7 }) } },
      },
    }
    const bySubgraph = { ...services.search.resolvers.Query }
    const oracle = {
      Query: bySubgraph,
      User: { name: ({ id }: { id: string }) => `user ${id}`, likes: () => [hits[0]] },
      Page: { views: () => 7 },
    }
    for (const query of [
      '{ search { __typename ... on Page { id views } ... on User { name } ... on Tag { text } } }',
      '{ search { ... on Page { id title } ... on User { id n: name likes { id title views } } } }',
      '{ named { id ... on User { name } ... on Page { views } } }',
      '{ named { id } }',
      '{ nested { ... on User { name } ... on Named { id } ... on Page { views } } }',
      '{ search { ...A } } fragment A on Hit { ...B ... on Named { ... on User { name } } } fragment B on Page { views }',
    ])
      await compare(way, services, oracle, query)
  })

  test('enums, inputs, defaults and custom scalars pass through as they are', async () => {
    const echo = (_: unknown, args: object) =>
      JSON.stringify(Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)))
    const services = {
      one: {
        sdl: `
          type Query { one(filter: Filter = { kind: A }, any: Any, ids: [ID!], e: Kind): String stamp: Any kind: Kind }
          input Filter { kind: Kind n: Int = 3 only: String }
          enum Kind { A B }
          scalar Any`,
        resolvers: { Query: { one: echo, stamp: () => ({ a: [1, { b: null }] }), kind: () => 'B' } },
      },
      two: {
        sdl: `
          type Query { two(filter: Filter, kinds: [Kind!]! = [B]): String }
          input Filter { kind: Kind n: Int = 3 }
          enum Kind { A B }`,
        resolvers: { Query: { two: echo } },
      },
    }
    const oracle = { Query: { ...services.one.resolvers.Query, two: echo } }
    const query = `query($f: Filter, $k: [Kind!]!, $any: Any, $ids: [ID!] = ["x"], $e: Kind) {
      one(filter: $f, any: $any, ids: $ids, e: $e) a: one b: one(filter: {kind: B}, any: {x: [1, "2"]}) two(filter: $f, kinds: $k) c: two stamp kind
    }`
    await compare(way, services, oracle, query, { f: { kind: 'A', n: null }, k: ['A'], any: { deep: [{}] } })
    await compare(way, services, oracle, query, { k: [], ids: ['1', 2], e: 'B' })
    await compare(way, services, oracle, query, { f: {}, k: 'A', any: 'text', ids: null })
  })
})
