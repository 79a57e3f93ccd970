/**
 * The truncated part of an answer can be read at any replica, without another call to a service, by its caller alone.
 */
import { expect, test } from 'vitest'
import { startAgent } from '../../support/agent.ts'
import { startGraph } from '../../support/graph.ts'
import { startRedis, withRedis } from '../../support/redis.ts'

test.runIf(withRedis('rests of answers over replicas'))('another replica gives the rest', async () => {
  await using redis = await startRedis()
  const env = { TESSERA_REDIS_URL: redis.url }
  await using one = await startGraph({ env })
  await using two = await startGraph({ env })
  await using first = await startAgent(one)
  await using second = await startAgent(two)
  await using other = await startAgent(two, { subject: 'somebody-else' })
  const { json } = await first.call('chartVideos', { first: 30, maxTokens: 500 })
  const kept: number = json.data.chartVideos.nodes.length
  expect(json.more.cut).toEqual([{ path: '/chartVideos/nodes', kept, of: 30 }])
  const before = two.sandbox.journal.length
  expect((await other.call('more', { handle: json.more.handle })).isError).toBe(true)
  const rest = await second.call('more', { handle: json.more.handle })
  expect(rest.json.rest).toEqual([
    { path: '/chartVideos/nodes', from: kept, items: expect.objectContaining({ length: 30 - kept }) },
  ])
  expect(rest.json.more).toBeUndefined()
  expect(two.sandbox.journal.length).toBe(before)
})
