/** Labels of `@override`: shares of requests by a stable draw, and others by the configuration. */
import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { decideLabels, drawOf, percentOf } from '../../../engine/operation/labels.ts'
import { createPlanner, printPlan } from '../../../engine/planner/index.ts'
import { compose } from '../../../engine/supergraph/compose/index.ts'
import { loadSupergraph } from '../../../engine/supergraph/index.ts'
import { testGatewayRequest } from '../../support/federation.ts'
import { planInputOf } from '../../support/normalised.ts'

const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@override"])\n'

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
})
