/**
 * Measures pollers of subscriptions: the age of an event when it arrives, compared with the interval, and the
 * memory and CPU time of a subscriber. `npx node --expose-gc bench/live/pollers.ts [--changes N] [--subscribers N]`
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startSandbox } from '../../sandbox/index.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { videosAt } from '../../test/subgraphs/videos/kit.ts'
import { type Subscription, subscribeTo } from '../../test/support/live.ts'
import { testRequest } from '../../test/support/request.ts'

const { values } = parseArgs({
  options: {
    changes: { type: 'string', default: '60' },
    subscribers: { type: 'string', default: '10000' },
  },
})
const intervalMs = 1000
const request = testRequest({}, { timeoutMs: 600_000 })
const subscribe = (ids: readonly string[]): Promise<Subscription> =>
  subscribeTo(
    subgraph,
    'subscription ($ids: [ID!]!) { videoChanged(videoIds: $ids) { videoId statistics { viewCount } } }',
    { ids },
    request,
  )

const rank = (sorted: readonly number[], share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)

/** With `--expose-gc` it is exact. Otherwise it includes garbage. */
function heapUsed(): number {
  const { gc } = globalThis as { gc?: () => void }
  gc?.()
  gc?.()
  return process.memoryUsage().heapUsed
}

await using sandbox = await startSandbox({ journal: false })
const pace = { defaultMs: intervalMs, leastMs: intervalMs, idleMs: intervalMs }
const subgraph = videosAt(sandbox.url, { live: { pace } })

const ids = sampleVideos.all.slice(0, 120)
const [watched = ''] = ids
const reader = await subscribe([watched])
await reader.next()
const ages: number[] = []
for (let change = 1; change <= Number(values.changes); change++) {
  await delay(Math.random() * intervalMs)
  const changedAt = performance.now()
  sandbox.change('videos', { videoId: watched, statistics: { viewCount: String(10_000_000 + change) } })
  await reader.next()
  ages.push(performance.now() - changedAt)
}
ages.sort((a, b) => a - b)
console.info(
  `staleness at an interval of ${intervalMs} ms, ${ages.length} changes: p50 ${rank(ages, 0.5)} ms, p99 ${rank(ages, 0.99)} ms`,
)

const count = Number(values.subscribers)
for (const [what, idsOf] of [
  ['the same 120 videos', () => ids],
  [
    '20 videos each, in 120 different sets',
    (i: number) => Array.from({ length: 20 }, (_, k) => ids[(i + k * 7) % ids.length] ?? ''),
  ],
] as const) {
  const [heap, cpu, units] = [heapUsed(), process.cpuUsage(), sandbox.ledger.units]
  const all: Subscription[] = []
  for (let i = 0; i < count; i++) all.push(await subscribe(idsOf(i)))
  const { user, system } = process.cpuUsage(cpu)
  const used = (heapUsed() - heap) / count
  const idle = process.cpuUsage()
  await delay(5000)
  const quiet = process.cpuUsage(idle)
  console.info(
    `${count} subscribers of ${what}: ${Math.round(used)} bytes of heap each, ${((user + system) / 1000 / count).toFixed(2)} ms of CPU to begin; ` +
      `${((quiet.user + quiet.system) / 5e4).toFixed(1)} % of a core while nothing changes; ${sandbox.ledger.units - units} units`,
  )
  await Promise.all(all.map((each) => each.close()))
}
await reader.close()
await subgraph.close()
