/** Planning is bounded: an operation with very many possible plans gets a good one within the bounds. */
import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createPlanner, PlanBoundError } from '../../../engine/planner/index.ts'
import { loadSupergraph } from '../../../engine/supergraph/index.ts'
import { startFederation, testGatewayRequest } from '../../support/federation.ts'
import { treeOf } from '../../support/fetch-groups.ts'
import { planInputOf } from '../../support/normalised.ts'
import { planning, stagesOf } from '../../support/plans.ts'
import { composeAny, randomGraph, randomOperationOf } from '../../support/random-federation/index.ts'

const count = 8
const subgraphs = Array.from({ length: count }, (_, i) => i)
const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@requires", "@external"])'

/** Each subgraph shares most fields with the others, has keys in common with two, and requires a field of one. */
const services = Object.fromEntries(
  subgraphs.map((i) => {
    const keys = [i, (i + 1) % count].map((key) => `k${key}: ID! @shareable`).join(' ')
    const shared = subgraphs
      .filter((field) => (field + i) % 3 !== 0)
      .map((field) => `f${field}: Int @shareable n${field}: Item @shareable`)
    const required = i === 0 ? '' : `own${i - 1}: Int @external q${i}: Int @requires(fields: "own${i - 1}")`
    return [
      `s${i}`,
      `${link} type Query { root: Item @shareable } type Item @key(fields: "id") @key(fields: "k${i} k${(i + 1) % count}") {
         id: ID! @shareable ${keys} ${shared.join(' ')} own${i}: Int ${required} }`,
    ]
  }),
)
const supergraph = loadSupergraph(composeAny(services).supergraph!)
const leaves = [...subgraphs.flatMap((i) => [`f${i}`, `own${i}`]), 'q1', 'q4', 'q7'].join(' ')
const nested = (depth: number): string =>
  depth === 0 ? `{ ${leaves} }` : `{ ${leaves} n0 ${nested(depth - 1)} n1 ${nested(depth - 1)} }`
const hostile = parse(`{ root ${nested(4)} }`)
const input = planInputOf(supergraph.apiSchema, hostile)

/** A clock that goes on by a millisecond whenever it is looked at. */
function counting() {
  let time = 0
  return { now: () => time++, looks: () => time }
}

describe('an operation with very many ways to be answered', () => {
  test('has a plan of as few stages if no steps are spent on a better one', () => {
    const first = createPlanner(supergraph, { steps: 0 }).plan(input)
    const usual = createPlanner(supergraph).plan(input)
    expect(stagesOf(usual)).toBe(3)
    expect(stagesOf(first)).toBe(3)
  })

  test('gets the best plan so far when its share of the time is over, however many steps are left', () => {
    // A drawn one, whose alternatives take ten times the steps of the first plan.
    const graph = randomGraph(43)
    const drawn = planInputOf(graph.supergraph.apiSchema, randomOperationOf(graph, 43_010)?.query ?? '')
    const looksUntil = (deadline: number) => {
      const { now, looks } = counting()
      const planner = createPlanner(graph.supergraph, { steps: Number.POSITIVE_INFINITY, now })
      const plan = planner.plan({ ...drawn, deadline })
      return { looks: looks(), stages: stagesOf(plan) }
    }
    const all = looksUntil(1e9)
    expect(all.looks).toBeGreaterThan(40)
    // A twentieth of the time is for the search.
    const half = Math.floor(all.looks / 2)
    const some = looksUntil(half * 20)
    expect(Math.abs(some.looks - half)).toBeLessThan(3)
    expect(some.stages).toBe(all.stages)
  })

  test('whose keys need each other in circles takes a bounded number of steps, however many ways around there are', () => {
    // Drawn ones: before each field was estimated once, they took 50,000 steps and more than a million.
    for (const [seed, drawn] of [
      [43, 43_008],
      [10_793, 107_930_004],
    ] as const) {
      const graph = randomGraph(seed)
      const given = planInputOf(graph.supergraph.apiSchema, randomOperationOf(graph, drawn)?.query ?? '')
      const planner = createPlanner(graph.supergraph, { steps: 0, mostSteps: 2000 })
      expect(stagesOf(planner.plan(given))).toBeGreaterThan(1)
    }
  })

  test('that is nested deeply is planned within the bounded number of steps', () => {
    const depth = 300
    const deep = parse(`{ root ${'{ n0 '.repeat(depth)} { q4 own1 } ${'}'.repeat(depth)} }`)
    const planner = createPlanner(supergraph, { steps: 0, mostSteps: 100_000 })
    expect(stagesOf(planner.plan(planInputOf(supergraph.apiSchema, deep)))).toBe(3)
  })

  test('is refused if the time of the request does not suffice for any plan', () => {
    const { now } = counting()
    const planner = createPlanner(supergraph, { now })
    expect(() => planner.plan({ ...input, deadline: 10 })).toThrow(PlanBoundError)
    expect(() => planner.plan({ ...input, deadline: 0 })).toThrow('no plan was found within the time')
  })

  test('is refused if it has more fields than are planned, or takes more steps', () => {
    expect(() => createPlanner(supergraph, { mostFields: 100 }).plan(input)).toThrow(
      'The operation selects more than 100 fields',
    )
    expect(() => createPlanner(supergraph, { mostSteps: 10 }).plan(input)).toThrow(
      'The operation is too complex to be planned.',
    )
  })
})

describe('an interface with many object types', () => {
  const types = (number: number, fields: (type: number) => string): string =>
    Array.from(
      { length: number },
      (_, i) => `type T${i} implements N @key(fields: "id") { id: ID! ${fields(i)} }`,
    ).join(' ')

  test('that lacks a field in a subgraph is refused if the field is nested so deeply that its text multiplies', () => {
    const plan = planning({
      a: `type Query { root: N } interface N { id: ID! } ${types(6, () => 'n: N @shareable')}`,
      b: `interface N { id: ID! n: N } ${types(6, () => 'n: N @shareable')}`,
    })
    const nested = (depth: number): string => `{ root ${'{ n '.repeat(depth)}{ id }${' }'.repeat(depth)} }`
    expect(stagesOf(plan(nested(3)))).toBe(1)
    expect(() => plan(nested(15))).toThrow(PlanBoundError)
    expect(() => plan(nested(15))).toThrow('its fetches would have more than 1000000 characters')
  })

  test('is planned with fields of each of them at several levels', () => {
    const plan = planning({
      a: `type Query { root: N } interface N { id: ID! n: N } ${types(100, () => 'n: N @shareable')}`,
      b: `interface N { id: ID! n: N p: Int } ${types(100, () => 'n: N @shareable p: Int')}`,
      c: Array.from({ length: 100 }, (_, i) => `type T${i} @key(fields: "id") { id: ID! q${i}: Int }`).join(
        ' ',
      ),
    })
    const each = Array.from({ length: 100 }, (_, i) => `... on T${i} { p q${i} }`).join(' ')
    expect(stagesOf(plan(`{ root { ...F n { ...F n { ...F } } } } fragment F on N { ${each} }`))).toBe(2)
  })

  test('is found out about once, however often a field leads to it', () => {
    const { fields } = treeOf(
      { a: `type Query { root: N } interface N { id: ID! n: N m: N } ${types(3, () => 'n: N m: N')}` },
      '{ root { n { n { n { id } } } m { n { id } } } }',
    )
    expect(new Set([...fields('n'), ...fields('m')].map(({ below }) => below?.resolvedIn)).size).toBe(1)
  })
})

test('a request without time is refused with a code, and the next one gets a plan', async () => {
  const item = {
    sdl: 'type Query { item: Item } type Item { f: Int }',
    resolvers: { Query: { item: () => ({ f: 1 }) } },
  }
  await using federation = await startFederation({ item })
  const aliases = Array.from({ length: 300 }, (_, i) => `a${i}: f`).join(' ')
  const compiled = federation.engine.compile({ document: parse(`{ item { ${aliases} } }`) })
  expect(() => compiled.execute({}, testGatewayRequest({ timeoutMs: 0 }))).toThrow(
    expect.objectContaining({ extensions: expect.objectContaining({ code: 'OPERATION_TOO_LARGE' }) }),
  )
  const { data, errors } = await compiled.execute({}, testGatewayRequest())
  expect(errors).toBeUndefined()
  expect(data).toMatchObject({ item: { a0: 1, a299: 1 } })
})
