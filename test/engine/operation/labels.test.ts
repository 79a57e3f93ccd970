/** Labels of `@override`: shares of requests by a stable draw, and others by the configuration. */
import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createEngine } from '../../../engine/index.ts'
import { decideLabels, drawOf, percentOf } from '../../../engine/operation/labels.ts'
import { createPlanner, printPlan } from '../../../engine/planner/index.ts'
import type { Transport } from '../../../engine/subgraphs/index.ts'
import { compose } from '../../../engine/supergraph/compose/index.ts'
import { loadSupergraph, type Supergraph } from '../../../engine/supergraph/index.ts'
import { testGatewayRequest } from '../../support/federation.ts'
import { planInputOf } from '../../support/normalised.ts'
import { joined } from '../../support/plans.ts'

const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@override"])\n'

/** Transports whose subgraphs have this data. */
function transportsTo({ subgraphs }: Supergraph, data: Record<string, unknown>): Map<string, Transport> {
  const all = { prepare: () => () => ({ data: { ...data } }), close: async () => {} }
  return new Map(subgraphs.map(({ name }) => [name, { name, ...all }]))
}

describe('a label', () => {
  test('of the form percent(N) moves N of a hundred requests', () => {
    expect(['percent(5)', 'percent(12.5)', 'percent', 'beta'].map(percentOf)).toEqual([
      5,
      12.5,
      undefined,
      undefined,
    ])
    const draws = Array.from({ length: 4000 }, (_, n) => drawOf('percent(25)', `request ${n}`))
    expect(draws.every((draw) => draw >= 0 && draw < 100)).toBe(true)
    const share = draws.filter((draw) => draw < 25).length / draws.length
    expect(share).toBeGreaterThan(0.2)
    expect(share).toBeLessThan(0.3)
  })

  test('has one draw throughout a request', () => {
    expect(drawOf('percent(50)', 'a')).toBe(drawOf('percent(50)', 'a'))
    const decide = decideLabels(testGatewayRequest(), undefined)
    expect(decide('percent(50)')).toBe(decide('percent(50)'))
    expect([decide('percent(0)'), decide('percent(100)')]).toEqual([false, true])
  })

  test('of another form is for the configuration to decide, and moves nothing without it', () => {
    const request = testGatewayRequest()
    expect(decideLabels(request, undefined)('beta')).toBe(false)
    expect(decideLabels(request, (label) => label === 'beta')('beta')).toBe(true)
  })

  test('decides from which subgraph its fields come', () => {
    const { supergraph } = compose([
      {
        name: 'old',
        url: '',
        typeDefs: parse(`${link} type Query { t: T } type T @key(fields: "id") { id: ID! f: Int }`),
      },
      {
        name: 'new',
        url: '',
        typeDefs: parse(
          `${link} type T @key(fields: "id") { id: ID! f: Int @override(from: "old", label: "percent(1)") }`,
        ),
      },
    ])
    const planner = createPlanner(loadSupergraph(supergraph ?? ''))
    const input = planInputOf(loadSupergraph(supergraph ?? '').apiSchema, '{ t { f } }')
    expect(planner.labels).toEqual(['percent(1)'])
    expect(printPlan(planner.plan(input))).toBe('fetch old\n  { t { f } }')
    expect(printPlan(planner.plan({ ...input, decide: () => true }))).toContain('entities new')
  })
  test('decides for what is left without a field that has an invalid argument, too', async () => {
    const supergraph = joined(`type Query @A @B {
      x(n: Int! = 1): Int @a y: Int @b(override: "c", overrideLabel: "moved") }`)
    let isMoved = false
    const engine = createEngine({
      supergraph,
      transports: transportsTo(supergraph, { y: 5 }),
      overrideLabels: () => isMoved,
    })
    const operation = engine.compile({ document: parse('query ($n: Int) { x(n: $n) y }') })
    const run = async () => operation.execute({ n: null }, testGatewayRequest())
    await expect(run()).rejects.toThrow('No subgraph can resolve Query.y')
    isMoved = true
    expect((await run()).data).toEqual({ x: null, y: 5 })
  })
  test('of which others are decided often leaves the usual plan in memory', async () => {
    const fields = Array.from(
      { length: 7 },
      (_, n) => `f${n}: Int @a @b(override: "a", overrideLabel: "l${n}")`,
    )
    const supergraph = joined(`type Query @A @B { ${fields.join(' ')} }`)
    let planned = 0
    let moved = 0
    const engine = createEngine({
      supergraph,
      transports: transportsTo(supergraph, {}),
      overrideLabels: (label) => (moved & (1 << Number(label.slice(1)))) > 0,
      aroundPlan(make) {
        planned += 1
        return make()
      },
    })
    const operation = engine.compile({ document: parse('{ f0 }') })
    const plansFor = (some: number): number => {
      moved = some
      const before = planned
      operation.plan(testGatewayRequest())
      return planned - before
    }
    for (let others = 1; others < 100; others++) {
      expect(plansFor(others)).toBe(1)
      expect(plansFor(0)).toBe(others === 1 ? 1 : 0)
    }
    expect(plansFor(1)).toBe(1)
  })
})
