/**
 * A separate process that exposes a whole graph to storms of faults, and reports which memory, timers and sockets
 * are left. It never calls `process.exit`, so that its end shows that nothing keeps it alive.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type FaultKind, faultKinds } from '../../../sandbox/faults.ts'
import { sampleMessages } from '../../../sandbox/messages/index.ts'
import { sampleVideos } from '../../../sandbox/videos/index.ts'
import type { UpstreamTuning } from '../../../subgraphs/kit/rest-client/index.ts'
import { startGraph } from '../../support/graph.ts'

const unhandled: string[] = []
process.on('unhandledRejection', (reason) => unhandled.push(String(reason)))

const steady: UpstreamTuning = {
  retryDelayMs: 1,
  timeoutMs: 250,
  // Bodies are far beyond any bound; a small one is reached sooner, and one body that stayed would still be seen.
  maxResponseBytes: 4 * 2 ** 20,
  breaker: { consecutive: 1e9, ratio: 0.99, minimumRps: 1e9 },
}
const operations = ['videos.list', 'agents.getAgent', 'messages.lookup', 'metrics.query', 'messages.like']
const asks = [
  `{ video(videoId: "${sampleVideos.own[0]}") { snippet { title } } message(messageId: "${sampleMessages.ordinary}") { text } }`,
  '{ agent(project: "demo") { displayName } metrics { query(query: "up", time: "1700000000") { resultType } } }',
  `mutation { likeMessage(input: { userId: "${sampleMessages.demoUser}", messageId: "${sampleMessages.ordinary}" }) { liked } }`,
]

const graph = await startGraph({
  env: { TESSERA_LOG_LEVEL: 'silent' },
  tuning: { videos: steady, agents: steady, messages: steady, metrics: steady },
})
const codes: Record<string, number> = {}
let asked = 0
let answers = 0

async function storm(kinds: readonly FaultKind[]): Promise<void> {
  for (const kind of kinds) {
    graph.sandbox.reset()
    for (const operation of operations) {
      graph.sandbox.fail({
        kind,
        operation,
        times: 1e9,
        delayMs: kind === 'late' ? 3_600_000 : 200,
        status: 503,
      })
    }
    await Promise.all(
      Array.from({ length: 12 }, async (_, turn) => {
        asked += 1
        const { errors } = await graph.ask(asks[turn % asks.length] ?? '')
        answers += 1
        for (const { extensions } of errors) codes[extensions.code] = (codes[extensions.code] ?? 0) + 1
      }),
    )
  }
  graph.sandbox.reset()
}

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

/** What is held, within the heap and beside it. */
async function heldMiB(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    await wait(20)
    globalThis.gc?.()
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 2 ** 20
}

await graph.ask(asks[0] ?? '')
const timersBefore = timers()
await storm(faultKinds)
await storm(faultKinds)
const heldAfterFirstMiB = await heldMiB()
for (let i = 0; i < 3; i++) await storm(faultKinds)
const heldAfterLastMiB = await heldMiB()
// Timers of calls that ended are gone; those of idle connections may take their time.
for (let i = 0; i < 1800 && timers() > timersBefore; i++) await wait(50)
const timersAfter = timers()
await graph[Symbol.asyncDispose]()
for (let i = 0; i < 1800 && process.getActiveResourcesInfo().some((kind) => kind.startsWith('TCP')); i++) {
  await wait(50)
}
const left = process.getActiveResourcesInfo()
process.stdout.write(
  JSON.stringify({
    unhandled,
    codes,
    asked,
    answers,
    heldAfterFirstMiB,
    heldAfterLastMiB,
    timersBefore,
    timersAfter,
    left,
  }),
)
