/**
 * One schema of some hundred types, split into two to four subgraphs: the composed graph has the same schema, and what
 * the engine answers over the subgraphs is what graphql-js answers over the whole. 300 operations if all are
 * drawn (`campaign-size.ts`); `TESSERA_TEST_SPLIT` sets another number, `TESSERA_TEST_SEED` draws others.
 */
import { buildSchema, type GraphQLSchema, lexicographicSortSchema, printType } from 'graphql'
import { expect, test } from 'vitest'
import { campaignSize } from '../../support/campaign-size.ts'
import {
  drawSchema,
  openGraph,
  printCase,
  randomOperationOf,
  splitSchema,
  startTrial,
} from '../../support/random-federation/index.ts'
import { testSeed } from '../../support/seed.ts'

const operations = Number(process.env.TESSERA_TEST_SPLIT ?? campaignSize(300))
const perGraph = 100

/** The gateway adds directives of its own. */
function typesOf(schema: GraphQLSchema): readonly string[] {
  return Object.values(lexicographicSortSchema(schema).getTypeMap()).map(printType)
}

test(`a split schema answers as the whole does, seed ${testSeed}`, async () => {
  let done = 0
  for (let turn = 0; done < operations; turn++) {
    const seed = testSeed + 60_000 + turn
    const sdl = drawSchema(seed)
    const whole = buildSchema(sdl)
    const services = splitSchema(sdl, seed)
    const graph = openGraph(services, seed)
    if (graph === undefined) throw new Error(`The split of the seed ${seed} does not compose.`)
    expect(typesOf(graph.supergraph.apiSchema)).toEqual(typesOf(whole))
    await using trial = await startTrial(graph)
    for (let i = 0; i < perGraph && done < operations; i++) {
      const operation = randomOperationOf(graph, seed * 10_000 + i)
      if (operation === undefined) continue
      done += 1
      const finding = await trial.run(operation)
      if (finding !== undefined)
        throw new Error(
          `Seed ${seed}, operation ${i}.\n${printCase({ services, worldSeed: seed, operation }, finding)}`,
        )
    }
  }
  console.log(`${done} operations over split schemas from seed ${testSeed}`)
}, 3_600_000)
