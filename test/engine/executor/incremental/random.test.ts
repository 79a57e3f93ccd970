/**
 * Incremental responses over random supergraphs: merged, they are what graphql-js 17 makes of the same operation over
 * one schema, nulls that go up and all; nothing comes twice. `TESSERA_TEST_OPERATIONS` sets how many operations,
 * `TESSERA_TEST_SEED` draws others. What is found is made small and printed.
 */
import { expect, test } from 'vitest'
import { campaignSize } from '../../../support/campaign-size.ts'
import { judgeIncremental, withDirectives } from '../../../support/incremental.ts'
import {
  type Finding,
  openGraph,
  planFaults,
  printCase,
  type RandomGraph,
  randomGraph,
  randomOperationOf,
  shrink,
  startTrial,
  type TrialFaults,
} from '../../../support/random-federation/index.ts'
import type { RandomOperation } from '../../../support/random-operation.ts'
import { testSeed } from '../../../support/seed.ts'

const total = Math.round(Number(process.env.TESSERA_TEST_OPERATIONS ?? campaignSize(6_000)) * 0.1)
const perGraph = 40

test.each(['none', 'throws'] as const)(
  `faults: %s, seed ${testSeed}`,
  async (kind) => {
    let operations = 0
    let resultCount = 0
    for (let number = 0; operations < total; number++) {
      const graphSeed = testSeed + number
      const graph = randomGraph(graphSeed)
      await using trial = await startTrial(graph)
      for (let turn = 0; turn < perGraph && operations < total; turn++) {
        const seed = graphSeed * 10_000 + turn
        const drawn = randomOperationOf(graph, seed)
        const query = drawn && withDirectives(graph.supergraph.apiSchema, drawn.query, seed)
        if (drawn === undefined || query === undefined) continue
        operations += 1
        const operation = { query, variables: drawn.variables }
        const faults = kind === 'none' ? {} : planFaults(graph, kind, turn)
        const { finding, resultCount: count } = await judgeIncremental(trial, operation, faults)
        resultCount += count
        if (finding === undefined) continue
        throw new Error(
          `Graph seed ${graphSeed}, operation ${turn}\n${await small(graph, graphSeed, operation, faults, finding)}`,
        )
      }
    }
    console.log(`${operations} operations with ${resultCount} later results`)
    expect(resultCount).toBeGreaterThan(operations / 2)
  },
  3_600_000,
)

/** The smallest case in which the same goes wrong. */
async function small(
  graph: RandomGraph,
  worldSeed: number,
  operation: RandomOperation,
  faults: TrialFaults,
  finding: Finding,
): Promise<string> {
  const judge = async (tried: RandomGraph, other: RandomOperation): Promise<Finding | undefined> => {
    await using trial = await startTrial(tried)
    return (await judgeIncremental(trial, other, faults)).finding
  }
  try {
    const found = await shrink({ services: graph.services, worldSeed, operation }, judge, 800)
    const again = openGraph(found.services, worldSeed)
    return printCase(found, again && (await judge(again, found.operation)))
  } catch {
    return printCase({ services: graph.services, worldSeed, operation }, finding)
  }
}
