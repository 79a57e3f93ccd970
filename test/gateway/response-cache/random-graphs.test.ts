/**
 * With the cache on, operations over random graphs have the answers that they have without: what is kept of one operation
 * is used for others, entity by entity, and each answer is held against the right one.
 */
import { expect, test } from 'vitest'
import {
  createChanges,
  createMemoryStore,
  createResponseCache,
  createSubgraphCaching,
} from '../../../gateway/response-cache/index.ts'
import { campaignSize } from '../../support/campaign-size.ts'
import { type AroundTransports, runCampaign } from '../../support/random-federation/index.ts'

const operations = Number(process.env.TESSERA_TEST_CACHED ?? campaignSize(300))
const seed = Number(process.env.TESSERA_TEST_SEED ?? 27_000)

test('answers are the same with the cache on', async () => {
  const counts: Record<string, number> = {}
  const around: AroundTransports = ({ supergraph }) => {
    const now = Date.now
    const keep = createSubgraphCaching({
      cache: createResponseCache(createMemoryStore(20_000_000, now), createChanges()),
      supergraph,
      rulesFor: () => ({ freshMs: 600_000, revalidateMs: 0, errorMs: 0, quotaMs: 0 }),
      addressOf: (name) => name,
      timeoutMs: 60_000,
      count: (_, result, lookUps) => {
        counts[result] = (counts[result] ?? 0) + lookUps
      },
    })
    // What the subgraphs of the test answer depends on no caller.
    return (transport) => keep({ ...transport, callerHeaders: [] })
  }
  const done = await runCampaign({ seed, operations, perGraph: 30, around })
  expect(done.operations).toBe(operations)
  expect(counts.hit, JSON.stringify(counts)).toBeGreaterThan(operations)
})
