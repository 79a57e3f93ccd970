/**
 * The sample series: a small fleet of services, scraped every 15 seconds. Every value is computed from the time
 * alone, so any range has data, and the same query always has the same result.
 */
import { labelsFrom, metricName } from './labels.ts'
import { computedSeries, type Histogram, type Series } from './series.ts'

export const scrapeInterval = 15_000
const second = 1000
const hour = 3600 * second
const day = 24 * hour

interface Target {
  readonly job: string
  readonly instance: string
}
const apiTargets: readonly Target[] = ['api-1:8080', 'api-2:8080', 'api-3:8080'].map((instance) => ({
  job: 'api',
  instance,
}))
const targets: readonly Target[] = [
  ...apiTargets,
  { job: 'worker', instance: 'worker-1:9100' },
  { job: 'worker', instance: 'worker-2:9100' },
  { job: 'database', instance: 'db-1:9187' },
  { job: 'metrics', instance: 'localhost:9090' },
  { job: 'retired', instance: 'retired-1:8080' },
]
/** A target that is always down, for which alerts fire. */
export const downTarget: Target = { job: 'retired', instance: 'retired-1:8080' }

/** A number that is computed from the text alone (FNV-1a). */
function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash
}

/** A smooth value between -1 and 1 with a daily and a shorter period, shifted by the seed. */
function wave(time: number, seed: number): number {
  const slow = Math.sin((2 * Math.PI * time) / day + (seed % 628) / 100)
  const quick = Math.sin((2 * Math.PI * time) / (20 * 60 * second + (seed % 97) * second))
  return 0.7 * slow + 0.3 * quick
}

/** A counter that rises at a varying rate, and starts again when its process restarts. */
function counterAt(time: number, seed: number, perSecond: number): number {
  const life = 3 * day + (seed % 7) * hour
  const age = (((time - (seed % 50_000)) % life) + life) % life
  const seconds = age / second
  // The amplitude keeps the derivative positive: it takes away at most 0.8 of the mean rate.
  const amplitude = (0.8 * perSecond * 1800) / (2 * Math.PI)
  return Math.floor(perSecond * seconds + amplitude * (1 - Math.cos((2 * Math.PI * seconds) / 1800)))
}

/** Only these years have data. So milliseconds that are sent as seconds find nothing, as on a real server. */
const yearsWithData = { after: 0, until: Date.UTC(2100, 0, 1) }

function scraped(
  name: string,
  labels: Readonly<Record<string, string>>,
  valueAt: (time: number, seed: number) => number | Histogram | undefined,
): Series {
  const set = labelsFrom([[metricName, name], ...Object.entries(labels)])
  const seed = seedOf(set.key)
  // All series of a target are scraped at the same time.
  const phase = seedOf(labels.instance ?? '') % scrapeInterval
  return computedSeries({
    labels: set,
    interval: scrapeInterval,
    phase,
    span: yearsWithData,
    sampleAt(time) {
      const value = valueAt(time, seed)
      if (value === undefined) return undefined
      return typeof value === 'number' ? { time, value } : { time, value: Number.NaN, histogram: value }
    },
  })
}

/** worker-2 is down for the first ten minutes of every hour. */
function isUp(target: Target, time: number): boolean {
  if (target.job === 'retired') return false
  return target.instance !== 'worker-2:9100' || time % hour >= 600 * second
}

const latencyBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const latencyShares = [0.02, 0.09, 0.31, 0.58, 0.79, 0.92, 0.97, 0.99, 0.997]

function requests(): Series[] {
  const outcomes = [
    { method: 'GET', handler: '/graphql', status: '200', perSecond: 12 },
    { method: 'POST', handler: '/graphql', status: '200', perSecond: 31 },
    { method: 'POST', handler: '/graphql', status: '500', perSecond: 0.4 },
    { method: 'GET', handler: '/health', status: '200', perSecond: 0.2 },
    { method: 'GET', handler: '/missing', status: '404', perSecond: 0.07 },
  ]
  return apiTargets.flatMap((target) =>
    outcomes.map(({ perSecond, ...labels }) =>
      scraped('http_requests_total', { ...target, ...labels }, (time, seed) =>
        counterAt(time, seed, perSecond),
      ),
    ),
  )
}

function classicHistograms(): Series[] {
  const name = 'http_request_duration_seconds'
  return apiTargets.flatMap((target) => {
    const seed = seedOf(target.instance)
    const count = (time: number) => counterAt(time, seed, 40)
    const buckets = latencyBounds.map((bound, index) =>
      scraped(`${name}_bucket`, { ...target, le: String(bound) }, (time) =>
        Math.floor(count(time) * (latencyShares[index] ?? 1)),
      ),
    )
    return [
      ...buckets,
      scraped(`${name}_bucket`, { ...target, le: '+Inf' }, count),
      scraped(`${name}_count`, { ...target }, count),
      scraped(`${name}_sum`, { ...target }, (time) => count(time) * 0.073),
    ]
  })
}

/** A native histogram with a zero bucket and buckets on both sides of it, bounded by powers of the square root of 2. */
function nativeHistogramAt(time: number, seed: number): Histogram {
  const root = Math.SQRT2
  const negative = counterAt(time, seed + 1, 0.5)
  const zero = counterAt(time, seed + 2, 0.2)
  const positive = [0.1, 0.2, 0.1, 0.1].map((perSecond, index) =>
    counterAt(time, seed + 3 + index, perSecond),
  )
  const exponents = [0, 1, 3, 4]
  const buckets: Histogram['buckets'][number][] = [
    { rule: 1, left: -1, right: -(root ** -1), count: negative },
    { rule: 3, left: -0.001, right: 0.001, count: zero },
    ...positive.map((count, index): Histogram['buckets'][number] => ({
      rule: 0,
      left: root ** ((exponents[index] ?? 0) - 1),
      right: root ** (exponents[index] ?? 0),
      count,
    })),
  ]
  const filled = buckets.filter(({ count }) => count > 0)
  const count = filled.reduce((total, bucket) => total + bucket.count, 0)
  const sum = filled.reduce((total, { left, right, count }) => total + count * ((left + right) / 2), 0)
  return { count, sum, buckets: filled }
}

const specialValues: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  positive_infinity: Number.POSITIVE_INFINITY,
  negative_infinity: Number.NEGATIVE_INFINITY,
  negative_zero: -0,
  tiny: 1e-7,
  huge: 1.5e21,
  past_2_53: 2 ** 53 + 2,
  fraction: 0.1 + 0.2,
}

export function createSampleSeries(): Series[] {
  return [
    ...targets.flatMap((target) => [
      scraped('up', { ...target }, (time) => (isUp(target, time) ? 1 : 0)),
      scraped('scrape_duration_seconds', { ...target }, (time, seed) => 0.004 + 0.002 * wave(time, seed)),
    ]),
    ...targets
      .filter(({ job }) => job !== 'retired')
      .flatMap((target) => [
        scraped('process_resident_memory_bytes', { ...target }, (time, seed) =>
          isUp(target, time) ? Math.round(2e8 + (seed % 1e8) + 5e7 * wave(time, seed)) : undefined,
        ),
        scraped('process_cpu_seconds_total', { ...target }, (time, seed) =>
          isUp(target, time) ? counterAt(time, seed, 18) / 100 : undefined,
        ),
      ]),
    ...requests(),
    ...classicHistograms(),
    ...apiTargets.map((target) => scraped('rpc_latency_seconds', { ...target }, nativeHistogramAt)),
    ...['worker-1:9100', 'worker-2:9100'].map((instance) =>
      scraped('queue_length', { job: 'worker', instance, queue: 'mail' }, (time, seed) =>
        isUp({ job: 'worker', instance }, time) ? Math.round(50 + 45 * wave(time, seed)) : undefined,
      ),
    ),
    ...['living room', 'cellar'].map((room) =>
      scraped('temperature_celsius', { job: 'sensors', instance: 'hub:80', room }, (time, seed) =>
        Number((room === 'cellar' ? -2 + 4 * wave(time, seed) : 20 + 3 * wave(time, seed)).toFixed(2)),
      ),
    ),
    ...Object.entries(specialValues).map(([kind, value]) => scraped('special_value', { kind }, () => value)),
    scraped('build_info', { job: 'api', version: '1.4.2', go_version: 'go1.26' }, () => 1),
    scraped(
      'text_labels',
      { quote: 'say "hi"', path: 'C:\\temp', lines: 'a\nb', 'größe.cm': 'ü 🙂' },
      () => 42,
    ),
  ]
}

export function createBenchSeries(): Series[] {
  return Array.from({ length: 100 }, (_, index) =>
    scraped('bench_series', { instance: `bench-${index % 10}`, series: String(index) }, (time, seed) =>
      Number((100 + 50 * wave(time, seed)).toFixed(3)),
    ),
  )
}

/** Expressions over the sample series, named after what is special about their responses. */
export const sampleExpressions = {
  vector: 'up',
  scalar: '1 + 2',
  string: '"text"',
  matrix: 'up[1m]',
  empty: 'no_such_metric',
  specialFloats: 'special_value',
  nativeHistogram: 'rpc_latency_seconds',
  classicHistogram: 'http_request_duration_seconds_bucket{instance="api-1:8080"}',
  rate: 'sum by (job) (rate(http_requests_total[5m]))',
  /** The response has a warning. */
  warned: 'quantile(2, up)',
  /** The response has an info, because the metric is not named like a counter. */
  annotated: 'rate(queue_length[5m])',
  /** It does not parse. */
  malformed: 'up{',
  /** It parses, but fails in evaluation. */
  ambiguous: 'up * on (job) group_left () {__name__=~"up|scrape_duration_seconds"}',
  /** It parses, but this evaluator does not implement it. */
  unsupported: 'max_over_time(up[1h:1m])',
  unusualLabels: 'text_labels',
} as const
