/**
 * Calls that requests share and that end after the request that pays for them: their units are counted once, for the
 * credential that made them. A proxy holds the calls, so that who has gone has gone before they end.
 */
import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../sandbox/index.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { type Graph, startGraph } from '../support/graph.ts'
import { keep } from '../support/keep.ts'
import { startRedis, withRedis } from '../support/redis.ts'
import { startProxy } from '../support/tcp-proxy.ts'

const chart = '{ chartVideos(chart: MOST_POPULAR, first: 2) { nodes { etag } } }'
const lookUp = `{ video(videoId: "${sampleVideos.all[3]}") { snippet { title } } }`

const ledgers = [
  ['in memory', false],
  ...(withRedis('late booking in Redis') ? ([['in Redis', true]] as const) : []),
] as const

describe.each(ledgers)('counted %s', (_, inRedis) => {
  async function start(env: Readonly<Record<string, string>> = {}) {
    const sandbox = keep(await startSandbox())
    const proxy = keep(await startProxy(Number(new URL(sandbox.url).port)))
    const redis = inRedis ? keep(await startRedis()) : undefined
    const graph = keep(
      await startGraph({
        env: {
          TESSERA_QUOTA_DAILY: '10',
          TESSERA_CACHE_SECONDS: '60',
          // One execution of each request, so that it is their calls that are shared.
          TESSERA_SHARE_EQUAL: 'false',
          // What is reserved has joined the call.
          TESSERA_SHARE_WAIT_MS: '0',
          ...(redis === undefined ? {} : { TESSERA_REDIS_URL: redis.url }),
          ...env,
        },
        urls: { videos: `http://127.0.0.1:${proxy.port}` },
      }),
    )
    return { sandbox, proxy, graph }
  }

  const budget = async (graph: Graph, credential: string): Promise<{ used: number; remaining: number }> =>
    (await graph.ask('{ mediaQuota { used remaining } }', {}, { headers: headersOf(credential) })).data
      .mediaQuota
  const headersOf = (credential: string): Record<string, string> => ({
    'x-videos-authorization': `Bearer ${credential}`,
    'tessera-quota': '1',
  })

  test.each([
    ['a list', chart],
    ['a lookup', lookUp],
  ])(
    '%s that another request waits for is booked when the one that began it has gone',
    async (_what, query) => {
      const { sandbox, proxy, graph } = await start()
      proxy.become({ kind: 'silent' })
      const leaving = new AbortController()
      const first = graph.ask(query, {}, { signal: leaving.signal }).catch(() => undefined)
      await expect.poll(() => budget(graph, '')).toEqual({ used: 0, remaining: 9 })
      const second = graph.ask(query, {}, { headers: headersOf('') })
      await expect.poll(() => budget(graph, '')).toEqual({ used: 0, remaining: 8 })
      // Asked once more by the same connection of Redis, so that the reservation has come back before.
      await budget(graph, '')
      leaving.abort()
      await first
      // Its reservation is released, and the call still runs.
      await expect.poll(() => budget(graph, '')).toEqual({ used: 0, remaining: 9 })
      proxy.become({ kind: 'sound' })
      const { errors } = await second
      expect(errors).toEqual([])
      await expect.poll(() => budget(graph, '')).toEqual({ used: 1, remaining: 9 })
      expect(sandbox.ledger.units).toBe(1)
    },
  )

  test.each([
    ['a list', chart],
    ['a lookup', lookUp],
  ])('%s is not shared by two credentials: each is charged, though one has gone', async (_what, query) => {
    const { sandbox, proxy, graph } = await start({ TESSERA_VIDEOS_CREDENTIAL: 'forward' })
    proxy.become({ kind: 'silent' })
    const leaving = new AbortController()
    const first = graph
      .ask(query, {}, { headers: headersOf('first'), signal: leaving.signal })
      .catch(() => undefined)
    const second = graph.ask(query, {}, { headers: headersOf('second') })
    for (const credential of ['first', 'second'])
      await expect.poll(() => budget(graph, credential)).toEqual({ used: 0, remaining: 9 })
    leaving.abort()
    await first
    // Sent and not answered: it counts as made, for the credential that it was made with.
    await expect.poll(() => budget(graph, 'first')).toEqual({ used: 1, remaining: 9 })
    expect(await budget(graph, 'second')).toEqual({ used: 0, remaining: 9 })
    proxy.become({ kind: 'sound' })
    const { errors, extensions } = await second
    expect(errors).toEqual([])
    expect(extensions?.quota).toMatchObject({ spent: 1, shared: 0 })
    expect(await budget(graph, 'second')).toEqual({ used: 1, remaining: 9 })
    const made = sandbox.calls('videos.list').map(({ headers }) => headers.authorization)
    expect(made.filter((credential) => credential === 'Bearer second')).toHaveLength(1)
    expect(made.filter((credential) => credential === 'Bearer first').length).toBeLessThanOrEqual(1)
  })
})
