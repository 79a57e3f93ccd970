// The stand-in's evaluator beside a real Prometheus that holds the same samples: the same expression must give the
// same status, kind of error, types, labels, times and values.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMetricsApi, type MetricsAnswer, type MetricsApi } from '../../sandbox/metrics/api.ts'
import { labelOf, metricName } from '../../sandbox/metrics/labels.ts'
import { formatFloat } from '../../sandbox/metrics/number.ts'
import { createSampleSeries, scrapeInterval } from '../../sandbox/metrics/sample-series.ts'
import type { Series } from '../../sandbox/metrics/series.ts'
import { type Prometheus, startPrometheus, withPrometheus } from '../support/prometheus.ts'

const begin = Date.UTC(2026, 2, 3, 8)
const length = 3 * 3_600_000
// A native histogram and a label outside of ASCII cannot be written in the text form that this server loads.
const series = createSampleSeries().filter(({ labels }) =>
  ['rpc_latency_seconds', 'text_labels'].every((name) => name !== labelOf(labels, metricName)),
)

/** A fraction of a second at which nothing was scraped: versions differ in which edge of a window is open. */
function quietMillisecond(): number {
  const scraped = new Set(series.map(({ newest }) => (newest(begin - length, begin)?.time ?? 0) % 1000))
  for (let millisecond = 500; ; millisecond++) if (!scraped.has(millisecond)) return millisecond
}
const quiet = quietMillisecond()

function openMetrics(all: readonly Series[]): string {
  const families = new Map<string, string[]>()
  for (const { labels, between } of all) {
    const name = labelOf(labels, metricName)
    const lines = families.get(name) ?? []
    families.set(name, lines)
    const set = labels.pairs
      .filter(([label]) => label !== metricName)
      .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
      .join(',')
    for (const { time, value } of between(begin - 300_000, begin + length)) {
      lines.push(`${name}{${set}} ${formatFloat(value)} ${(time / 1000).toFixed(3)}`)
    }
  }
  return `${[...families].flatMap(([name, lines]) => [`# TYPE ${name} unknown`, ...lines]).join('\n')}\n# EOF\n`
}

interface Body {
  status: string
  errorType?: string
  data?: { resultType: string; result: unknown }
}
type Pair = [number, string]
interface Row {
  metric: Record<string, string>
  value?: Pair
  values?: Pair[]
}

function rowsOf(result: unknown): Map<string, Pair[]> {
  const rows = (result as Row[]).map(({ metric, value, values }): [string, Pair[]] => [
    JSON.stringify(Object.entries(metric).sort(([a], [b]) => (a < b ? -1 : 1))),
    values ?? (value === undefined ? [] : [value]),
  ])
  return new Map(rows)
}

function expectClose(
  expression: string,
  ours: Pair[],
  theirs: Pair[],
  tolerance: number,
  floor: number,
): void {
  expect(
    ours.map(([time]) => time),
    expression,
  ).toEqual(theirs.map(([time]) => time))
  for (const [index, [time, text]] of ours.entries()) {
    const wanted = theirs[index]?.[1] ?? 'missing'
    if (text === wanted) continue
    const [a, b] = [Number(text), Number(wanted)]
    const near = Math.abs(a - b) <= Math.max(tolerance * Math.max(Math.abs(a), Math.abs(b)), floor)
    expect(near, `${expression} at ${time}: ${text}, Prometheus says ${wanted}`).toBe(true)
  }
}

describe.runIf(withPrometheus('the metrics stand-in beside the real thing'))(
  'beside a real Prometheus',
  () => {
    let prometheus: Prometheus
    let api: MetricsApi

    beforeAll(async () => {
      prometheus = await startPrometheus({
        samples: openMetrics(series),
        flags: ['--storage.tsdb.retention.time=100y'],
      })
      api = createMetricsApi({ now: () => begin + length, synthetic: false, series, maxTimeoutMs: 120_000 })
    }, 60_000)
    afterAll(() => prometheus?.close())

    async function compare(
      path: 'query' | 'query_range',
      parameters: Record<string, string>,
      tolerance = 1e-12,
      floor = 0,
    ): Promise<Body> {
      const sent = new URLSearchParams(parameters)
      const answer: MetricsAnswer = path === 'query' ? api.query(sent) : api.queryRange(sent)
      const response = await fetch(`${prometheus.url}/api/v1/${path}`, { method: 'POST', body: sent })
      const ours = JSON.parse(answer.body) as Body
      const theirs = (await response.json()) as Body
      const expression = parameters.query ?? ''
      const outcome = { status: answer.status, errorType: ours.errorType, type: ours.data?.resultType }
      expect(outcome, `${expression}: ${answer.body.slice(0, 300)}`).toEqual({
        status: response.status,
        errorType: theirs.errorType,
        type: theirs.data?.resultType,
      })
      if (ours.data === undefined || theirs.data === undefined) return ours
      if (ours.data.resultType === 'string') {
        expect(ours.data.result).toEqual(theirs.data.result)
        return ours
      }
      if (ours.data.resultType === 'scalar') {
        expectClose(expression, [ours.data.result as Pair], [theirs.data.result as Pair], tolerance, floor)
        return ours
      }
      const [left, right] = [rowsOf(ours.data.result), rowsOf(theirs.data.result)]
      expect([...left.keys()].sort(), expression).toEqual([...right.keys()].sort())
      for (const [key, pairs] of left) expectClose(expression, pairs, right.get(key) ?? [], tolerance, floor)
      return ours
    }

    const at = (fraction: number): string =>
      ((Math.floor((begin + length * fraction) / 1000) * 1000 + quiet) / 1000).toFixed(3)

    test.each(
      `
    1 + 2 * 3 ^ 2 ^ 0.5 | -1 ^ 2 | 7 % -3 | 1 / 0 | -1 / 0 | 0 / 0 | 010 + 0x1F | 1e-7 | 1e21 * 3 | .5 | Inf - Inf
    1 > bool 2 | 2 >= bool 2 | NaN == bool NaN | -(3) | +4 | "text" | 'it''s' | "a\\tb\\u00e9\\x41" | \`raw\\n\` | time() | pi()
    up | up{job="api"} | up{job!="api"} | up{instance=~"api-.*"} | up{instance=~"api"} | up{instance!~"(api|db)-.*"} | {job="api",__name__="up"}
    {__name__=~"up|build_info"} | up{nothing=""} | up{nothing!=""} | up{job=~".+", instance=~"[a-d]{2}.*[^9]0$"} | up{instance=~"(?i)API-[12]:\\\\d+"}
    up offset 10m | up offset -5m | up @ 1772530000.5 | up[1m] | up[61s] offset 3m | no_such_metric | special_value
    queue_length | queue_length{instance="worker-2:9100"} | absent(no_such_metric{a="b",c=~"d"}) | absent(up) | timestamp(up)
    rate(http_requests_total[5m]) | increase(http_requests_total[5m]) | rate(http_requests_total[31s]) | rate(http_requests_total[16s]) | rate(http_requests_total[5s])
    irate(http_requests_total[5m]) | delta(temperature_celsius[10m]) | idelta(temperature_celsius[10m]) | changes(up[1h]) | resets(process_cpu_seconds_total[3h])
    rate(process_cpu_seconds_total[30m]) | rate(queue_length[1h]) | increase(process_resident_memory_bytes[20m])
    avg_over_time(queue_length[1h]) | min_over_time(queue_length[1h]) | max_over_time(queue_length[1h]) | sum_over_time(queue_length[1h]) | count_over_time(queue_length[1h])
    last_over_time(queue_length[1h]) | present_over_time(queue_length[1h]) | stddev_over_time(queue_length[1h]) | stdvar_over_time(queue_length[1h]) | quantile_over_time(0.3, queue_length[1h])
    quantile_over_time(-1, queue_length[1h]) | quantile_over_time(2, queue_length[1h]) | min_over_time(special_value[1m]) | sum_over_time(special_value[1m]) | avg_over_time(special_value[1m])
    sum(up) | sum by (job) (up) | sum without (instance) (up) | avg by (job) (scrape_duration_seconds) | min(up) | max by (job, instance) (up) | count without (instance) (up) | count(up == 0)
    sum by (job, status) (rate(http_requests_total[5m])) | sum(rate(http_requests_total[5m])) by (handler) | stddev(queue_length) | stdvar by (job) (scrape_duration_seconds) | group by (job) (up) | quantile(0.4, queue_length) | quantile(1.5, up)
    topk(2, process_cpu_seconds_total) | bottomk(2, process_cpu_seconds_total) | topk(0, up) | min(special_value) | max(special_value) | sum(special_value) | avg(special_value) | count(special_value)
    up * 2 | 2 - up | up / 0 | up == 0 | 0 == up | up == bool 0 | 1 < bool up | temperature_celsius > 0 | -temperature_celsius | temperature_celsius ^ 2 | temperature_celsius % 3 | up != 1
    special_value > 0 | special_value == special_value | special_value * -1 | (1 ^ special_value) | ((-1) ^ special_value) | abs(temperature_celsius) atan2 2
    queue_length / on (instance) up | up + up | up == up | scrape_duration_seconds > on (job, instance) up | queue_length * on (instance) group_left (version) build_info | up and on (job) queue_length | up unless on (job) queue_length | queue_length or up
    http_requests_total / ignoring (status) group_left sum without (status) (http_requests_total) | up * on (job) group_left () {__name__=~"up|scrape_duration_seconds"} | http_requests_total * on (instance) up | up > bool on (instance) queue_length
    sum by (job) (up) / count by (job) (up) | abs(temperature_celsius) | ceil(temperature_celsius) | floor(temperature_celsius) | round(temperature_celsius) | round(temperature_celsius, 0.5) | sqrt(queue_length) | ln(queue_length) | log2(queue_length) | log10(queue_length) | exp(up) | sgn(temperature_celsius)
    clamp(temperature_celsius, 0, 20) | clamp_min(temperature_celsius, 0) | clamp_max(temperature_celsius, 0) | clamp(up, 2, 1) | scalar(build_info) | scalar(up) | vector(3) | hour() | minute(vector(0)) | day_of_week() | day_of_year() | days_in_month() | month() | year() | sort(queue_length) | sort_desc(queue_length)
    histogram_quantile(0.9, sum by (le) (rate(http_request_duration_seconds_bucket[5m]))) | histogram_quantile(0.5, http_request_duration_seconds_bucket) | histogram_quantile(0.999, rate(http_request_duration_seconds_bucket[10m])) | histogram_quantile(-1, http_request_duration_seconds_bucket) | histogram_quantile(0.5, http_request_duration_seconds_bucket{le!="+Inf"}) | histogram_quantile(0, http_request_duration_seconds_bucket)
    {__name__=~"queue_length|temperature_celsius|up"} * 2 | rate({__name__=~"up|queue_length"}[5m]) | sum(up) > 3 | sum | up{ | up} | {} | {job=~".*"} | up{job=} | up{job="a" instance="b"} | up{job=~"("} | up{job=~"a(?=b)"} | foo(up) | rate(up) | rate(up[5m], 1) | rate() | sum() | sum(1) | topk(up) | quantile("a", up)
    1 == 1 | "a" + 1 | "a" == "b" | up[5m] + 1 | -"a" | -up[5m] | 1 and up | up and bool up | up + bool up | up[5m][5m] | sum(up)[5m] | up offset 5m offset 5m | up offset 5m [5m] | 1 offset 5m | up[0s] | up[1.5h] | up[5 m] | 5mm | 0x | up{a="b",} | up{,} | sum by (job,) (up) | sum by job (up) | "open | up # a comment | up on (job) up | up * on (job) group_left (job) up | up and on (job) group_left () up | label:with:colons | up{a:b="c"} | time(1) | 1 @ 5 | !up | up ~ 2 | ;
  `
        .split(/\s\|\s|\n/)
        .map((expression) => expression.trim())
        .filter((expression) => expression !== ''),
    )('%s: one moment', async (expression) => {
      for (const fraction of [0.5, 0.71]) await compare('query', { query: expression, time: at(fraction) })
    })

    test.each([
      'up',
      '42',
      'time()',
      'queue_length',
      'sum by (job) (rate(http_requests_total[5m]))',
      'max_over_time(queue_length[20m])',
      'up == 0',
      'queue_length{instance="worker-2:9100"} > 60',
      'up @ start() + up @ end()',
      'temperature_celsius offset 7m',
      'topk(1, process_cpu_seconds_total)',
      'histogram_quantile(0.9, sum by (le) (rate(http_request_duration_seconds_bucket[5m])))',
      'up[5m]',
      '"text"',
      'no_such_metric',
    ])('%s: over a range', async (expression) => {
      const range = { start: at(0.4), end: at(0.9) }
      for (const step of ['60', '7m30s', '1h', '333ms'].slice(0, expression === '42' ? 4 : 3)) {
        await compare('query_range', { query: expression, ...range, step })
      }
    })

    test.each([
      ['time', { time: 'yesterday' }],
      ['time', { time: '2026-03-03T09:00:00' }],
      ['time', { time: '2026-03-03T09:00:00.25+01:00' }],
      ['time', { time: '1.77253e9' }],
      ['time', { time: '2026-02-30T09:00:00Z' }],
      ['timeout', { timeout: 'x' }],
      ['timeout', { timeout: '1m1h' }],
      ['timeout', { timeout: '0.000001' }],
      ['timeout', { timeout: '1h30m' }],
      ['timeout', { timeout: '9e18' }],
    ])('%s of an instant query is read alike: %o', async (_, parameters) => {
      await compare('query', { query: 'up', time: at(0.5), ...parameters })
    })

    test.each([
      { start: '' },
      { end: '' },
      { step: '' },
      { step: '0' },
      { step: '-1' },
      { step: '1.5h' },
      { start: '1772530002', end: '1772530001' },
      { start: '1772530001', end: '1772530001' },
      { start: '0', end: '11000', step: '1' },
      { start: '0', end: '11000.5', step: '1' },
      { start: '0', end: '11001', step: '1' },
    ])('bounds of a range are read alike: %o', async (parameters) => {
      await compare('query_range', {
        query: 'no_such_metric',
        start: '1772530000',
        end: '1772530060',
        step: '15',
        ...parameters,
      })
    })

    const selector = fc.constantFrom(
      'up',
      'queue_length',
      'temperature_celsius',
      'http_requests_total{status="200"}',
      'http_requests_total',
      'scrape_duration_seconds',
      'process_cpu_seconds_total{job!="api"}',
    )
    const { vector } = fc.letrec<{ vector: string; scalar: string }>((tie) => ({
      scalar: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom('0.5', '2', '-3', 'Inf', '1e3', 'time()'),
        fc
          .tuple(tie('scalar'), fc.constantFrom('+', '-', '*', '/', '> bool', '== bool'), tie('scalar'))
          .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      ),
      vector: fc.oneof(
        { depthSize: 'small' },
        fc.tuple(selector, fc.constantFrom('', ' offset 3m')).map((parts) => parts.join('')),
        fc
          .tuple(
            fc.constantFrom(
              'rate',
              'increase',
              'delta',
              'irate',
              'avg_over_time',
              'max_over_time',
              'count_over_time',
              'sum_over_time',
              'changes',
            ),
            selector,
            fc.integer({ min: 10, max: 3000 }),
          )
          .map(([name, of, seconds]) => `${name}(${of}[${seconds}s])`),
        fc
          .tuple(
            fc.constantFrom('sum', 'avg', 'min', 'max', 'count', 'stddev'),
            fc.constantFrom(
              '',
              'by (job) ',
              'by (instance, status) ',
              'without (instance) ',
              'without (handler, status) ',
            ),
            tie('vector'),
          )
          .map(([operator, grouping, of]) => `${operator} ${grouping}(${of})`),
        fc
          .tuple(tie('vector'), fc.constantFrom('+', '*', '>', '<= bool', '/'), tie('scalar'))
          .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
        fc
          .tuple(
            tie('vector'),
            fc.constantFrom('*', '+ on (instance)', 'and', 'or', 'unless on (job)', '< ignoring (job)'),
            tie('vector'),
          )
          .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
        tie('vector').map((of) => `-${of}`),
      ),
    }))

    test('random expressions agree', async () => {
      await fc.assert(
        fc.asyncProperty(
          vector,
          fc.double({ min: 0.35, max: 0.95, noNaN: true }),
          async (expression, fraction) => {
            await compare('query', { query: expression, time: at(fraction) }, 1e-6, 1e-5)
          },
        ),
        { numRuns: 300 },
      )
    })

    test('random expressions over a range agree', async () => {
      await fc.assert(
        fc.asyncProperty(vector, fc.integer({ min: 20, max: 900 }), async (expression, seconds) => {
          const range = { start: at(0.4), end: at(0.6), step: String(seconds) }
          await compare('query_range', { query: expression, ...range }, 1e-6, 1e-5)
        }),
        { numRuns: 100 },
      )
    })

    test('the server holds what the stand-in holds, scrape by scrape', async () => {
      const seconds = (10 * scrapeInterval) / 1000
      const body = await compare('query', { query: `{__name__=~"[^:]+"}[${seconds}s]`, time: at(0.5) }, 0)
      expect(body.data?.result).toHaveLength(series.length)
    })
  },
)
