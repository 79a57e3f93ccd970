/**
 * The engine over random supergraphs, one in a few seconds' worth of everything that Federation has, against the
 * oracle: every operation is planned, the data is right to the byte, the mutations run in their order and no
 * subgraph is asked for what it does not know. `TESSERA_TEST_OPERATIONS` raises the number of operations of this
 * file and `random-faults.test.ts` together, `TESSERA_TEST_SEED` draws others.
 */
import { expect, test } from 'vitest'
import { runCampaign } from '../../../support/random-federation/index.ts'

const total = Number(process.env.TESSERA_TEST_OPERATIONS ?? 1_000)
const seed = Number(process.env.TESSERA_TEST_SEED ?? 20_261_122)

test(`answers are right over random graphs, seed ${seed}`, async () => {
  const operations = Math.round(total * 0.6)
  const done = await runCampaign({ seed, operations, perGraph: 50 })
  console.log(`${done.operations} operations over ${done.graphs} random graphs from seed ${seed}`)
  expect(done.operations).toBe(operations)
}, 3_600_000)
