/** Pollers of several workers: one of them polls, the primary hands on what it learned. */
import { expect, test } from 'vitest'
import type { LiveMember } from '../../../contract/live.ts'
import { createChannel } from '../../../gateway/workers/channel.ts'
import { createLiveTopics, createWorkerLiveStore } from '../../../gateway/workers/shared-live.ts'
import { startSandbox } from '../../../sandbox/index.ts'
import { sampleVideos } from '../../../sandbox/videos/index.ts'
import { createVideosSubgraph } from '../../../subgraphs/videos/index.ts'
import { heldClock, subscribeTo } from '../../support/live.ts'
import { until } from '../../support/patience.ts'

/** A worker and its channel to the primary, over which only JSON goes; `end` is what the primary does when it dies. */
function worker(topics: ReturnType<typeof createLiveTopics>) {
  const json = (message: unknown): unknown => JSON.parse(JSON.stringify(message))
  const primary = createChannel((message) => setImmediate(() => own.receive(json(message))))
  const own = createChannel((message) => setImmediate(() => primary.receive(json(message))))
  const ended = topics.serve(primary)
  return {
    store: createWorkerLiveStore(own),
    end() {
      own.end()
      primary.end()
      ended()
    },
  }
}

function witness() {
  const said: unknown[] = []
  const member: LiveMember = {
    lead: (leading) => void said.push({ leading }),
    hear: (message) => void said.push({ heard: message }),
    wants: (wants) => void said.push({ wants }),
    renew: () => void said.push('renew'),
  }
  return { said, member }
}

/** Resolves when messages, and what was sent because of them, have arrived: each takes one turn of the event loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('the first worker leads; the others hear it, and it knows what they want', async () => {
  const topics = createLiveTopics()
  const [a, b] = [worker(topics), worker(topics)]
  const [one, two] = [witness(), witness()]
  const first = a.store.join('t', one.member)
  await settled()
  const second = b.store.join('t', two.member)
  second.want({ ids: [1] })
  await settled()
  first.tell({ news: 1 }, first.mark)
  second.tell({ news: 'not the leader' }, second.mark)
  await settled()
  expect(one.said).toEqual([{ leading: true }, { wants: [{ ids: [1] }] }])
  expect(two.said).toEqual([{ leading: false }, { heard: { news: 1 } }])
  first.leave()
  await settled()
  expect(two.said.slice(2)).toEqual([{ wants: [] }, { leading: true }])
  second.leave()
  await settled()
  expect(topics.size).toBe(0)
})

test('another one leads when the leader dies, and nothing is kept of it', async () => {
  const topics = createLiveTopics()
  const [a, b] = [worker(topics), worker(topics)]
  const [one, two] = [witness(), witness()]
  a.store.join('t', one.member).want('x')
  b.store.join('t', two.member).want('y')
  await settled()
  a.end()
  await settled()
  expect(two.said).toEqual([{ leading: false }, { wants: [] }, { leading: true }])
  b.end()
  expect(topics.size).toBe(0)
})

test('videos are polled once for the subscribers of all workers, also after one has died', async () => {
  await using sandbox = await startSandbox()
  const [first, second] = sampleVideos.own as unknown as readonly [string, string]
  const topics = createLiveTopics()
  const clock = heldClock()
  const workers = [worker(topics), worker(topics)]
  const subgraphs = workers.map(({ store }) =>
    createVideosSubgraph({
      baseUrl: sandbox.url,
      credential: { kind: 'none' },
      uploads: { secret: 'x'.repeat(32), publicUrl: () => 'http://127.0.0.1:1' },
      live: { store, clock },
    }),
  )
  const all = await Promise.all(
    subgraphs.map((subgraph, at) =>
      subscribeTo(
        subgraph,
        `subscription { videoChanged(videoIds: ["${[first, second][at]}"]) { videoId statistics { viewCount } } }`,
      ),
    ),
  )
  for (const each of all) each.read()
  /** Lets seconds pass until a subscriber has so many events. */
  const passUntil = (at: number, count: number): Promise<void> =>
    until(
      () => {
        if ((all[at]?.seen.length ?? 0) >= count) return true
        clock.pass(1000)
        return false
      },
      `${count} events`,
      20,
    )
  await passUntil(0, 1)
  await passUntil(1, 1)
  const before = sandbox.calls('videos.list').length
  sandbox.change('videos', { videoId: second, statistics: { viewCount: '8' } })
  await passUntil(1, 2)
  const polls = sandbox.calls('videos.list').slice(before)
  expect(polls.length).toBeLessThanOrEqual(2)
  expect(polls.every(({ query }) => query.get('id')?.split(',').length === 2)).toBe(true)
  workers[0]?.end()
  sandbox.change('videos', { videoId: second, statistics: { viewCount: '9' } })
  await passUntil(1, 3)
  expect(all[1]?.seen.map(({ data }) => data.videoChanged.statistics.viewCount).slice(1)).toEqual(['8', '9'])
  await Promise.all(subgraphs.map((subgraph) => subgraph.close()))
})
