/**
 * What plans of random operations over random graphs cost. Their answers are compared elsewhere
 * (`federation/random-graphs.test.ts`), which a plan passes that fetches more than it has to.
 */
import { expect, test } from 'vitest'
import { createPlanner, printPlan } from '../../../engine/planner/index.ts'
import { planInputOf } from '../../support/normalised.ts'
import { fetchesOf, stagesOf } from '../../support/plans.ts'
import { randomGraph, randomOperationOf } from '../../support/random-federation/index.ts'

/**
 * By the seed of the graph, for each of its operations: stages, fetches, and words of the plan as it is printed. If
 * planning was made better, or the graphs are drawn otherwise, the new figures take the place of these.
 */
const costs: Readonly<Record<number, string>> = {
  2: '2/2/30 2/2/18 2/2/56 1/1/20 2/4/74 4/5/110 2/2/24 2/2/38 3/3/73 2/4/55 2/2/60 4/4/110',
  4: '1/1/7 0/0/3 1/1/4 2/4/62 3/5/79 2/5/111 2/3/38 2/2/26 1/1/4 2/3/40 1/2/12 3/5/104',
  5: '1/1/11 2/3/42 2/3/39 2/3/65 2/3/66 2/3/37 1/1/11 2/3/28 1/1/13 2/3/52 2/5/91 2/6/84',
  6: '3/3/40 1/1/12 2/3/23 2/3/55 4/4/121 4/4/117 3/3/36 3/3/52 4/5/85 2/3/92 2/5/121 4/6/114',
  9: '1/1/5 2/3/27 3/4/77 4/8/126 3/4/55 6/11/351 2/2/25 2/2/29 2/2/52 3/7/128 3/3/55 6/7/122',
  10: '1/1/7 4/5/76 0/0/3 2/4/41 3/5/128 3/7/155 2/2/17 3/4/55 1/2/17 2/3/39 3/4/81 1/1/7',
  11: '1/1/7 2/2/26 1/1/4 2/4/63 2/4/65 3/4/101 1/2/19 2/2/26 3/3/43 1/1/25 2/4/85 1/2/9',
  12: '2/2/22 2/2/38 0/0/3 2/2/47 1/1/9 2/3/36 1/1/4 0/0/3 2/2/49 2/4/67 3/3/77 2/2/60',
}

const operationsOfEach = 12

test.each(Object.entries(costs))(
  'plans of random operations over the graph of seed %s have the recorded costs',
  (seed, expected) => {
    const graph = randomGraph(Number(seed))
    const planner = createPlanner(graph.supergraph)
    const costOf = (text: string): string => {
      const plan = planner.plan(planInputOf(graph.supergraph.apiSchema, text))
      return [stagesOf(plan), fetchesOf(plan), printPlan(plan).match(/\w+/g)?.length].join('/')
    }
    const found = Array.from({ length: operationsOfEach }, (_, i) => {
      const operation = randomOperationOf(graph, Number(seed) * 1000 + i)
      return operation === undefined ? '-' : costOf(operation.query)
    })
    expect(found.join(' ')).toBe(expected)
  },
)
