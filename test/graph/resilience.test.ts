/**
 * Protection of the graph from services that are down, slow or flooded, and of services from clients that
 * disconnected.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { startSandbox } from '../../sandbox/index.ts'
import { sampleMessages } from '../../sandbox/messages/index.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { json, type Script, startFaultyServer } from '../support/faulty-server.ts'
import { type Graph, type GraphAnswer, startGraph } from '../support/graph.ts'
import { environment } from '../support/process.ts'
import { startBefore } from '../support/scripted-service.ts'
import { startServices } from '../support/services.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** Longer than any test: what ends before was not ended by time. */
const patient = { TESSERA_UPSTREAM_TIMEOUT_MS: '600000', TESSERA_REQUEST_TIMEOUT_MS: '600000' }

const [video] = sampleVideos.own
const askAll = `{
  video(videoId: "${video}") { snippet { title } }
  agent(project: "demo") { displayName }
  message(messageId: "${sampleMessages.ordinary}") { text }
  metrics { buildInfo { version } }
}`

/** All but the agents are there, and the agents say why not. */
function expectOnlyAgentsToFail({ data, errors }: GraphAnswer, extensions: object): void {
  expect(errors.map(({ path }) => path)).toEqual([['agent']])
  expect(errors[0]?.extensions).toMatchObject({ service: 'agents', ...extensions })
  expect(data).toEqual({
    video: { snippet: { title: expect.any(String) } },
    agent: null,
    message: { text: expect.any(String) },
    metrics: { buildInfo: { version: expect.any(String) } },
  })
}

async function askTimes(graph: Graph, times: number): Promise<GraphAnswer[]> {
  const answers: GraphAnswer[] = []
  for (let i = 0; i < times; i++) answers.push(await graph.ask(askAll))
  return answers
}

/** Resolves when `look` says yes; what never comes is ended by the test's own time. */
async function until(look: () => boolean): Promise<void> {
  while (!look()) await new Promise((resolve) => setImmediate(resolve))
}

test('a service that keeps failing is not called any more, and is found again when it is back', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await using graph = await startGraph({ env: patient })
  const { sandbox } = graph
  sandbox.fail({ kind: 'status', status: 500, operation: 'agents.getAgent', times: 10 })
  // Whoever gets through afterwards never comes back: an answer shows that no service was asked.
  sandbox.fail({ kind: 'hang', operation: 'agents.getAgent', times: 1000 })
  for (const answer of await askTimes(graph, 10)) {
    expectOnlyAgentsToFail(answer, { code: 'UPSTREAM_UNAVAILABLE', upstream: { status: 500 } })
  }
  expect(sandbox.calls('agents.getAgent')).toHaveLength(10)
  for (const answer of await askTimes(graph, 20)) {
    expectOnlyAgentsToFail(answer, {
      code: 'UPSTREAM_UNAVAILABLE',
      upstream: { reason: 'breaker' },
      retryAfter: 1,
    })
  }
  const write = await graph.ask(
    'mutation { deleteContexts(input: { project: "demo", session: "s1" }) { session } }',
  )
  expect(write.errors[0]?.extensions).toEqual({
    code: 'UPSTREAM_UNAVAILABLE',
    service: 'agents',
    upstream: { reason: 'breaker' },
    retryAfter: 1,
  })
  expect(sandbox.journal.filter(({ service }) => service === 'agents')).toHaveLength(10)

  sandbox.reset()
  vi.advanceTimersByTime(1000)
  for (const { errors } of await askTimes(graph, 3)) expect(errors).toEqual([])
  expect(sandbox.calls('agents.getAgent')).toHaveLength(3)
})

test('while a service stays down it is tried once a pause, and the pauses grow', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await using graph = await startGraph()
  const calls = (): number => graph.sandbox.calls('agents.getAgent').length
  graph.sandbox.fail({ kind: 'status', status: 500, operation: 'agents.getAgent', times: 1000 })
  await askTimes(graph, 10)
  for (const [pause, all] of [
    [1000, 11],
    [1000, 11],
    [1000, 12],
    [2000, 12],
    [2000, 13],
  ] as const) {
    vi.advanceTimersByTime(pause)
    await askTimes(graph, 3)
    expect(calls()).toBe(all)
  }
})

test('a service that goes and comes back costs only its own fields, and comes back by itself', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  let agents = await startSandbox()
  const port = Number(new URL(agents.url).port)
  await using graph = await startGraph({ urls: { agents: agents.url }, tuning: { agents: { retries: 0 } } })
  expect((await graph.ask(askAll)).errors).toEqual([])
  await agents.close()
  for (const answer of await askTimes(graph, 15))
    expectOnlyAgentsToFail(answer, { code: 'UPSTREAM_UNAVAILABLE' })
  agents = await startSandbox({ port })
  try {
    vi.advanceTimersByTime(1000)
    expect((await graph.ask(askAll)).errors).toEqual([])
  } finally {
    await agents.close()
  }
})

test('a subgraph that goes takes only its own fields along', async () => {
  await using sandbox = await startSandbox()
  const services = await startServices(sandbox.url, {}, ['agents'])
  await using graph = await startGraph({ env: services.env, urls: { videos: sandbox.url } })
  expect((await graph.ask(askAll)).errors).toEqual([])
  await services[Symbol.asyncDispose]()
  for (const answer of await askTimes(graph, 3))
    expectOnlyAgentsToFail(answer, { code: 'UPSTREAM_UNAVAILABLE' })
})

test('when the client goes away its calls are cancelled at every service', async () => {
  await using graph = await startGraph({ env: patient })
  const { sandbox } = graph
  sandbox.fail({ kind: 'hang', times: 4 })
  const client = new AbortController()
  const left = graph.ask(askAll, {}, { signal: client.signal }).catch((error: Error) => error.name)
  await until(() => sandbox.journal.length === 4)
  expect(sandbox.journal.map(({ ended }) => ended)).toEqual([undefined, undefined, undefined, undefined])
  client.abort()
  expect(await left).toBe('AbortError')
  await until(() => sandbox.journal.every(({ ended }) => ended !== undefined))
  expect(sandbox.journal.map(({ answered }) => answered)).toEqual([false, false, false, false])
  expect((await graph.ask(askAll)).errors).toEqual([])
})

test('when the client goes away nothing more is written for it', async () => {
  await using graph = await startGraph({ env: patient })
  const { sandbox } = graph
  sandbox.fail({ kind: 'hang', operation: 'commentThreads.insert' })
  const client = new AbortController()
  const left = graph
    .ask(
      `mutation {
        insertCommentThread(input: { videoId: "${video}", textOriginal: "Hello" }) { commentThread { threadId } }
        deleteContexts(input: { project: "demo", session: "s1" }) { session }
        likeMessage(input: { userId: "${sampleMessages.demoUser}", messageId: "${sampleMessages.ordinary}" }) { liked }
      }`,
      {},
      { signal: client.signal },
    )
    .catch((error: Error) => error.name)
  await until(() => sandbox.journal.length === 1)
  client.abort()
  expect(await left).toBe('AbortError')
  await until(() => sandbox.journal[0]?.ended !== undefined)
  // What would have followed has followed by the time that others are answered.
  expect((await graph.ask(askAll)).errors).toEqual([])
  expect(sandbox.journal.filter(({ method }) => method !== 'GET')).toHaveLength(1)
  expect(sandbox.writes).toEqual([])
})

test('a call that two clients wait for continues when one of them leaves', async () => {
  await using sandbox = await startSandbox()
  const answered = Promise.withResolvers<void>()
  await using videos = await startBefore(
    () => sandbox.url,
    () => answered.promise,
  )
  await using graph = await startGraph({
    env: { ...patient, TESSERA_CACHE_SECONDS: '60' },
    urls: { videos: videos.url, agents: sandbox.url },
  })
  const chart = 'chartVideos(chart: MOST_POPULAR, first: 1) { nodes { videoId } }'
  const client = new AbortController()
  const first = graph.ask(`{ ${chart} }`, {}, { signal: client.signal }).catch((error: Error) => error.name)
  await until(() => videos.arrived.length === 1)
  const second = graph.ask(`{ ${chart} agent(project: "demo") { displayName } }`)
  // Its other service was asked: it waits for the first one's call by now.
  await until(() => sandbox.calls('agents.getAgent').length === 1)
  client.abort()
  expect(await first).toBe('AbortError')
  answered.resolve()
  const { data, errors } = await second
  expect(errors).toEqual([])
  expect(data.chartVideos.nodes).toHaveLength(1)
  expect(videos.arrived.map(({ givenUp }) => givenUp)).toEqual([false])
})

test('no more calls are at a service than it takes; requests take turns in its queue, and beyond their share calls are refused immediately', async () => {
  const waiting: (() => void)[] = []
  let most = 0
  const gate: Script = (response, arrived, number, request) => {
    const answer = json({
      status: 'success',
      data: { resultType: 'scalar', result: [1, new URL(arrived.url, 'http://x').searchParams.get('query')] },
    })
    waiting.push(() => void answer(response, arrived, number, request))
    most = Math.max(most, waiting.length)
  }
  await using metrics = await startFaultyServer(gate)
  await using graph = await startGraph({
    env: patient,
    urls: { metrics: metrics.url },
    tuning: { metrics: { concurrency: 2, queue: 3 } },
  })
  const scalar = (alias: string, value: number): string =>
    `${alias}: query(query: "${value}", time: "1") { scalar { value } }`
  const ask = (...fields: string[]): Promise<GraphAnswer> =>
    graph.ask(`{ agent(project: "demo") { project displayName } metrics { ${fields.join(' ')} } }`)

  const first = ask(scalar('a', 1), scalar('b', 2), scalar('c', 3), scalar('d', 4))
  await metrics.reached(2)
  // Two are sent, two wait: the next one takes the last place, and its second call finds none.
  const second = ask(scalar('e', 5), scalar('f', 6))
  await until(() => graph.sandbox.calls('agents.getAgent').length === 2)
  // A request with nothing in the queue gets the place of the newest call of the one with most in it.
  const third = ask(scalar('g', 7))
  await until(() => graph.sandbox.calls('agents.getAgent').length === 3)

  for (let answered = 0; answered < 5; answered++) {
    await metrics.reached(Math.min(5, answered + 2))
    waiting.shift()?.()
  }
  const answers = await Promise.all([first, second, third])
  const scalarOf = (value: number) => ({ scalar: { value: String(value) } })
  expect(answers.map(({ data }) => data.metrics)).toEqual([
    { a: scalarOf(1), b: scalarOf(2), c: scalarOf(3), d: null },
    { e: scalarOf(5), f: null },
    { g: scalarOf(7) },
  ])
  expect(answers.map(({ data }) => data.agent.displayName)).toEqual(answers.map(() => expect.any(String)))
  const refused = answers.flatMap(({ errors }) => errors)
  expect(refused.map(({ path }) => path)).toEqual([
    ['metrics', 'd'],
    ['metrics', 'f'],
  ])
  for (const { extensions } of refused) {
    expect(extensions).toEqual({
      code: 'UPSTREAM_UNAVAILABLE',
      service: 'metrics',
      upstream: { reason: 'full' },
      retryAfter: 1,
    })
  }
  const order = metrics.arrived.map(({ url }) => new URL(url, 'http://x').searchParams.get('query'))
  expect(order).toEqual(['1', '2', '3', '5', '7'])
  expect(most).toBe(2)
})

test('after a storm of faults memory, sockets and timers are back, and the process ends by itself', async () => {
  const script = fileURLToPath(new URL('./resilience/storm.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script], {
    env: environment(),
  })
  const told = JSON.parse(stdout)
  expect(told.unhandled).toEqual([])
  // Every fault occurred, and each was reported with a known code.
  expect(Object.keys(told.codes).sort()).toEqual([
    'UPSTREAM_BAD_RESPONSE',
    'UPSTREAM_TIMEOUT',
    'UPSTREAM_UNAVAILABLE',
  ])
  expect(told.answers).toBe(told.asked)
  // The first storm compiles and caches; later ones must not add to it.
  expect(told.heldAfterLastMiB - told.heldAfterFirstMiB).toBeLessThan(4)
  expect(told.timersAfter).toBeLessThanOrEqual(told.timersBefore)
  expect(told.left.filter((kind: string) => kind === 'Timeout' || kind.startsWith('TCP'))).toEqual([])
})
