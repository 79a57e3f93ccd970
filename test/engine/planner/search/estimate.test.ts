/** The estimated cost of a field equals its cost in the plan, whatever was estimated before. */
import { describe, expect, test } from 'vitest'
import { always } from '../../../../engine/operation/conditions.ts'
import { Draft } from '../../../../engine/planner/search/draft.ts'
import { Estimator } from '../../../../engine/planner/search/estimate.ts'
import { Options } from '../../../../engine/planner/search/field-options.ts'
import { createRequirements } from '../../../../engine/planner/search/requirements.ts'
import { treeIn, treeOf } from '../../../support/fetch-groups.ts'
import { randomGraph, randomOperationOf } from '../../../support/random-federation/index.ts'

/** Estimates for one operation: for a field with a key in a subgraph, as `stage/fetches/fields`. */
function estimating(tree: ReturnType<typeof treeIn>, draft: Draft = new Draft(tree.graph, undefined)) {
  const options = new Options(tree.graph)
  const requirements = createRequirements(tree)
  let steps = 0
  const estimator = new Estimator({
    options,
    requirements,
    draft,
    step: () => {
      steps += 1
    },
  })
  const estimateOf = (
    field: (typeof tree.all)[number],
    option: ReturnType<typeof options.of>[number],
  ): string => {
    const found = estimator.option(field, option)
    return found === undefined ? '-' : `${found.stage}/${found.fetches}/${found.fields}`
  }
  return {
    draft,
    steps: () => steps,
    /** The estimate of each way to fetch the field from the subgraph. */
    of: (key: string, graph: string): readonly string[] =>
      options
        .of(tree.field(key))
        .filter((option) => tree.graph.subgraphs[option.graph] === graph)
        .map((option) => `${option.kind} ${estimateOf(tree.field(key), option)}`),
    /** The estimates of all ways to fetch all fields, in reverse order if `reverse` is given. */
    all(fromLast = false): ReadonlyMap<string, string> {
      const found = tree.all.flatMap((field) =>
        options
          .of(field)
          .map((option, index): [string, string] => [
            `${field.id} ${option.key} ${index}`,
            estimateOf(field, option),
          ]),
      )
      return new Map(fromLast ? found.reverse() : found)
    },
    eachAlone: () =>
      tree.all.flatMap((field) =>
        options.of(field).map((option, index): [string, string] => {
          const alone = new Estimator({ options, requirements, draft, step: () => {} }).option(field, option)
          const text = alone === undefined ? '-' : `${alone.stage}/${alone.fetches}/${alone.fields}`
          return [`${field.id} ${option.key} ${index}`, text]
        }),
      ),
  }
}

const tree = treeOf(
  {
    a: 'type Query { p: P q: P self: Query @shareable } type P @key(fields: "id") { id: ID n: Int next: P }',
    b: `type Query { own: Int r: P @shareable }
      type P @key(fields: "id") @key(fields: "code box { size }") {
        id: ID code: ID box: Box x: Int n: Int @external twice: Int @requires(fields: "n") } type Box { size: Int }`,
    c: `type Query { r: P @shareable }
      type P @key(fields: "code box { size }") { code: ID box: Box y: Int } type Box { size: Int }`,
  },
  '{ p { id n x twice y next { deep: n } } q { other: x } self { own self { z: own } } r { code } }',
)

/** With `p` asked for at the root, and if `lookup` is given its lookup in another subgraph. */
function filled(lookup?: string): Draft {
  const draft = new Draft(tree.graph, undefined)
  const a = tree.graphOf('a')
  const fetch = { types: undefined, as: undefined, representations: [], contexts: [], deliveryGroup: '' }
  const root = draft.addFetch(tree.root, { ...fetch, kind: 'root', graph: a, after: new Set() }, undefined)
  draft.select(root, tree.field('p'), always)
  const at = tree.field('p').below
  if (lookup === undefined || at === undefined) return draft
  const graph = tree.graphOf(lookup)
  const view = tree.graph.in(graph, 'P')
  const views = new Map(view === undefined ? [] : [['P', view]])
  draft.addFetch(
    at,
    { ...fetch, kind: 'entities', graph, after: new Set([root.group]) },
    { views, types: at.types, needs: [], requires: new Set(), contexts: new Map() },
  )
  return draft
}

describe('if nothing is requested yet, a field costs', () => {
  test.each<[string, string, string, readonly string[]]>([
    ['at the root one fetch', 'p', 'a', ['root 0/1/1']],
    ['below a field also what is above', 'deep', 'a', ['above 0/1/3', 'lookup 1/3/8']],
    [
      'by a lookup a fetch more, with each that names the object',
      'x',
      'b',
      ['lookup 1/3/6', 'lookup 2/8/19'],
    ],
    ['with a requirement what that costs', 'twice', 'b', ['lookup 1/4/8', 'lookup 2/9/21']],
    ['by a key that has to be looked up a stage more', 'y', 'c', ['lookup 2/8/19']],
    ['at a root below a stage and a fetch more', 'own', 'b', ['root 1/2/3']],
    ['at a root further below another one', 'z', 'b', ['root 1/2/4']],
  ])('%s', (_, key, graph, expected) => {
    expect(estimating(tree).of(key, graph)).toEqual(expected)
  })
})

describe('if other fields are already requested, a field costs', () => {
  test('no more than itself if its objects are there', () => {
    expect(estimating(tree, filled()).of('n', 'a')).toEqual(['above 0/0/2', 'lookup 1/1/4'])
  })

  test('no fetch if there is one of its subgraph at that stage', () => {
    expect(estimating(tree, filled()).of('x', 'b')).toEqual(['lookup 1/1/4', 'lookup 2/3/14'])
    expect(estimating(tree, filled('b')).of('x', 'b')).toEqual(['lookup 1/0/4', 'lookup 2/1/10'])
    expect(estimating(tree, filled('c')).of('x', 'b')).toEqual(['lookup 1/1/4', 'lookup 2/1/10'])
    expect(estimating(tree, filled()).of('q', 'a')).toEqual(['root 0/0/1'])
    expect(estimating(tree, filled('b')).of('own', 'b')).toEqual(['root 1/1/3'])
  })

  test('no fetch more than what surrounds it costs if that is requested already', () => {
    const roots = treeOf(
      {
        a: 'type Query { again: Query @shareable }',
        b: 'type Query { again: Query @shareable }',
        c: 'type Query { z: Int }',
      },
      '{ again { z } }',
    )
    expect(estimating(roots).of('z', 'c')).toEqual(['root 1/2/3'])
    const draft = new Draft(roots.graph, undefined)
    const fetch = { types: undefined, as: undefined, representations: [], contexts: [], deliveryGroup: '' }
    // The one that comes second among those that have it.
    const graph = roots.graphOf('b')
    draft.addFetch(roots.root, { ...fetch, kind: 'root', graph, after: new Set() }, undefined)
    expect(estimating(roots, draft).of('z', 'c')).toEqual(['root 1/1/3'])
  })

  test('as much as is left when the draft has more', () => {
    const draft = new Draft(tree.graph, undefined)
    const estimates = estimating(tree, draft)
    expect(estimates.of('p', 'a')).toEqual(['root 0/1/1'])
    const fetch = { types: undefined, as: undefined, representations: [], contexts: [], deliveryGroup: '' }
    draft.addFetch(
      tree.root,
      { ...fetch, kind: 'root', graph: tree.graphOf('a'), after: new Set() },
      undefined,
    )
    expect(estimates.of('p', 'a')).toEqual(['root 0/0/1'])
    expect(estimates.of('n', 'a')[0]).toBe('above 0/0/2')
  })
})

test('an estimate that was made before takes no steps', () => {
  const estimates = estimating(tree)
  const first = estimates.of('y', 'c')
  const steps = estimates.steps()
  expect(steps).toBeGreaterThan(0)
  expect(estimates.of('y', 'c')).toEqual(first)
  expect(estimates.steps()).toBe(steps)
})

test.each([
  [43, 43_008],
  [10_793, 107_930_004],
  [9, 9005],
])('the estimates over the graph of seed %i do not depend on earlier ones', (seed, drawn) => {
  const graph = randomGraph(seed)
  const operation = treeIn(graph.supergraph, randomOperationOf(graph, drawn)?.query ?? '')
  const estimates = estimating(operation)
  const alone = estimates.eachAlone()
  expect(alone.length).toBeGreaterThan(30)
  expect([...estimates.all()]).toEqual(alone)
  expect([...estimating(operation).all(true)].reverse()).toEqual(alone)
})

test('keys in a circle cost the way from the key at which the circle is entered, whatever was estimated before', () => {
  const key = (n: number) => `k${n % 5}`
  const services = Object.fromEntries(
    [0, 1, 2, 3, 4].map((n) => [
      `s${n}`,
      `type P @key(fields: "${key(n)}") @key(fields: "${key(n + 1)}") {
        ${key(n)}: ID @shareable ${key(n + 1)}: ID @shareable x${n}: Int }`,
    ]),
  )
  const entered = { root: 'type Query { p: P } type P @key(fields: "k0") { k0: ID @shareable }', ...services }
  // The circle is entered at k0, so that x2 is as far from it on both sides.
  const [first, second, third] = ['lookup 1/3/6', 'lookup 2/5/11', 'lookup 3/7/17']
  const expected = [
    [first, second],
    [second, third],
    [third, third],
    [third, second],
    [second, first],
  ]
  for (const order of ['x0 x1 x2 x3 x4', 'x4 x3 x2 x1 x0', 'x2 x0 x4 x1 x3', 'x3 x1 x4 x2 x0']) {
    const estimates = estimating(treeOf(entered, `{ p { ${order} } }`))
    const found = new Map(order.split(' ').map((name) => [name, estimates.of(name, `s${name.slice(1)}`)]))
    expect(
      [0, 1, 2, 3, 4].map((n) => found.get(`x${n}`)),
      order,
    ).toEqual(expected)
  }
})

test('a field that waits for two hundred others counts as unreachable', () => {
  // Each requires the one before it, in the other subgraph.
  const fieldsOf = (parity: number): string =>
    Array.from({ length: 229 + parity }, (_, n) =>
      n % 2 === parity
        ? `x${n}: Int ${n === 0 ? '' : `@requires(fields: "x${n - 1}")`}`
        : `x${n}: Int @external`,
    ).join(' ')
  const chain = treeOf(
    {
      a: `type Query { p: P } type P @key(fields: "id") { id: ID ${fieldsOf(0)} }`,
      b: `type P @key(fields: "id") { id: ID ${fieldsOf(1)} }`,
    },
    `{ p { ${Array.from({ length: 230 }, (_, n) => `x${n}`).join(' ')} } }`,
  )
  const lookup = (n: number): string | undefined =>
    estimating(chain)
      .of(`x${n}`, n % 2 === 0 ? 'a' : 'b')
      .find((each) => each.startsWith('lookup'))
  expect(lookup(199)).toBe('lookup 199/598/20897')
  expect(lookup(200)).toBe('lookup -')
})
