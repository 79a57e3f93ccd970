/** Past one process: replicas behind a load balancer, with what they share in one Redis. */
import { createServer, type ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../sandbox/index.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { type Backend, startBalancer } from '../support/balancer.ts'
import { answerFrom, startGraph } from '../support/graph.ts'
import { listen } from '../support/listen.ts'
import { postJson } from '../support/post-json.ts'
import { type RunningProcess, startTessera } from '../support/process.ts'
import { startRedis, withRedis } from '../support/redis.ts'

const dailyUnits = 1_000_000

interface Outcome {
  readonly good: boolean
  /** The text of an answer that is not good, or why there is none. */
  readonly answer?: string
  readonly backend: string
  readonly startedAt: number
}

interface Load {
  readonly outcomes: readonly Outcome[]
  /** Resolves when so many more requests have been answered by those that count. */
  more(count: number, counts?: (outcome: Outcome) => boolean): Promise<void>
  stop(): Promise<void>
}

/** Each costs a unit or more. */
const queries = [
  ...sampleVideos.own
    .slice(0, 20)
    .map((id) => `{ video(videoId: "${id}") { snippet { title } statistics { viewCount } } }`),
  ...[3, 7, 11].map((first) => `{ chartVideos(chart: MOST_POPULAR, first: ${first}) { nodes { videoId } } }`),
]

async function ask(url: string, turn: number): Promise<Outcome> {
  const startedAt = performance.now()
  let backend = 'none'
  try {
    const response = await postJson(`${url}/graphql`, { query: queries[turn % queries.length] })
    backend = response.headers.get('x-backend') ?? 'none'
    const answer = await response.text()
    const { data, errors } = JSON.parse(answer) as { data?: object; errors?: unknown }
    if (response.status === 200 && data !== undefined && errors === undefined)
      return { good: true, backend, startedAt }
    return { good: false, answer, backend, startedAt }
  } catch (error) {
    return { good: false, answer: String(error), backend, startedAt }
  }
}

/** Clients that ask one thing after the other until they are stopped. */
function startLoad(url: string, clients: number): Load {
  const outcomes: Outcome[] = []
  const waiting = new Set<() => void>()
  let stopped = false
  const client = async (number: number): Promise<void> => {
    for (let turn = number; !stopped; turn += clients) {
      outcomes.push(await ask(url, turn))
      for (const look of [...waiting]) look()
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  return {
    outcomes,
    more(count, counts = () => true) {
      const from = outcomes.length
      return new Promise((resolve) => {
        const look = (): void => {
          if (outcomes.slice(from).filter(counts).length < count) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      })
    },
    async stop() {
      stopped = true
      await running
    },
  }
}

async function mediaQuota(url: string): Promise<{ used: number; remaining: number; reserved: number }> {
  const answer = await postJson(`${url}/graphql`, { query: '{ mediaQuota { limit used remaining } }' })
  const { data } = await answerFrom(answer)
  const { limit, used, remaining } = data.mediaQuota
  return { used, remaining, reserved: limit - used - remaining }
}

/** Resolves when a gateway has reached Redis: until then it grants no units. */
async function grantsUnits(origin: string): Promise<void> {
  await expect.poll(() => ask(origin, 0)).toMatchObject({ good: true })
}

/** Resolves in a moment at which the backend is working on something. */
async function busy(backend: Backend): Promise<void> {
  while (backend.running.size === 0) await new Promise((resolve) => setImmediate(resolve))
}

describe.skipIf(!withRedis('replicas that share a Redis'))('two gateways behind a load balancer', () => {
  test('lose only what one of them was processing when it was killed, and nothing on a signal to stop', async () => {
    await using redis = await startRedis()
    await using sandbox = await startSandbox({ journal: false })
    await using balancer = await startBalancer()
    await using processes = new AsyncDisposableStack()
    const startGateway = async (): Promise<{ gateway: RunningProcess; backend: Backend }> => {
      const gateway = processes.use(
        startTessera(['serve', '--port', '0'], {
          ...Object.fromEntries(
            ['VIDEOS', 'AGENTS', 'MESSAGES', 'METRICS'].map((name) => [`TESSERA_${name}_URL`, sandbox.url]),
          ),
          TESSERA_REDIS_URL: redis.url,
          TESSERA_QUOTA_DAILY: String(dailyUnits),
          TESSERA_SHUTDOWN_DELAY_MS: '5000',
          TESSERA_LOG_LEVEL: 'warn',
        }),
      )
      const { origin } = new URL(await gateway.said('graph'))
      await grantsUnits(origin)
      return { gateway, backend: await balancer.add(origin) }
    }
    const [first, second] = await Promise.all([startGateway(), startGateway()])
    const load = startLoad(balancer.url, 8)
    await load.more(30, ({ backend }) => backend === first.backend.url)
    await load.more(30, ({ backend }) => backend === second.backend.url)
    expect(load.outcomes.filter(({ good }) => !good)).toEqual([])

    // One dies in the middle of its work.
    await busy(first.backend)
    first.gateway.child.kill('SIGKILL')
    expect(await first.gateway.ended).toBe('SIGKILL')
    const diedAt = performance.now()
    await load.more(100)
    const lost = load.outcomes.filter(({ good }) => !good)
    // What it had in hand: at most one a client, all of them asked before it was gone.
    expect(lost.length).toBeLessThanOrEqual(8)
    for (const { backend, startedAt } of lost) {
      expect(backend).toBe(first.backend.url)
      expect(startedAt).toBeLessThan(diedAt)
    }
    balancer.remove(first.backend)

    // The ledger: what the dead one had been promised stays promised, so nothing is spent that is not covered.
    await load.stop()
    const afterDeath = await mediaQuota(balancer.url)
    expect(afterDeath.used).toBeLessThanOrEqual(sandbox.ledger.units)
    expect(afterDeath.used + afterDeath.reserved).toBeGreaterThanOrEqual(sandbox.ledger.units)
    expect(sandbox.ledger.units - afterDeath.used).toBeLessThanOrEqual(lost.length)

    // Another takes its place, and the remaining one gets a signal to stop.
    const unitsBefore = sandbox.ledger.units
    const third = await startGateway()
    const again = startLoad(balancer.url, 8)
    await again.more(30, ({ backend }) => backend === second.backend.url)
    await again.more(30, ({ backend }) => backend === third.backend.url)
    await busy(second.backend)
    const saidBefore = second.gateway.output().length
    second.gateway.child.kill('SIGTERM')
    expect(await second.gateway.ended).toBe(0)
    await again.more(50)
    await again.stop()
    expect(again.outcomes.filter(({ good }) => !good)).toEqual([])
    const said = second.gateway.output()
    expect(said.slice(saidBefore)).not.toMatch(/"level":(40|50|60)/)
    // On a busy machine Redis may be late by a second, which is said. Nothing else is.
    const late = /^.*"msg":"the shared quota ledger is unreachable: .*$/gm
    expect(said.slice(0, saidBefore).replace(late, '')).not.toMatch(/"level":(40|50|60)/)

    const afterStop = await mediaQuota(balancer.url)
    expect(afterStop.used - afterDeath.used).toBe(sandbox.ledger.units - unitsBefore)
    expect(afterStop.used).toBeGreaterThan(afterDeath.used)
    expect(afterStop.reserved).toBe(afterDeath.reserved)
  })
})

describe.skipIf(!withRedis('subgraph services that share a Redis'))('two videos services', () => {
  test('hold one budget together, call by call, whichever router asks', async () => {
    await using redis = await startRedis()
    await using sandbox = await startSandbox()
    const secret = 'the secret of gateway and subgraphs'
    const start = (): RunningProcess =>
      startTessera(['subgraph', 'videos', '--port', '0'], {
        TESSERA_VIDEOS_URL: sandbox.url,
        TESSERA_SUBGRAPH_SECRET: secret,
        TESSERA_REDIS_URL: redis.url,
        TESSERA_QUOTA_DAILY: '7',
        TESSERA_LOG_LEVEL: 'warn',
      })
    await using first = start()
    await using second = start()
    const urls = await Promise.all([first.said('videos'), second.said('videos')])
    const ask = async (url: string, query: string): Promise<{ data?: object; codes: string[] }> => {
      const answer = await postJson(url, { query }, { 'router-authorization': `Bearer ${secret}` })
      const { data, errors } = await answerFrom(answer)
      return { ...(data ? { data } : {}), codes: errors.map(({ extensions }) => extensions.code) }
    }
    // A service that does not reach Redis within a second refuses; the first connection takes longest.
    for (const url of urls) {
      await expect
        .poll(() => ask(url, '{ mediaQuota { remaining } }'))
        .toEqual({ data: { mediaQuota: { remaining: 7 } }, codes: [] })
    }
    const answers = await Promise.all(
      urls.flatMap((url) =>
        Array.from({ length: 12 }, (_, number) =>
          ask(url, `{ chartVideos(chart: MOST_POPULAR, first: ${number + 1}) { totalCount } }`),
        ),
      ),
    )
    const codes = answers.map((answer) => answer.codes[0] ?? 'done')
    expect(codes.filter((code) => code === 'done')).toHaveLength(7)
    expect(codes.filter((code) => code === 'QUOTA_EXCEEDED')).toHaveLength(17)
    expect(sandbox.ledger.units).toBe(7)
    for (const url of urls) {
      expect((await ask(url, '{ mediaQuota { limit remaining } }')).data).toEqual({
        mediaQuota: { limit: 7, remaining: 0 },
      })
    }
  })
})

test('a gateway that gets a signal to stop says it is not ready, answers for a while, and keeps no connection', async () => {
  await using graph = await startGraph({ env: { TESSERA_SHUTDOWN_DELAY_MS: '3000' } })
  const ready = new URL('/health/ready', graph.url)
  expect((await fetch(ready)).status).toBe(200)
  const stopped = graph.gateway.stop()
  // All at once: a busy machine needs its time.
  const [health, live, answer] = await Promise.all([
    fetch(ready),
    fetch(new URL('/health/live', graph.url)),
    graph.ask('{ chartVideos(chart: MOST_POPULAR, first: 1) { totalCount } }'),
  ])
  expect([health.status, await health.json()]).toEqual([503, expect.objectContaining({ ready: false })])
  expect(live.status).toBe(200)
  expect([answer.status, answer.errors]).toEqual([200, []])
  expect(answer.headers.get('connection')).toBe('close')
  await stopped
  await expect(fetch(ready)).rejects.toThrow()
})

test('after that while it accepts no connection, so that a load balancer takes another gateway, and ends what runs', async () => {
  const held = Promise.withResolvers<ServerResponse>()
  await using service = await listen(createServer((_, response) => held.resolve(response)))
  await using graph = await startGraph({
    env: { TESSERA_SHUTDOWN_DELAY_MS: '50' },
    urls: { videos: service.url },
  })
  const running = graph.ask('{ chartVideos(chart: MOST_POPULAR, first: 1) { nodes { videoId } } }')
  const response = await held.promise
  const stopped = graph.gateway.stop()
  const asked = () =>
    graph.ask('{ __typename }').then(
      ({ status }) => status,
      () => 'refused',
    )
  let answer: unknown = 200
  while (answer === 200) answer = await asked()
  expect(answer).toBe('refused')
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[]}')
  expect((await running).data).toEqual({ chartVideos: { nodes: [] } })
  await stopped
})
