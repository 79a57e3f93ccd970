/** Idempotency keys when Redis has a replica that must have each of them (`TESSERA_REDIS_REPLICAS`). */
import { describe, expect, test } from 'vitest'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { type Graph, startGraph } from '../support/graph.ts'
import { keep } from '../support/keep.ts'
import { type RedisServer, startRedis, withRedis } from '../support/redis.ts'
import { startProxy } from '../support/tcp-proxy.ts'

const send = (graph: Graph, key: string) =>
  graph.ask(
    `mutation ($text: String!) { f: insertCommentThread(input: { videoId: "${sampleVideos.own[0]}", textOriginal: $text }) { commentThread { threadId } } }`,
    { text: key },
    { headers: { 'idempotency-key': key } },
  )

/** Retries as a client does when the error says so: on a busy machine the replica may have been late. */
async function sendUntilKept(graph: Graph, key: string): ReturnType<typeof send> {
  let answer = await send(graph, key)
  await expect
    .poll(
      async () => {
        if (answer.errors[0]?.extensions.code === 'IDEMPOTENCY_UNAVAILABLE') answer = await send(graph, key)
        return answer.errors
      },
      { interval: 200 },
    )
    .toEqual([])
  return answer
}

const writes = (graph: Graph): number => graph.sandbox.calls('commentThreads.insert').length

/** The replica has said that it has everything: `online` alone says that it was sent. */
const isCopied = (primary: RedisServer): Promise<void> =>
  expect
    .poll(
      async () => {
        const info = await primary.command('INFO', 'replication')
        const [, copied] = /state=online,offset=(\d+)/.exec(info) ?? []
        return Number(copied) > 0 && copied === /master_repl_offset:(\d+)/.exec(info)?.[1]
      },
      { interval: 200 },
    )
    .toBe(true)

describe.skipIf(!withRedis('idempotency keys and replicas of Redis'))(
  'a key that a replica must have',
  () => {
    async function start() {
      const primary = keep(await startRedis())
      const replica = keep(await startRedis({ replicaOf: primary.port }))
      const proxy = keep(await startProxy(primary.port))
      await isCopied(primary)
      const graph = keep(
        await startGraph({
          env: {
            TESSERA_REDIS_URL: `redis://127.0.0.1:${proxy.port}`,
            TESSERA_REDIS_REPLICAS: '1',
            TESSERA_IDEMPOTENCY_SETTLE_MS: '0',
          },
        }),
      )
      return { primary, replica, proxy, graph }
    }

    test('is refused while the replica is unavailable, with nothing done and nothing stored', async () => {
      const { primary, replica, graph } = await start()
      await sendUntilKept(graph, 'with a replica')
      await replica.stop()
      const away = await send(graph, 'without')
      expect([away.status, away.errors[0]?.extensions]).toMatchObject([
        503,
        { code: 'IDEMPOTENCY_UNAVAILABLE', retryAfter: expect.any(Number) },
      ])
      expect(writes(graph)).toBe(1)
      // What was done before is known, and answered: nothing has to be kept for it.
      const repeat = await send(graph, 'with a replica')
      expect(repeat.errors).toEqual([])
      expect(repeat.headers.get('idempotency-replayed')).toBe('true')
      await replica.start()
      await replica.command('REPLICAOF', '127.0.0.1', String(primary.port))
      await sendUntilKept(graph, 'without')
      expect(writes(graph)).toBe(2)
    })

    test('is known to the replica that takes the place of a primary that was lost', async () => {
      const { primary, replica, proxy, graph } = await start()
      const first = await sendUntilKept(graph, 'kept')
      await primary.stop()
      await replica.command('REPLICAOF', 'NO', 'ONE')
      proxy.target = replica.port
      // No replica is left for new keys; the old ones are answered, or found out.
      await expect
        .poll(async () => (await send(graph, 'kept')).data?.f, { interval: 200 })
        .toEqual(first.data.f)
      expect(writes(graph)).toBe(1)
      expect((await send(graph, 'new')).errors[0]?.extensions.code).toBe('IDEMPOTENCY_UNAVAILABLE')
      expect(writes(graph)).toBe(1)
    })
  },
)
