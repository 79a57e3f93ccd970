/**
 * The engine over random supergraphs, which have everything that Federation has, against the oracle: every operation
 * is planned, the data is right to the byte, the mutations run in their order and no subgraph is asked for what it
 * does not know. Together with `random-faults.test.ts`, which runs beside it, these are 10,000 operations if all are
 * drawn (`campaign-size.ts`), about 80 seconds of CPU time; `TESSERA_TEST_OPERATIONS` sets another number,
 * `TESSERA_TEST_SEED` draws others.
 */
import { expect, test } from 'vitest'
import { campaignSize } from '../../support/campaign-size.ts'
import { runCampaign } from '../../support/random-federation/index.ts'
import { testSeed } from '../../support/seed.ts'

const total = Number(process.env.TESSERA_TEST_OPERATIONS ?? campaignSize(6_000))
const seed = testSeed

test(`answers are right over random graphs, seed ${seed}`, async () => {
  const operations = Math.round(total * 0.6)
  const done = await runCampaign({ seed, operations, perGraph: 50 })
  console.log(`${done.operations} operations over ${done.graphs} random graphs from seed ${seed}`)
  expect(done.operations).toBe(operations)
}, 3_600_000)
