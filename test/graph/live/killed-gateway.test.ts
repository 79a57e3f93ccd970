/** Three gateway processes that share a Redis, of which the one that polls is killed. */
import { createClient } from 'graphql-sse'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../sandbox/index.ts'
import { startFaultyServer } from '../../support/faulty-server.ts'
import { allScopes } from '../../support/graph.ts'
import { type RunningProcess, startTessera } from '../../support/process.ts'
import { startRedis, withRedis } from '../../support/redis.ts'
import { signToken, tokenSecret } from '../../support/token.ts'
import { longestWaitMs, until } from '../../support/wait.ts'

const gauge = 'subscription { metricsQuery(query: "load", every: "1s") { series { sample { value } } } }'
const list = 'subscription { alertChanged { change alert { name } } }'
const fields = ['metricsQuery', 'alertChanged'] as const
type Field = (typeof fields)[number]

/** A value and the names of alerts that fire; counts the calls for each. */
async function startMetrics() {
  const state = { value: 1, firing: [] as string[] }
  const calls: Record<Field, number> = { metricsQuery: 0, alertChanged: 0 }
  const server = await startFaultyServer((response, { url }) => {
    const { pathname } = new URL(url, 'http://localhost')
    let data: object = { groups: [] }
    if (pathname.endsWith('/alerts')) {
      calls.alertChanged += 1
      const alerts = state.firing.map((alertname, at) => ({
        labels: { alertname },
        annotations: {},
        state: 'firing',
        activeAt: new Date(Date.UTC(2026, 10, 22, 12, at)).toISOString(),
        value: '1e+00',
      }))
      data = { alerts }
    } else if (pathname.endsWith('/query')) {
      calls.metricsQuery += 1
      const sample = [Date.now() / 1000, String(state.value)]
      data = { resultType: 'vector', result: [{ metric: { __name__: 'load' }, value: sample }] }
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ status: 'success', data }))
  })
  return { server, state, calls }
}

interface Gateway {
  readonly process: RunningProcess
  readonly url: string
}

/** How often each has polled for a field, by its own metrics. */
const pollsOf = (gateways: readonly Gateway[], field: Field): Promise<number[]> =>
  Promise.all(
    gateways.map(async ({ url }) => {
      const text = await (await fetch(new URL('/metrics', url))).text()
      const counts = text
        .split('\n')
        .filter((line) => line.startsWith('tessera_poll_duration_seconds_count{'))
        .filter((line) => line.includes(`field="${field}"`))
      return counts.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
    }),
  )

/** Which of them made all polls over four calls at the service; waits while it is more than one. */
async function pollerOf(
  gateways: readonly Gateway[],
  field: Field,
  calls: Readonly<Record<Field, number>>,
): Promise<Gateway> {
  for (const end = Date.now() + longestWaitMs; Date.now() < end; ) {
    const [before, from] = [await pollsOf(gateways, field), calls[field]]
    await until(() => calls[field] >= from + 4, `four polls for ${field}`)
    const after = await pollsOf(gateways, field)
    const [one, ...more] = gateways.filter((_, at) => after[at] !== before[at])
    if (one !== undefined && more.length === 0) return one
  }
  throw new Error(`more than one gateway polls for ${field}`)
}

interface Followed {
  /** The values of the gauge, or the changes of alerts with their names. */
  readonly events: string[]
  lastId: string | undefined
  over: boolean
}

interface Data {
  readonly metricsQuery?: { readonly series: readonly { readonly sample: { readonly value: unknown } }[] }
  readonly alertChanged?: { readonly change: string; readonly alert: { readonly name: string } | null }
}

async function follow({ url }: Gateway, query: string, lastEventId?: string): Promise<Followed> {
  const token = await signToken({ scope: allScopes })
  const resume = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const headers = { authorization: `Bearer ${token}`, ...resume }
  const client = createClient({ url, retryAttempts: 0, headers })
  onTestFinished(() => client.dispose())
  const followed: Followed = { events: [], lastId: undefined, over: false }
  const over = (): void => {
    followed.over = true
  }
  client.subscribe<Data>(
    { query },
    {
      next({ data, extensions }) {
        const { metricsQuery, alertChanged } = data ?? {}
        followed.events.push(
          alertChanged
            ? `${alertChanged.change} ${alertChanged.alert?.name}`
            : String(metricsQuery?.series[0]?.sample.value),
        )
        followed.lastId = (extensions as { eventId?: string } | undefined)?.eventId ?? followed.lastId
      },
      error: over,
      complete: over,
    },
  )
  return followed
}

/** Waits until each has so many events; more than that are seen by the comparison at the end. */
const haveAll = (all: readonly Followed[], count: number): Promise<void> =>
  until(
    () => all.every(({ events }) => events.length >= count),
    () => `${count} events for each: ${JSON.stringify(all)}`,
  )

describe.skipIf(!withRedis('a gateway that polls for others and is killed'))('the gateway that polls', () => {
  test('is killed: one of the others polls, each event comes once, and its client resumes at another', async () => {
    await using redis = await startRedis()
    await using sandbox = await startSandbox({ journal: false })
    const metrics = await startMetrics()
    await using _server = metrics.server
    await using processes = new AsyncDisposableStack()
    const start = async (): Promise<Gateway> => {
      const process = processes.use(
        startTessera(['serve', '--port', '0'], {
          ...Object.fromEntries(
            ['VIDEOS', 'AGENTS', 'MESSAGES'].map((name) => [`TESSERA_${name}_URL`, sandbox.url]),
          ),
          TESSERA_METRICS_URL: metrics.server.url,
          TESSERA_METRICS_INTERVAL: '1s',
          TESSERA_REDIS_URL: redis.url,
          TESSERA_JWT_SECRET: tokenSecret,
          TESSERA_LOG_LEVEL: 'warn',
        }),
      )
      return { process, url: await process.said('graph') }
    }
    const gateways = await Promise.all([start(), start(), start()])
    const { state, calls } = metrics

    state.firing = ['A']
    const gauges = await Promise.all(gateways.map((each) => follow(each, gauge)))
    const lists = await Promise.all(gateways.map((each) => follow(each, list)))
    await haveAll([...gauges, ...lists], 1)
    state.value = 2
    state.firing = ['A', 'B']
    await haveAll([...gauges, ...lists], 2)

    const killed = await pollerOf(gateways, 'alertChanged', calls)
    const isLeft = (_: unknown, at: number): boolean => gateways[at] !== killed
    const [others, gaugesLeft, listsLeft] = [
      gateways.filter(isLeft),
      gauges.filter(isLeft),
      lists.filter(isLeft),
    ]
    const [lost] = lists.filter((each) => !listsLeft.includes(each))
    killed.process.child.kill('SIGKILL')
    expect(await killed.process.ended).toBe('SIGKILL')
    // What happens while no gateway polls, or has just begun to.
    state.value = 3
    state.firing = ['B', 'C']
    await haveAll(gaugesLeft, 3)
    await haveAll(listsLeft, 4)
    await until(() => lost?.over === true, 'the end of the connection to the one that was killed')
    const resumed = await follow(others[0] as Gateway, list, lost?.lastId)
    await haveAll([resumed], 2)
    for (const field of fields) await pollerOf(others, field, calls)

    for (const [value, name] of [
      [4, 'D'],
      [5, 'E'],
    ] as const) {
      state.value = value
      state.firing.push(name)
      await haveAll(gaugesLeft, value)
      await haveAll(listsLeft, value + 1)
      await haveAll([resumed], value - 1)
    }
    const alerts = ['FIRING A', 'FIRING B', 'RESOLVED A', 'FIRING C', 'FIRING D', 'FIRING E']
    expect(lost?.events).toEqual(alerts.slice(0, 2))
    expect(resumed.events).toEqual(alerts.slice(2))
    for (const { events } of listsLeft) expect(events).toEqual(alerts)
    for (const { events } of gaugesLeft) expect(events).toEqual(['1', '2', '3', '4', '5'])
    expect([...gaugesLeft, ...listsLeft, resumed].some(({ over }) => over)).toBe(false)
  })
})
