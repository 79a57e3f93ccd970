/** Lookups of which some fields need more than the key: those have representations of their own. */
import { describe, expect, test } from 'vitest'
import { createGraph } from '../../../../engine/planner/graph/graph.ts'
import { splitByNeed } from '../../../../engine/planner/output/split-groups.ts'
import type { FetchGroup, RepresentedTypes } from '../../../../engine/planner/search/groups.ts'
import { conjunctionOf, entryOf, fieldOf, groupOf, selectionOf } from '../../../support/fetch-entries.ts'
import { planning, supergraphOf } from '../../../support/plans.ts'
import '../../../support/matchers.ts'

const graph = createGraph(
  supergraphOf({
    a: 'type Query { item: Item } type Item @key(fields: "id") { id: ID! weight: Int }',
    b: `type Item @key(fields: "id") { id: ID! weight: Int @external stock: Int
      cost: Int @requires(fields: "weight") tax: Int @requires(fields: "weight") }`,
  }),
  () => false,
)
const [inA, inB] = [0, 1].map((index) => graph.in(index, 'Item')!)

/** A field of the objects, which subgraph `b` has. */
const entry = (name: string, ...when: readonly string[]) =>
  entryOf(
    fieldOf(name, {
      candidates: [
        { graph: 0, views: new Map([['Item', inA!]]) },
        { graph: 1, views: new Map([['Item', inB!]]) },
      ],
    }),
    { when: when.map(conjunctionOf) },
  )
const represented = (...names: readonly string[]): RepresentedTypes => ({
  types: undefined,
  typename: 'Item',
  fields: names.map((name) => ({ key: name, name, types: undefined, fields: undefined })),
})

const root = groupOf({ id: 0, kind: 'root', stage: 0 })
const weights = groupOf({ id: 1, graph: 2, stage: 1, after: new Set([root]) })
const lookup = (more: Partial<FetchGroup>) =>
  groupOf({
    id: 2,
    graph: 1,
    stage: 2,
    after: new Set([root, weights]),
    representations: [represented('id', 'weight')],
    byKey: { representations: [represented('id')], after: new Set([root]) },
    when: [conjunctionOf('')],
    ...more,
  })
/** What is asked for, by which representations, under which conditions, and behind which groups. */
const drawn = (groups: readonly FetchGroup[]) =>
  groups.map(({ id, selection, representations, after, when }) =>
    [
      `${id}:`,
      ...[...selection.entries.values()].map(({ field }) => field.key),
      `by ${representations.flatMap(({ fields }) => fields.map(({ name }) => name)).join(' ')}`,
      `if ${when.map(({ key }) => key).join(' or ')}`,
      `after ${[...after].map((each) => each.id).join(' ')}`,
    ].join(' '),
  )

describe('a lookup', () => {
  test('is split if only some of its fields require something', () => {
    const both = lookup({
      selection: selectionOf(
        entry('stock', '$x'),
        entry('cost', '$y', '$z'),
        entry('tax', '$y'),
        entry('id', '$x $y'),
      ),
    })
    expect(drawn(splitByNeed([root, weights, both]).slice(2))).toEqual([
      '3: stock id by id if $x after 0',
      '2: cost tax by id weight if $y or $z after 0 1',
    ])
    expect(drawn([both])).toEqual(['2: stock cost tax id by id weight if  after 0 1'])
  })

  test('keeps its other properties in both halves', () => {
    const selection = selectionOf(entry('stock', ''), entry('cost', ''))
    selection.abstract = true
    const [half, other] = splitByNeed([lookup({ selection, deliveryGroup: '#p1_0' })])
    for (const each of [half, other]) {
      expect(each?.selection.abstract).toBe(true)
      expect([each?.graph, each?.stage, each?.deliveryGroup]).toEqual([1, 2, '#p1_0'])
    }
  })

  test.each([
    ['that all require something', ['cost', 'tax']],
    ['that require nothing', ['stock', 'id']],
  ])('keeps fields %s together', (_, names) => {
    const one = lookup({ selection: selectionOf(...names.map((name) => entry(name, ''))) })
    expect(drawn(splitByNeed([root, one]))).toEqual(drawn([root, one]))
  })

  test('is not split if all of its fields wait for the same fetches', () => {
    const groups = [
      root,
      weights,
      lookup({ byKey: undefined, selection: selectionOf(entry('stock', ''), entry('cost', '')) }),
    ]
    expect(splitByNeed(groups)).toBe(groups)
    const others = [
      ...groups,
      lookup({ id: 3, selection: selectionOf(entry('stock', ''), entry('cost', '')) }),
    ]
    expect(drawn(splitByNeed(others)).map((each) => each.split(' by ')[0])).toEqual([
      '0:',
      '1:',
      '2: stock cost',
      '4: stock',
      '3: cost',
    ])
  })
})

test('a fetch that waits for a split lookup waits for both halves, each half for what it needs', () => {
  const selection = () => selectionOf(entry('stock', ''), entry('cost', ''))
  const first = lookup({ selection: selection() })
  const second = lookup({
    id: 3,
    selection: selection(),
    after: new Set([first, weights]),
    byKey: { representations: [represented('id')], after: new Set([first, root]) },
  })
  const last = groupOf({ id: 4, after: new Set([second, root]) })
  expect(
    drawn(splitByNeed([root, weights, first, second, last])).map(
      (each) => `${each.split(' ')[0]} ${each.split('after ')[1]}`,
    ),
  ).toEqual(['0: ', '1: 0', '5: 0', '2: 0 1', '6: 5 2 0', '3: 5 2 1', '4: 6 3 0'])
})

test('in a plan both halves are asked for in one fetch', () => {
  const plan = planning({
    a: 'type Query { item: Item } type Item @key(fields: "id") { id: ID! }',
    b: 'type Item @key(fields: "id") { id: ID! weight: Int }',
    c: 'type Item @key(fields: "id") { id: ID! weight: Int @external stock: Int cost: Int @requires(fields: "weight") }',
  })
  expect(plan('{ item { stock cost } }')).toHavePlan(`
    sequence
      fetch a
        { item { __typename id } }
      entities b
        item: { ... on Item { __typename id } }
        { ... on Item { weight } }
      entities c
        item: { ... on Item { __typename id } }
        { ... on Item { stock } }
        item: { ... on Item { __typename id weight } }
        { ... on Item { cost } }
  `)
})
