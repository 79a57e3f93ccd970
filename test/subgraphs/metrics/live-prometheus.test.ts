/** Subscriptions over a real Prometheus: range tails against range queries, and a rule that fires and resolves. */
import { createServer } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Subgraph } from '../../../shared/subgraph.ts'
import { listen } from '../../support/listen.ts'
import { eventually, type HeldClock, heldClock, subscribeTo } from '../../support/live.ts'
import { type Prometheus, startPrometheus, withPrometheus } from '../../support/prometheus.ts'
import '../../support/seed.ts'
import { metricsSubgraph } from './kit.ts'

interface Series {
  readonly metric: Record<string, string>
  readonly values: [number, string][]
}

const hour = 3600
/** On a minute, some hours ago. */
const begin = Math.floor(Date.now() / 60_000) * 60 - 4 * hour

/** Series that come, go, pause, reset and are not a number, over two hours. */
function samples(): string {
  const lines = ['# TYPE requests counter', '# TYPE level gauge']
  const counters: string[] = []
  const gauges: string[] = []
  for (let at = 0; at < 2 * hour; at += 15) {
    const time = begin + at
    counters.push(`requests_total{job="steady"} ${at * 3} ${time}`)
    if (at % 3000 < 2000) counters.push(`requests_total{job="restarts"} ${at % 1000} ${time}`)
    gauges.push(`level{job="wave"} ${Math.round(1000 * Math.sin(at / 300)) / 1000} ${time}`)
    if (at > hour) gauges.push(`level{job="late"} ${at} ${time}`)
    if (at % 600 < 300) gauges.push(`level{job="holes"} ${at % 90 === 0 ? 'NaN' : at} ${time}`)
  }
  const of = (name: string, all: readonly string[]) =>
    [...new Set(all.map((line) => line.replace(/\}.*/, '}')))].flatMap((series) =>
      all.filter((line) => line.startsWith(series) && line.includes(name)),
    )
  return [lines[0], ...of('requests_total', counters), lines[1], ...of('level', gauges), '# EOF', ''].join(
    '\n',
  )
}

const expressions = [
  'level',
  'sum by (job) (rate(requests_total[2m]))',
  'level > 0',
  'count(level) or vector(0)',
  'max_over_time(level[5m]) - min_over_time(level[5m])',
  'level{job="late"} / level{job="late"} * NaN',
  'scalar(sum(level))',
]

describe.skipIf(!withPrometheus('subscriptions over a real Prometheus'))('a real Prometheus', () => {
  let prometheus: Prometheus
  beforeAll(async () => {
    prometheus = await startPrometheus({ samples: samples() })
  })
  afterAll(async () => prometheus?.close())

  async function queryRange(query: string, start: number, end: number, step: number): Promise<Series[]> {
    const url = new URL(`${prometheus.url}/api/v1/query_range`)
    url.search = new URLSearchParams({ query, start: `${start}`, end: `${end}`, step: `${step}` }).toString()
    const { data } = (await (await fetch(url)).json()) as { data: { result: Series[] } }
    return data.result
  }

  const byLabels = (all: readonly Series[]) =>
    Object.fromEntries(
      all.map(({ metric, values }) => [JSON.stringify(Object.entries(metric).sort()), values] as const),
    )

  test('all events of a range together are the range query over the whole window', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...expressions),
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 0, max: 3600 * 1000 }),
        fc.array(fc.integer({ min: 1, max: 900_000 }), { minLength: 1, maxLength: 6 }),
        async (query, step, steps, offset, pauses) => {
          const clock: HeldClock = heldClock((begin + hour / 2) * 1000 + offset)
          const subgraph: Subgraph = metricsSubgraph(prometheus.url, {
            server: 'auto',
            interval: '1s',
            live: { clock },
          })
          try {
            const watching = await subscribeTo(
              subgraph,
              `subscription ($query: String!, $window: MetricsDuration!, $step: MetricsDuration!) {
                metricsRange(query: $query, window: $window, step: $step) {
                  start end gap series { metric samples { time value } }
                }
              }`,
              { query, window: `${steps * step}s`, step },
            )
            watching.read()
            await watching.until(1)
            const endOf = () => watching.seen.at(-1)?.data.metricsRange.end as number
            for (const pause of pauses) {
              await eventually(() => clock.waiting > 0)
              const due = () => Math.floor((clock.now() - 2000) / (step * 1000)) * step
              clock.pass(pause)
              // A step that was over is sent at the next poll, which is a step later at most.
              for (let at = 0; at < 3 && endOf() < due(); at++) {
                await eventually(() => clock.waiting > 0 || endOf() >= due())
                if (endOf() < due()) clock.pass(1)
                await eventually(() => clock.waiting > 0)
                if (endOf() < due() && at > 0) clock.pass(step * 1000)
                await new Promise((resolve) => setTimeout(resolve, 5))
              }
            }
            await eventually(() => clock.waiting > 0)
            const events = watching.seen.map(({ data }) => data.metricsRange)
            const merged = new Map<string, Series>()
            for (const { series } of events) {
              for (const { metric, samples: points } of series as {
                metric: Record<string, string>
                samples: { time: number; value: string }[]
              }[]) {
                const key = JSON.stringify(Object.entries(metric).sort())
                const one = merged.get(key) ?? { metric, values: [] }
                one.values.push(...points.map(({ time, value }): [number, string] => [time, value]))
                merged.set(key, one)
              }
            }
            expect(events.every(({ gap }) => gap === false)).toBe(true)
            const expected = await queryRange(query, events[0].start, endOf(), step)
            expect(byLabels([...merged.values()])).toEqual(byLabels(expected))
            expect(events.slice(1).every(({ start }, at) => start === events[at].end + step)).toBe(true)
          } finally {
            await subgraph.close()
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  test('a rule that fires and resolves is seen in order, once each', async () => {
    let value = 0
    const target = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' })
      response.end(`# TYPE trouble gauge\ntrouble ${value}\n`)
    })
    await using listening = await listen(target)
    await using watched = await startPrometheus({
      targets: { page: [`127.0.0.1:${listening.port}`] },
      rules: {
        'a.yml': [
          {
            name: 'alerts',
            rules: [
              { alert: 'Trouble', expr: 'trouble > 0', labels: { severity: 'page' } },
              { alert: 'Never', expr: 'trouble > 100' },
              { alert: 'Pending', expr: 'trouble > 0', for: '1h' },
            ],
          },
        ],
      },
    })
    const subgraph = metricsSubgraph(watched.url, { server: 'auto', interval: '1s' })
    try {
      const watching = await subscribeTo(
        subgraph,
        'subscription { alertChanged { change alert { name label(name: "severity") } } }',
      )
      watching.read()
      await watched.until('/query?query=trouble', ({ result }: { result: unknown[] }) => result.length > 0)
      for (let round = 1; round <= 2; round++) {
        value = 1
        await watching.until(round * 2 - 1)
        value = 0
        await watching.until(round * 2)
      }
      // Some more polls, which must bring nothing.
      await watched.until('/alerts', ({ alerts }: { alerts: unknown[] }) => alerts.length === 0)
      expect(watching.seen.map(({ data }) => data.alertChanged)).toEqual(
        ['FIRING', 'RESOLVED', 'FIRING', 'RESOLVED'].map((change) => ({
          change,
          alert: { name: 'Trouble', label: 'page' },
        })),
      )
    } finally {
      await subgraph.close()
      await new Promise((resolve) => target.close(resolve))
    }
  })
})
