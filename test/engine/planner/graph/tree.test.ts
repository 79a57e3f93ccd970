/** An operation as the planner sees it: which subgraphs can resolve each of its fields, and with which keys. */
import { describe, expect, test } from 'vitest'
import { DeliveryGroups } from '../../../../engine/executor/incremental/delivery-groups.ts'
import { createPlanner, PlanBoundError, PlanError, printPlan } from '../../../../engine/planner/index.ts'
import { normalisedOf } from '../../../support/normalised.ts'
import { inputOf, joined, planning, supergraphOf } from '../../../support/plans.ts'
import '../../../support/matchers.ts'

const shop = `type Query { media: [Media] } interface Media { id: ID! }
  type Film implements Media @key(fields: "id") { id: ID! }
  type Song implements Media @key(fields: "id") { id: ID! }`

describe('a field of an interface', () => {
  test('is requested type by type if no subgraph has it for all', () => {
    const plan = planning({
      shop,
      films:
        'interface Media { score: Int } type Film implements Media @key(fields: "id") { id: ID! score: Int }',
      songs:
        'interface Media { score: Int } type Song implements Media @key(fields: "id") { id: ID! score: Int }',
    })
    expect(plan('{ media { score } }')).toHavePlan(`
      sequence
        fetch shop
          { media { __typename ... on Film { id } ... on Song { id } } }
        parallel
          entities films
            media.@|Film: { ... on Film { __typename id } }
            { ... on Film { score } }
          entities songs
            media.@|Song: { ... on Song { __typename id } }
            { ... on Song { score } }
    `)
  })

  test('is asked for once for all types that the same subgraph has it of', () => {
    const plan = planning({
      shop: `${shop} type Talk implements Media @key(fields: "id") { id: ID! }`,
      films:
        'interface Media { score: Int } type Film implements Media @key(fields: "id") { id: ID! score: Int }',
      sounds: `interface Media { score: Int } type Song implements Media @key(fields: "id") { id: ID! score: Int }
        type Talk implements Media @key(fields: "id") { id: ID! score: Int }`,
    })
    expect(plan('{ media { score } }')).toHavePlan(`
      sequence
        fetch shop
          { media { __typename ... on Film { id } ... on Song { id } ... on Talk { id } } }
        parallel
          entities films
            media.@|Film: { ... on Film { __typename id } }
            { ... on Film { score } }
          entities sounds
            media.@|Song|Talk: { ... on Song|Talk { __typename id } }
            { ... on Song { score } ... on Talk { score } }
    `)
  })

  test('is not requested from the subgraph of the objects, if that subgraph has it for some of them only', () => {
    const plan = planning({
      a: `type Query { media: Media } interface Media { id: ID! }
        type Film implements Media @key(fields: "id") { id: ID! x: Int @shareable }
        type Song implements Media @key(fields: "id") { id: ID! }`,
      b: `interface Media { id: ID! x: Int }
        type Film implements Media @key(fields: "id") { id: ID! x: Int @shareable }
        type Song implements Media @key(fields: "id") { id: ID! x: Int }`,
    })
    expect(plan('{ media { x } }')).toHavePlan(`
      sequence
        fetch a
          { media { __typename id } }
        entities b
          media: { ... on Film|Song { __typename id } }
          { ... on Film { x } ... on Song { x } }
    `)
  })

  test('is requested from the one subgraph that has it for all, even if others have it for some', () => {
    const plan = planning({
      shop,
      films: 'type Film @key(fields: "id") { id: ID! score: Int @shareable only: Int }',
      ratings: `interface Media { score: Int }
        type Film implements Media @key(fields: "id") { id: ID! score: Int @shareable }
        type Song implements Media @key(fields: "id") { id: ID! score: Int }`,
    })
    expect(plan('{ media { score } }')).toHavePlan(`
      sequence
        fetch shop
          { media { __typename id } }
        entities ratings
          media.@: { ... on Film|Song { __typename id } }
          { ... on Film { score } ... on Song { score } }
    `)
  })

  test('is requested from the subgraph of the objects, whose other types that subgraph does not know', () => {
    const plan = planning({
      a: `type Query { media: Media @shareable } interface Media { id: ID! }
        type Film implements Media @key(fields: "id") { id: ID! }
        type Song implements Media @key(fields: "id") { id: ID! }`,
      b: `type Query { media: Media @shareable } interface Media { id: ID! x: Int }
        type Film implements Media @key(fields: "id") { id: ID! x: Int @shareable }`,
      c: `interface Media { id: ID! x: Int }
        type Film implements Media @key(fields: "id") { id: ID! x: Int @shareable }
        type Song implements Media @key(fields: "id") { id: ID! x: Int }`,
    })
    expect(plan('{ media { x } }')).toHavePlan(`
      fetch b
        { media { __typename x } }
    `)
  })

  /** Objects of two subgraphs that cannot be looked up, of which `x` is in `a` and `y` in `b`. */
  const unkeyed = (inA: string, inB: string) =>
    joined(`type Query @A @B { media: Media } interface Media @A @B { n: Int score: Int }
      type Film implements Media @A @B { n: Int score: Int @${inA} } type Song implements Media @A @B { n: Int score: Int @${inB} }`)

  test('is refused if no subgraph has it for all objects that it returns', () => {
    const apart = unkeyed('a', 'b')
    const plan = (query: string) => () => printPlan(createPlanner(apart).plan(inputOf(apart, query)))
    expect(plan('{ media { score } }')).toThrow(PlanError)
    expect(plan('{ media { score } }')).toThrow(
      'No subgraph that returns these objects can resolve score for all of them.',
    )
    expect(plan('{ media { ... on Film { score } } }')()).toContain('fetch a')
    expect(plan('{ media { ... on Song { score } } }')()).toContain('fetch b')
    const together = unkeyed('b', 'b')
    expect(printPlan(createPlanner(together).plan(inputOf(together, '{ media { score } }')))).toContain(
      'fetch b',
    )
  })

  test('is refused if only several subgraphs together have it for all', () => {
    const supergraph =
      joined(`type Query @A @B @C { media: Media } interface Media @A @B @C { n: Int score: Int }
      type Film implements Media @A @B @C { n: Int score: Int @a @b } type Song implements Media @A @B @C { n: Int score: Int @b @c }
      type Talk implements Media @A @B @C { n: Int score: Int @a @c }`)
    expect(() => createPlanner(supergraph).plan(inputOf(supergraph, '{ media { score } }'))).toThrow(
      'No subgraph that returns these objects can resolve score for all of them.',
    )
  })

  test.each([
    [
      'of some of the types',
      `type Query @A @B { media: Media } interface Media @A @B { n: Int } interface Heard implements Media @A @B { n: Int score: Int }
       type Film implements Media @A @B { n: Int } type Song implements Media & Heard @A @B { n: Int score: Int @a }
       type Talk implements Media & Heard @A @B { n: Int score: Int @b }`,
      '{ media { ... on Heard { score } } }',
      `parallel
  fetch a
    { media { __typename ... on Song { score } } }
  fetch b
    { media { __typename ... on Talk { score } } }`,
    ],
    [
      'of all that one of them knows',
      `type Query @A @B { media: Media } interface Media @A @B { n: Int score: Int }
       type Film implements Media @A @B { n: Int score: Int @b } type Song implements Media @A { n: Int score: Int @a }`,
      '{ media { score } }',
      `parallel
  fetch b
    { media { __typename score } }
  fetch a
    { media { __typename ... on Song { score } } }`,
    ],
    [
      'for a @requires',
      `type Query @A @B { item: Item @a } interface Media @A @B @C { score: Int }
       type Film implements Media @A @B @C { score: Int @a @c(external: true) } type Song implements Media @A @B @C { score: Int @b @c(external: true) }
       type Item @A(key: "id") @B(key: "id") @C(key: "id") { id: ID! media: Media @a @b @c(external: true) big: Int @c(requires: "media { score }") }`,
      '{ item { big } }',
      `sequence
  fetch a
    { item { __typename id media { __typename ... on Film { score } } } }
  entities b
    item: { ... on Item { __typename id } }
    { ... on Item { media { __typename ... on Song { score } } } }
  entities c
    item: { ... on Item { __typename id media { __typename ... on Film { score } ... on Song { score } } } }
    { ... on Item { big } }`,
    ],
  ])('is requested from several subgraphs if it is selected %s', (_, sdl, query, expected) => {
    const supergraph = joined(sdl)
    expect(printPlan(createPlanner(supergraph).plan(inputOf(supergraph, query)))).toBe(expected)
  })

  test('is refused by its name if one of the types has it nowhere', () => {
    const supergraph = joined(
      'type Query @A { item: Item } type Item @A { n: Int @a(external: true) m: Int }',
    )
    const plan = (query: string) => () => createPlanner(supergraph).plan(inputOf(supergraph, query))
    expect(plan('{ item { n } }')).toThrow(
      'No subgraph can resolve Item.n at the place where the operation selects it.',
    )
    expect(plan('{ item { m } }')).not.toThrow()
  })
})

test('a member of a union that one subgraph of a shared field lacks is not requested from the others', () => {
  const supergraph = joined(`type Query @A @B { both: U here: U @a }
    union U @A @B @join__unionMember(graph: A, member: "X") @join__unionMember(graph: B, member: "X") @join__unionMember(graph: A, member: "Y") = X | Y
    type X @A @B { n: Int } type Y @A { n: Int }`)
  const text = (field: string) =>
    printPlan(
      createPlanner(supergraph).plan(inputOf(supergraph, `{ ${field} { ... on X { n } ... on Y { n } } }`)),
    )
  expect(text('both')).toBe('fetch a\n  { both { __typename ... on X { n } } }')
  expect(text('here')).toBe('fetch a\n  { here { __typename ... on X { n } ... on Y { n } } }')
})

describe('what a key or @requires needs', () => {
  const plan = planning({
    a: `type Query { item: Item }
      type Item @key(fields: "id") { id: ID! name: String weight(unit: Int, of: Int): Int size: Int box: Box }
      type Box { w: Int h: Int }`,
    b: `type Item @key(fields: "id") { id: ID! size: Int @external cost: Int @requires(fields: "size")
        weight(unit: Int, of: Int): Int @external heavy: Int @requires(fields: "weight(of: 2, unit: 1)")
        box: Box @external big: Int @requires(fields: "box { w }") }
      type Box { w: Int @external }`,
  })
  /** What is requested of the object, and what is sent about it. */
  const exchanged = (fields: string) => {
    const [, , asked = '', , sent = ''] = printPlan(plan(`{ item { ${fields} } }`)).split('\n')
    return [/item \{ __typename (.*) \} \}/.exec(asked)?.[1], /__typename (.*) \} \}$/.exec(sent)?.[1]]
  }

  test.each([
    ['has its own name', 'cost', 'id size', 'id size'],
    ['is what the client selects under that name', 'size cost', 'id size', 'id size'],
    ['is asked for beside another key of the client', 'k: size cost', 'id size k: size', 'id size'],
    [
      'has an alias where the client has something else there',
      'size: name cost',
      'id _1_size: size size: name',
      'id size: _1_size',
    ],
    [
      'has an alias that is free',
      'size: name _1_size: name cost',
      'id _2_size: size size: name _1_size: name',
      'id size: _2_size',
    ],
    ['has an alias as a key, too', 'id: name cost', '_1_id: id size id: name', 'id: _1_id size'],
    [
      'is what the client selects with the same arguments in any order',
      'weight(unit: 1, of: 2) heavy',
      'id weight(unit: 1, of: 2)',
      'id weight',
    ],
    [
      'is not what the client selects with other arguments',
      'weight(unit: 2, of: 1) heavy',
      'id _1_weight: weight(of: 2, unit: 1) weight(unit: 2, of: 1)',
      'id weight: _1_weight',
    ],
    [
      'is not what the client selects without arguments',
      'weight heavy',
      'id _1_weight: weight(of: 2, unit: 1) weight',
      'id weight: _1_weight',
    ],
    [
      'is put together with what the client selects below it',
      'box { h } big',
      'id box { w h }',
      'id box { w }',
    ],
    [
      'has an alias below what the client selects',
      'box { w: h } big',
      'id box { _1_w: w w: h }',
      'id box { w: _1_w }',
    ],
  ])('%s', (_, fields, asked, sent) => {
    expect(exchanged(fields)).toEqual([asked, sent])
  })
})

test('a provided field is requested only on the way that provides it, at any depth', () => {
  const plan = planning({
    a: `type Query { items: [Item] best: Item @provides(fields: "box { w } name") all: [Item] @provides(fields: "box { part { n } }") }
      type Item @key(fields: "id") { id: ID! box: Box @external name: String @external }
      type Box @key(fields: "id") { id: ID! w: Int @external part: Part @external }
      type Part @key(fields: "id") { id: ID! n: Int @external m: Int }`,
    b: `type Item @key(fields: "id") { id: ID! box: Box name: String }
      type Box @key(fields: "id") { id: ID! w: Int part: Part } type Part @key(fields: "id") { id: ID! n: Int }`,
  })
  expect(plan('{ best { name box { w } } all { box { part { n m } } } }')).toHavePlan(`
    fetch a
      { best { name box { w } } all { box { part { n m } } } }
  `)
  expect(plan('{ items { name } }')).toHavePlan(`
    sequence
      fetch a
        { items { __typename id } }
      entities b
        items.@: { ... on Item { __typename id } }
        { ... on Item { name } }
  `)
  expect(plan('{ best { box { w part { n } } } }')).toHavePlan(`
    sequence
      fetch a
        { best { box { __typename id w } } }
      entities b
        best.box: { ... on Box { __typename id } }
        { ... on Box { part { n } } }
  `)
})

test('an operation may have as many fields as are planned, and not one more', () => {
  const supergraph = supergraphOf({ a: 'type Query { item: Item } type Item { n: Int item: Item }' })
  const planner = createPlanner(supergraph, { mostFields: 4 })
  const query = (more: string) => inputOf(supergraph, `{ item { a: n item { n } ${more} } }`)
  expect(() => planner.plan(query(''))).not.toThrow()
  const plan = () => planner.plan(query('b: n'))
  expect(plan).toThrow(PlanBoundError)
  expect(plan).toThrow(expect.objectContaining({ ofTime: false }))
  expect(plan).toThrow('The operation selects more than 4 fields once its fragments are spread.')
})

describe('objects that do not tell their type', () => {
  const supergraph = supergraphOf({
    a: `type Query { a: Int } interface Media @key(fields: "id") { id: ID! }
      type Film implements Media @key(fields: "id") { id: ID! m: Int } type Song implements Media @key(fields: "id") { id: ID! }`,
    b: `type Query { media: Media } type Media @key(fields: "id") @interfaceObject { id: ID! b: Int c: Int }`,
  })
  const planner = createPlanner(supergraph)
  /** The fetches, the delivery group of each, and what they wait for. */
  const fetches = (query: string) => {
    const { operation } = new DeliveryGroups(supergraph.apiSchema, {}).divide(
      normalisedOf(supergraph.apiSchema, query),
    )
    const made = planner.planIncremental({ operation })
    return made.map(({ node, deliveryGroup, after }) => [
      printPlan(node).split('\n').at(-1)?.trim(),
      deliveryGroup,
      after,
    ])
  }

  test('are asked for it before a later delivery group that depends on it', () => {
    const expected = [
      ['{ media { id b } }', '', []],
      ['{ ... on Media { __typename } }', '', [0]],
      ['{ ... on Media { c } }', '#p1_0', [0, 1]],
    ]
    expect(fetches('{ media { b ... on Film @defer { c } } }')).toEqual(expected)
    expect(fetches('{ media { b ... @defer { ... on Film { c } } } }')).toEqual(expected)
  })

  test('are asked for it with the first part if that depends on it, too', () => {
    expect(fetches('{ media { b ... on Film { c ... @defer { m } } } }')).toEqual([
      ['{ media { id b } }', '', []],
      ['{ ... on Media { __typename } }', '', [0]],
      ['{ ... on Media { __typename ... on Film { m } } }', '#p1_0', [0]],
      ['{ ... on Media { c } }', '', [0, 1]],
    ])
  })

  test('are not asked for it if nothing depends on it', () => {
    expect(fetches('{ media { b ... @defer { c } } }')).toEqual([
      ['{ media { id b } }', '', []],
      ['{ ... on Media { c } }', '#p1_0', [0]],
    ])
  })
})

test('the time is checked after each 256 fields of an operation', () => {
  const supergraph = supergraphOf({ a: 'type Query { n: Int }' })
  /** Until the tree is there, and the search begins. */
  const looks = (count: number): number => {
    let made = 0
    const planner = createPlanner(supergraph, { now: () => made++ })
    const fields = Array.from({ length: count }, (_, index) => `f${index}: n`).join(' ')
    planner.planning({ ...inputOf(supergraph, `{ ${fields} }`), deadline: 1e9 }).next()
    return made
  }
  expect([looks(256) - looks(255), looks(511) - looks(256), looks(512) - looks(511)]).toEqual([1, 0, 1])
})
