/**
 * Random supergraphs as in `random-graphs.test.ts`, when something goes wrong: fields that fail, entities that one
 * subgraph does not know, a subgraph that is away; and some of it over HTTP.
 */
import { expect, test } from 'vitest'
import { campaignSize } from '../../support/campaign-size.ts'
import { type Campaign, runCampaign } from '../../support/random-federation/index.ts'
import { testSeed } from '../../support/seed.ts'

const total = Number(process.env.TESSERA_TEST_OPERATIONS ?? campaignSize(6_000))
const seed = testSeed

const campaigns: readonly (Omit<Campaign, 'operations' | 'perGraph'> & {
  readonly share: number
  readonly what: string
})[] = [
  {
    what: 'fields that fail are null with errors in their places',
    seed: seed + 10_000,
    share: 0.2,
    faults: 'throws',
  },
  {
    what: 'entities that a subgraph does not know leave the rest right',
    seed: seed + 20_000,
    share: 0.08,
    faults: 'missing',
  },
  { what: 'a subgraph that is away leaves the rest right', seed: seed + 30_000, share: 0.06, faults: 'away' },
  { what: 'answers over HTTP are right', seed: seed + 40_000, share: 0.04, way: 'over HTTP' },
  {
    what: 'fields that fail over HTTP are as in process',
    seed: seed + 50_000,
    share: 0.02,
    way: 'over HTTP',
    faults: 'throws',
  },
]

test.each(campaigns)(
  '$what, seed $seed',
  async ({ what, share, ...campaign }) => {
    const operations = Math.round(total * share)
    const done = await runCampaign({ ...campaign, operations, perGraph: 50 })
    console.log(
      `${what}: ${done.operations} operations over ${done.graphs} random graphs from seed ${campaign.seed}`,
    )
    expect(done.operations).toBe(operations)
  },
  3_600_000,
)
