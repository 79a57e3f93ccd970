/**
 * Cached responses of our own services: units that are not spent, and responses while the quota is used up.
 */
import { expect, test } from 'vitest'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { startGraph } from '../support/graph.ts'
import { until, withCache } from '../support/router.ts'

const [one, other] = sampleVideos.own
const titleOf = (id: string | undefined): string => `{ video(videoId: "${id}") { snippet { title } } }`

test('a kept answer costs no unit, and a stale one that has not changed is asked about by its ETag', async () => {
  await using graph = await startGraph({
    file: { cache: { subgraphs: { videos: { maxAgeSeconds: 1 } } } },
    env: { ...withCache, TESSERA_CACHE_SECONDS: '1' },
  })
  const spent = (): number => graph.sandbox.ledger.units
  const first = await graph.ask(titleOf(one))
  expect(first.errors).toEqual([])
  const price = spent()
  expect(price).toBeGreaterThan(0)
  for (let time = 0; time < 5; time++) expect((await graph.ask(titleOf(one))).data).toEqual(first.data)
  const revalidated = async (): Promise<boolean> =>
    /tessera_upstream_duration_seconds_count\{service="videos",operation="videos.list",outcome="revalidated"\} [1-9]/.test(
      await (await fetch(`${graph.gateway.url}/metrics`)).text(),
    )
  let asked = 6
  await until(async () => {
    asked += 1
    expect((await graph.ask(titleOf(one))).data).toEqual(first.data)
    return revalidated()
  }, 'the service is asked by If-None-Match')
  const calls = graph.sandbox.calls('videos.list')
  expect(calls.length).toBeLessThan(asked)
  expect(calls.at(-1)).toMatchObject({ status: 304, headers: { 'if-none-match': expect.any(String) } })
  // A question by ETag has the price of a call, and brings no body; what is kept has none.
  expect(spent()).toBe(price * calls.length)
})

test('if the quota is used up, stale entries are used, and nothing else', async () => {
  await using graph = await startGraph({
    file: { cache: { subgraphs: { videos: { maxAgeSeconds: 0 } } } },
    env: { ...withCache, TESSERA_QUOTA_DAILY: '1' },
  })
  const first = await graph.ask(titleOf(one))
  expect(first.errors).toEqual([])
  expect(graph.sandbox.ledger.units).toBe(1)
  const kept = await graph.ask(titleOf(one), {}, { headers: { 'tessera-cache': '1' } })
  expect(kept.errors).toEqual([])
  expect(kept.data).toEqual(first.data)
  expect(kept.extensions?.cache).toEqual([
    { subgraph: 'videos', fresh: 0, stale: 1, revalidated: 0, missing: 0, ageSeconds: expect.any(Number) },
  ])
  expect(kept.headers.get('cache-control')).toBe('no-store')
  const unknown = await graph.ask(titleOf(other))
  expect(unknown.errors[0]?.extensions.code).toBe('QUOTA_EXCEEDED')
  expect(graph.sandbox.ledger.units).toBe(1)
})

test('the cost of refreshing a stale answer is booked, and nothing is if the quota is used up', async () => {
  await using graph = await startGraph({
    file: {
      cache: {
        subgraphs: { videos: { maxAgeSeconds: 0, staleWhileRevalidateSeconds: 600, staleIfQuotaSeconds: 0 } },
      },
    },
    env: { ...withCache, TESSERA_QUOTA_DAILY: '3' },
  })
  const used = async (): Promise<number> => (await graph.ask('{ mediaQuota { used } }')).data.mediaQuota.used
  const first = await graph.ask(titleOf(one))
  // Each is answered immediately with the stale value, which is refreshed in the background.
  for (const units of [2, 3]) {
    expect((await graph.ask(titleOf(one))).data).toEqual(first.data)
    await until(() => graph.sandbox.ledger.units === units, 'asked for anew')
    await until(async () => (await used()) === units, 'and booked')
  }
  for (let time = 0; time < 5; time++) expect((await graph.ask(titleOf(one))).data).toEqual(first.data)
  await until(async () => (await used()) === 3, 'nothing more')
  expect(graph.sandbox.ledger.units).toBe(3)
})
