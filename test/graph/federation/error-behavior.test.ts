/** `onError` over random supergraphs in which fields fail, held against a completion that knows no subgraphs. */
import { expect, test } from 'vitest'
import { campaignSize } from '../../support/campaign-size.ts'
import { startBehaviorTrial } from '../../support/random-federation/error-behavior.ts'
import { planFaults, randomGraph, randomOperationOf } from '../../support/random-federation/index.ts'
import { testSeed } from '../../support/seed.ts'

const total = Number(process.env.TESSERA_TEST_OPERATIONS ?? campaignSize(1_000))
const perGraph = 25

test.each([
  ['subgraphs that are told keep every null where it arises', true, 'NULL'],
  [
    'subgraphs that are not told lose no more than they must, and every forbidden null has its error',
    false,
    'NULL',
  ],
  ['the first error ends the operation, told or not', true, 'HALT'],
  ['the first error ends the operation for subgraphs that are not told', false, 'HALT'],
] as const)(
  '%s',
  async (_, areTold, onError) => {
    let done = 0
    for (let turn = 0; done < total / 4; turn += 1) {
      const graphSeed = testSeed + 70_000 + turn
      const graph = randomGraph(graphSeed)
      const trial = startBehaviorTrial(graph, areTold)
      for (let i = 0; i < perGraph; i += 1) {
        const operation = randomOperationOf(graph, graphSeed * 10_000 + i)
        if (operation === undefined) continue
        done += 1
        const wrong = await trial.run(operation, planFaults(graph, 'throws', i), onError)
        expect(wrong, `graph ${graphSeed}, operation ${i}: ${operation.query}`).toBeUndefined()
      }
    }
  },
  3_600_000,
)
