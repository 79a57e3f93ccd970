/** An operation as the planner sees it: which subgraphs each of its fields can be asked of, and under which keys. */
import { describe, expect, test } from 'vitest'
import { createPlanner, PlanBoundError, PlanError, printPlan } from '../../../../gateway/engine/plan/index.ts'
import { loadSupergraph } from '../../../../gateway/engine/supergraph/index.ts'
import { inputOf, planning, supergraphOf } from '../../../support/plans.ts'
import '../../../support/matchers.ts'

const shop = `type Query { media: [Media] } interface Media { id: ID! }
  type Film implements Media @key(fields: "id") { id: ID! }
  type Song implements Media @key(fields: "id") { id: ID! }`

describe('a field of an interface', () => {
  test('is asked for type by type where no subgraph has it of all', () => {
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

  test('is asked for at once where one subgraph has it of all, whoever has it of some', () => {
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

  test('is asked for where the objects come from, whose other types that subgraph does not know', () => {
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
    loadSupergraph(`
      enum join__Graph { A @join__graph(name: "a", url: "http://127.0.0.1:1/") B @join__graph(name: "b", url: "http://127.0.0.1:1/") }
      type Query @join__type(graph: A) @join__type(graph: B) { media: Media }
      interface Media @join__type(graph: A) @join__type(graph: B) { n: Int score: Int }
      type Film implements Media @join__type(graph: A) @join__type(graph: B) { n: Int score: Int @join__field(graph: ${inA}) }
      type Song implements Media @join__type(graph: A) @join__type(graph: B) { n: Int score: Int @join__field(graph: ${inB}) }`)

  test('is refused where no subgraph has it of all objects that it brings', () => {
    const apart = unkeyed('A', 'B')
    const plan = (query: string) => () => printPlan(createPlanner(apart).plan(inputOf(apart, query)))
    expect(plan('{ media { score } }')).toThrow(PlanError)
    expect(plan('{ media { score } }')).toThrow(
      'No subgraph that has the objects at hand can be asked for score of all of them.',
    )
    expect(plan('{ media { ... on Film { score } } }')()).toContain('fetch a')
    expect(plan('{ media { ... on Song { score } } }')()).toContain('fetch b')
    const together = unkeyed('B', 'B')
    expect(printPlan(createPlanner(together).plan(inputOf(together, '{ media { score } }')))).toContain(
      'fetch b',
    )
  })

  test('is refused by its name where one of the types has it nowhere', () => {
    const supergraph = loadSupergraph(`
      enum join__Graph { A @join__graph(name: "a", url: "http://127.0.0.1:1/") }
      type Query @join__type(graph: A) { item: Item } type Item @join__type(graph: A) { n: Int @join__field(graph: A, external: true) m: Int }`)
    const plan = (query: string) => () => createPlanner(supergraph).plan(inputOf(supergraph, query))
    expect(plan('{ item { n } }')).toThrow(
      'No subgraph can be asked for Item.n where the operation selects it.',
    )
    expect(plan('{ item { m } }')).not.toThrow()
  })
})

test('a type that one of several subgraphs does not know in a union does not come from the other either', () => {
  const supergraph = loadSupergraph(`
    enum join__Graph { A @join__graph(name: "a", url: "http://127.0.0.1:1/") B @join__graph(name: "b", url: "http://127.0.0.1:1/") }
    type Query @join__type(graph: A) @join__type(graph: B) { both: U here: U @join__field(graph: A) }
    union U @join__type(graph: A) @join__type(graph: B) @join__unionMember(graph: A, member: "X") @join__unionMember(graph: B, member: "X") @join__unionMember(graph: A, member: "Y") = X | Y
    type X @join__type(graph: A) @join__type(graph: B) { n: Int } type Y @join__type(graph: A) { n: Int }`)
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
  /** What is asked of the object, and what is sent of it. */
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

test('what is provided is asked for on that way alone, at any depth', () => {
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
