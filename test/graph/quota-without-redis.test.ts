/**
 * The units that a gateway spends while it cannot reach Redis: none if it has not reached it since its start.
 */
import { describe, expect, test } from 'vitest'
import { type Graph, startGraph } from '../support/graph.ts'
import { lastingPort } from '../support/port.ts'
import { startRedis, withRedis } from '../support/redis.ts'
import { startProxy } from '../support/tcp-proxy.ts'

describe.skipIf(!withRedis('a gateway that does not reach Redis'))(
  'a gateway that does not reach Redis',
  () => {
    const chart = (graph: Graph, first: number) =>
      graph.ask(`{ chartVideos(chart: MOST_POPULAR, first: ${first}) { nodes { etag } } }`)

    test.each(['share', 'refuse'])(
      'and never has (%s) refuses what costs units and does the rest, until it does',
      async (away) => {
        await using redis = await startRedis()
        await using proxy = await startProxy(await lastingPort())
        await using graph = await startGraph({
          env: {
            TESSERA_REDIS_URL: `redis://127.0.0.1:${proxy.port}`,
            TESSERA_QUOTA_DAILY: '100',
            TESSERA_QUOTA_AWAY: away,
          },
        })
        const refused = await chart(graph, 1)
        expect(refused.errors[0]?.extensions).toMatchObject({
          code: 'SERVICE_BUSY',
          retryAfter: expect.any(Number),
        })
        expect(refused.errors[0]?.message).toMatch(/no call was made.+[Ss]end it again/)
        expect(graph.sandbox.journal).toEqual([])
        expect((await graph.ask('{ metrics { buildInfo { version } } }')).errors).toEqual([])
        // The operator learns which variables decide it; clients do not.
        expect(graph.log.join('')).toContain('TESSERA_REDIS_URL')
        expect(refused.text).not.toContain('TESSERA_')
        proxy.target = redis.port
        await expect.poll(async () => (await chart(graph, 2)).errors).toEqual([])
        expect(graph.sandbox.ledger.units).toBe(1)
      },
    )

    test('but has (share) spends its share, and (refuse) none', async () => {
      await using redis = await startRedis()
      await using proxy = await startProxy(redis.port)
      const env = { TESSERA_REDIS_URL: `redis://127.0.0.1:${proxy.port}`, TESSERA_QUOTA_DAILY: '100' }
      await using sharing = await startGraph({ env })
      await using refusing = await startGraph({ env: { ...env, TESSERA_QUOTA_AWAY: 'refuse' } })
      for (const graph of [sharing, refusing])
        await expect.poll(async () => (await chart(graph, 1)).errors).toEqual([])
      proxy.become({ kind: 'cut' })
      expect((await chart(sharing, 2)).errors).toEqual([])
      const { errors } = await chart(refusing, 2)
      expect(errors[0]?.extensions.code).toBe('SERVICE_BUSY')
    })
  },
)
