/**
 * Writes whose answers the network loses: a TCP proxy between gateway and services passes the request on and breaks the
 * connection at the first byte of the answer. A repeat with the same idempotency key finds out what happened.
 */
import { expect, test } from 'vitest'
import { sampleAgents } from '../../sandbox/agents/index.ts'
import { startSandbox } from '../../sandbox/index.ts'
import { sampleMessages } from '../../sandbox/messages/index.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { forEachService } from '../../subgraphs/index.ts'
import { startGraph } from '../support/graph.ts'
import { keep } from '../support/keep.ts'
import { startProxy } from '../support/tcp-proxy.ts'

const video = sampleVideos.own[0]

async function start() {
  const sandbox = keep(await startSandbox())
  const proxy = keep(await startProxy(Number(new URL(sandbox.url).port)))
  const graph = keep(
    await startGraph({
      env: { TESSERA_IDEMPOTENCY_SETTLE_MS: '0' },
      urls: forEachService(() => `http://127.0.0.1:${proxy.port}`),
    }),
  )
  const send = (query: string, key: string) => graph.ask(query, {}, { headers: { 'idempotency-key': key } })
  return { sandbox, proxy, graph, send }
}

/** What is written and how it is found out, the service's operation, and how often that is performed at least. */
const writes: readonly [how: string, query: string, operation: string, performed: number][] = [
  [
    'a comment, by its text and time',
    `mutation { f: insertCommentThread(input: { videoId: "${video}", textOriginal: "Lost" }) { commentThread { topLevelComment { textOriginal } } } }`,
    'commentThreads.insert',
    1,
  ],
  [
    'an intent, by its name',
    'mutation { f: createIntent(input: { project: "demo", displayName: "lost", priority: 7 }) { intent { displayName } } }',
    'agents.intents.create',
    1,
  ],
  [
    'a deleted agent, by its absence',
    'mutation { f: deleteAgent(input: { project: "demo" }) { project } }',
    'agents.deleteAgent',
    1,
  ],
  [
    'a deleted intent, by its absence',
    `mutation { f: deleteIntent(input: { name: "${sampleAgents.intents.goodbye}" }) { name } }`,
    'agents.intents.delete',
    1,
  ],
  [
    'a deleted video, by its absence',
    `mutation { f: deleteVideo(input: { videoId: "${video}" }) { deletedVideoId } }`,
    'videos.delete',
    1,
  ],
  [
    'a like, which changes nothing more',
    `mutation { f: likeMessage(input: { userId: "${sampleMessages.demoUser}", messageId: "${sampleMessages.ordinary}" }) { liked } }`,
    'messages.like',
    3,
  ],
  [
    'an agent, which is set to the same',
    'mutation { f: setAgent(input: { project: "demo", description: "Now" }) { agent { description } } }',
    'agents.setAgent',
    3,
  ],
]

test.each(writes)('%s', async (_, query, operation, performed) => {
  const { sandbox, proxy, send } = await start()
  proxy.become({ kind: 'deaf' })
  const lost = await send(query, 'k')
  expect(lost.errors[0]?.extensions.outcome).toBe('unknown')
  // The service has it, and only the answer is lost.
  expect(sandbox.calls(operation)).toHaveLength(1)
  // While every answer is lost nothing can be found out.
  const still = await send(query, 'k')
  expect(still.errors[0]?.extensions.outcome).toBe('unknown')
  proxy.become({ kind: 'sound' })
  const found = await send(query, 'k')
  expect(found.errors).toEqual([])
  expect(found.data.f).not.toBeNull()
  // What changes nothing more is sent each time.
  expect(sandbox.calls(operation)).toHaveLength(performed)
  expect((await send(query, 'k')).text).toBe(found.text)
})

test.each([
  [
    'an import, whose operation has a name that was lost with the answer',
    'mutation { f: importAgent(input: { project: "demo", agentUri: "gs://b/o" }) { operation { name } } }',
    'agents.import',
  ],
  [
    'what was said to an agent',
    'mutation { f: detectIntent(input: { project: "demo", session: "s", queryInput: { text: { text: "hello", languageCode: "en" } } }) { responseId } }',
    'agents.detectIntent',
  ],
])('%s cannot be found out: nothing is done, and that is said', async (_, query, operation) => {
  const { sandbox, proxy, send } = await start()
  proxy.become({ kind: 'deaf' })
  expect((await send(query, 'k')).errors[0]?.extensions.outcome).toBe('unknown')
  proxy.become({ kind: 'sound' })
  for (let turn = 0; turn < 2; turn += 1) {
    const { errors } = await send(query, 'k')
    expect(errors[0]?.extensions).toMatchObject({ code: 'OUTCOME_UNKNOWN', outcome: 'unknown' })
    expect(errors[0]?.message).toContain('no way to find out. Nothing was done now.')
  }
  expect(sandbox.calls(operation)).toHaveLength(1)
})

test('an upload whose last answer is lost is found by the state of its session', async () => {
  const { sandbox, proxy, graph, send } = await start()
  const open =
    'mutation { f: insertVideo(input: { snippet: { title: "Lost" }, contentType: "video/mp4", contentLength: "10" }) { upload { url } } }'
  proxy.become({ kind: 'deaf' })
  expect((await send(open, 'o')).errors[0]?.extensions.outcome).toBe('unknown')
  proxy.become({ kind: 'sound' })
  const { data, errors } = await send(open, 'o')
  expect(errors).toEqual([])
  const { url } = data.f.upload as { url: string }
  const authorization = `Bearer ${await graph.token('media.upload')}`
  const put = (body: string | null, range: string) =>
    fetch(url, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'video/mp4', 'content-range': range },
      body,
    })
  proxy.become({ kind: 'deaf' })
  const lost = await put('ten bytes.', 'bytes 0-9/10')
  expect(lost.status).toBeGreaterThanOrEqual(500)
  expect(sandbox.uploads).toHaveLength(1)
  proxy.become({ kind: 'sound' })
  // It is the video that was made, both when its state is requested and when it is sent again.
  const states = [await put(null, 'bytes */10'), await put('ten bytes.', 'bytes 0-9/10')]
  const ids = await Promise.all(states.map(async (state) => ((await state.json()) as { id: string }).id))
  expect(states.map(({ status }) => status)).toEqual([201, 201])
  expect(new Set(ids)).toEqual(new Set([sandbox.uploads[0]?.videoId]))
  expect(sandbox.uploads).toHaveLength(1)
})
