/**
 * How far the search for a plan goes, counted by reads of the clock, of which there is one after each 64 steps.
 */
import { describe, expect, test } from 'vitest'
import { createPlanner, type PlannerOptions } from '../../../engine/planner/index.ts'
import { inputOf, stagesOf, supergraphOf } from '../../support/plans.ts'
import { randomGraph, randomOperationOf } from '../../support/random-federation/index.ts'

/** Looks at the clock, and the stages of the plan. */
function searched(
  source: ReturnType<typeof supergraphOf>,
  query: string,
  options: PlannerOptions = {},
): { looks: number; stages: number } {
  let looks = 0
  const planner = createPlanner(source, { ...options, now: () => looks++ })
  return { stages: stagesOf(planner.plan({ ...inputOf(source, query), deadline: 1e12 })), looks }
}

describe('the search for a plan', () => {
  // A drawn one, whose alternatives take ten times the steps of the first plan.
  const graph = randomGraph(43)
  const query = randomOperationOf(graph, 43_010)?.query ?? ''

  test('continues for the granted number of steps after the first plan, and ends with the last alternative', () => {
    const [first, some, all] = [0, 500, Number.POSITIVE_INFINITY].map((steps) =>
      searched(graph.supergraph, query, { steps }),
    )
    expect(first!.looks).toBeLessThan(some!.looks)
    expect(some!.looks).toBeLessThan(all!.looks / 2)
    expect(first!.stages).toBeGreaterThanOrEqual(all!.stages)
    expect(some!.looks).toBeLessThan(20)
  })

  test('finds no worse plan in more steps', () => {
    const stages = [0, 500, 2000, Number.POSITIVE_INFINITY].map(
      (steps) => searched(graph.supergraph, query, { steps }).stages,
    )
    expect(stages).toEqual([...stages].sort((a, b) => b - a))
  })

  test('checks the clock once in many steps', () => {
    const source = supergraphOf({ a: 'type Query { item: Item } type Item { n: Int }' })
    const wide = (count: number) =>
      `{ item { ${Array.from({ length: count }, (_, n) => `n${n}: n`).join(' ')} } }`
    expect(searched(source, wide(30)).looks).toBeLessThan(4)
    expect(searched(source, wide(1500)).looks).toBeLessThan(60)
    expect(searched(source, wide(1500)).looks).toBeGreaterThan(10)
  })

  test('yields to other work at regular intervals', () => {
    const source = supergraphOf({ a: 'type Query { item: Item } type Item { n: Int }' })
    const query = `{ item { ${Array.from({ length: 3000 }, (_, n) => `n${n}: n`).join(' ')} } }`
    let looks = 0
    const planning = createPlanner(source, { now: () => looks++ }).planning({
      ...inputOf(source, query),
      deadline: 1e12,
    })
    // Looks within each turn, of which one is 64 steps.
    const turns: number[] = []
    for (let before = 0; planning.next().done !== true; before = looks) turns.push(looks - before)
    expect(turns.length).toBeGreaterThan(4)
    for (const looksOfTurn of turns.slice(1, -1)) expect(looksOfTurn).toBe(1)
  })
})
