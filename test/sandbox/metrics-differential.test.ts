/**
 * The evaluator of the sandbox beside a real Prometheus that holds the same samples: the same expression must have the
 * same status, kind of error, type, labels, times and values.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMetricsApi, type MetricsAnswer, type MetricsApi } from '../../sandbox/metrics/api.ts'
import { scrapeInterval } from '../../sandbox/metrics/samples.ts'
import { campaignSize } from '../support/campaign-size.ts'
import { type Prometheus, startPrometheus, withPrometheus } from '../support/prometheus.ts'
import { anyExpression } from './metrics-expressions.ts'
import {
  begin,
  end,
  expectClose,
  linesByMetric,
  loadableSeries,
  type Pair,
  type QueryBody,
  rowsOf,
  type Tolerance,
} from './metrics-samples.ts'

const series = loadableSeries()

/** A fraction of a second at which nothing was scraped: versions differ in which edge of a window is open. */
function quietMillisecond(): number {
  const scraped = new Set(series.map(({ newest }) => (newest(begin - 3_600_000, begin)?.time ?? 0) % 1000))
  for (let millisecond = 500; ; millisecond++) if (!scraped.has(millisecond)) return millisecond
}
const quiet = quietMillisecond()
/** What servers may differ by in the last digits of sums and of mathematical functions. */
const rounding: Tolerance = { relative: 1e-6, absolute: 1e-5 }

function openMetrics(): string {
  const families = linesByMetric(
    series,
    begin - 300_000,
    (line, { time }) => `${line} ${(time / 1000).toFixed(3)}`,
  )
  return `${[...families].flatMap(([name, lines]) => [`# TYPE ${name} unknown`, ...lines]).join('\n')}\n# EOF\n`
}

describe.runIf(withPrometheus('the metrics stand-in beside the real thing'))(
  'beside a real Prometheus',
  () => {
    let prometheus: Prometheus
    let api: MetricsApi

    beforeAll(async () => {
      prometheus = await startPrometheus({
        samples: openMetrics(),
        flags: ['--storage.tsdb.retention.time=100y'],
      })
      api = createMetricsApi({ now: () => end, synthetic: false, series, maxTimeoutMs: 120_000 })
    })
    afterAll(() => prometheus?.close())

    async function compare(
      path: 'query' | 'query_range',
      parameters: Record<string, string>,
      tolerance: Tolerance = { relative: 1e-12, absolute: 0 },
    ): Promise<QueryBody> {
      const sent = new URLSearchParams(parameters)
      const answer: MetricsAnswer = path === 'query' ? api.query(sent) : api.queryRange(sent)
      const response = await fetch(`${prometheus.url}/api/v1/${path}`, { method: 'POST', body: sent })
      const ours = JSON.parse(answer.body) as QueryBody
      const theirs = (await response.json()) as QueryBody
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
        expectClose(expression, [ours.data.result as Pair], [theirs.data.result as Pair], tolerance)
        return ours
      }
      const [left, right] = [rowsOf(ours.data.result), rowsOf(theirs.data.result)]
      expect([...left.keys()].sort(), expression).toEqual([...right.keys()].sort())
      for (const [key, pairs] of left) expectClose(expression, pairs, right.get(key) ?? [], tolerance)
      return ours
    }

    const momentAt = (fraction: number): string =>
      ((Math.floor((begin + (end - begin) * fraction) / 1000) * 1000 + quiet) / 1000).toFixed(3)

    test.each(
      `
    1 + 2 * 3 ^ 2 ^ 0.5 | -1 ^ 2 | 7 % -3 | 1 / 0 | -1 / 0 | 0 / 0 | 010 + 0x1F | 1e-7 | 1e21 * 3 | .5 | Inf - Inf
    1 > bool 2 | 2 >= bool 2 | NaN == bool NaN | -(3) | +4 | "text" | 'it''s' | "\\xc3\\xa9\\303\\251\\xff" | "\\777" | "\\ud800" | "\\U00110000" | "a\\tb\\u00e9\\x41" | \`raw\\n\` | time() | pi()
    up | up{job="api"} | up{job!="api"} | up{instance=~"api-.*"} | up{instance=~"api"} | up{instance!~"(api|db)-.*"} | {job="api",__name__="up"}
    {__name__=~"up|build_info"} | up{nothing=""} | up{nothing!=""} | up{job=~".+", instance=~"[a-d]{2}.*[^9]0$"} | up{instance=~"(?i)API-[12]:\\\\d+"}
    up offset 10m | up offset -5m | up @ 1772530000.5 | up[1m] | up[61s] offset 3m | no_such_metric | special_value
    queue_length | queue_length{instance="worker-2:9100"} | absent(no_such_metric{a="b",c=~"d"}) | absent(up) | timestamp(up) | timestamp((up)) | timestamp(up and up) | timestamp(sort(up)) | timestamp(up offset 5m) | timestamp(up > 0)
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
    clamp(temperature_celsius, 0, 20) | clamp_min(temperature_celsius, 0) | clamp_max(temperature_celsius, 0) | clamp(up, 2, 1) | clamp(up, Inf, NaN) | clamp_min(special_value, Inf) | clamp_max(special_value, -Inf) | clamp(special_value, NaN, 1) | scalar(build_info) | scalar(up) | vector(3) | hour() | minute(vector(0)) | day_of_week() | day_of_year() | days_in_month() | month() | year() | sort(queue_length) | sort_desc(queue_length)
    histogram_quantile(0.9, sum by (le) (rate(http_request_duration_seconds_bucket[5m]))) | histogram_quantile(0.5, http_request_duration_seconds_bucket) | histogram_quantile(0.999, rate(http_request_duration_seconds_bucket[10m])) | histogram_quantile(-1, http_request_duration_seconds_bucket) | histogram_quantile(0.5, http_request_duration_seconds_bucket{le!="+Inf"}) | histogram_quantile(0, http_request_duration_seconds_bucket)
    {__name__=~"queue_length|temperature_celsius|up"} * 2 | rate({__name__=~"up|queue_length"}[5m]) | sum(up) > 3 | sum | up{ | up} | {} | {job=~".*"} | up{job=} | up{job="a" instance="b"} | up{job=~"("} | up{job=~"a(?=b)"} | foo(up) | rate(up) | rate(up[5m], 1) | rate() | sum() | sum(1) | topk(up) | quantile("a", up)
    up @ 1e30 | up @ -1e19 | up @ NaN | up @ -Inf | topk(NaN, up) | bottomk(1e20, up) | topk(-1e20, up) | bottomk(-Inf, up) | topk(-9223372036854775808, up) | topk(9223372036854774784, up) | topk(9223372036854775807, up) | topk(1e20, no_such_metric) | clamp_max(special_value, NaN) | clamp(special_value, -Inf, Inf) | topk(Inf, no_such_metric)
    1 == 1 | "a" + 1 | "a" == "b" | up[5m] + 1 | -"a" | -up[5m] | 1 and up | up and bool up | up + bool up | up[5m][5m] | sum(up)[5m] | up offset 5m offset 5m | up offset 5m [5m] | 1 offset 5m | up[0s] | up[1.5h] | up[5 m] | 5mm | 0x | up{a="b",} | up{,} | sum by (job,) (up) | sum by job (up) | "open | up # a comment | up on (job) up | up * on (job) group_left (job) up | up and on (job) group_left () up | label:with:colons | up{a:b="c"} | time(1) | 1 @ 5 | !up | up ~ 2 | ;
  `
        .split(/\s\|\s|\n/)
        .map((expression) => expression.trim())
        .filter((expression) => expression !== ''),
    )('%s: one moment', async (expression) => {
      for (const fraction of [0.5, 0.71])
        await compare('query', { query: expression, time: momentAt(fraction) })
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
      const range = { start: momentAt(0.4), end: momentAt(0.9) }
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
      await compare('query', { query: 'up', time: momentAt(0.5), ...parameters })
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

    const moments = campaignSize(1000)
    test(`${moments} random expressions have the same result at one moment`, async () => {
      const fraction = fc.double({ min: 0.35, max: 0.95, noNaN: true })
      let withResult = 0
      await fc.assert(
        fc.asyncProperty(anyExpression, fraction, async (expression, at) => {
          const { data } = await compare('query', { query: expression, time: momentAt(at) }, rounding)
          if (Array.isArray(data?.result) && data.result.length > 0) withResult += 1
        }),
        { numRuns: moments },
      )
      expect(withResult).toBeGreaterThan(moments * 0.6)
    })

    const ranges = campaignSize(250)
    test(`${ranges} random expressions have the same result over a range`, async () => {
      await fc.assert(
        fc.asyncProperty(anyExpression, fc.integer({ min: 20, max: 900 }), async (expression, seconds) => {
          const range = { start: momentAt(0.4), end: momentAt(0.6), step: String(seconds) }
          await compare('query_range', { query: expression, ...range }, rounding)
        }),
        { numRuns: ranges },
      )
    })

    test('both hold the same samples', async () => {
      const seconds = (10 * scrapeInterval) / 1000
      const body = await compare(
        'query',
        { query: `{__name__=~"[^:]+"}[${seconds}s]`, time: momentAt(0.5) },
        { relative: 0, absolute: 0 },
      )
      expect(body.data?.result).toHaveLength(series.length)
    })
  },
)
