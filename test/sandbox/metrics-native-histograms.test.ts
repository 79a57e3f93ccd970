/** Functions of native histograms in the sandbox. The expected values are those of Prometheus 3.16 for the same samples. */
import { expect, test } from 'vitest'
import { createMetricsApi } from '../../sandbox/metrics/api.ts'
import { labelsFrom } from '../../sandbox/metrics/labels.ts'
import {
  type Bucket,
  computedSeries,
  type Histogram,
  type Sample,
  type Series,
} from '../../sandbox/metrics/series.ts'

const minute = 60_000
const root = Math.SQRT2

/** A histogram whose buckets are bounded by powers of the square root of 2, from 1 / √2 up, on both sides. */
function histogram(
  sum: number,
  zero: number,
  positive: readonly number[],
  negative: readonly number[] = [],
): Histogram {
  const bucket = (rule: Bucket['rule'], left: number, right: number, count: number): Bucket => ({
    rule,
    left,
    right,
    count,
  })
  const buckets = [
    ...negative.map((count, at) => bucket(1, -(root ** at), -(root ** (at - 1)), count)).reverse(),
    bucket(3, -0.001, 0.001, zero),
    ...positive.map((count, at) => bucket(0, root ** (at - 1), root ** at, count)),
  ].filter(({ count }) => count > 0)
  return { count: buckets.reduce((total, { count }) => total + count, 0), sum, buckets }
}

/** One sample a minute, from the first one on. */
function seriesOf(name: string, kind: string, values: readonly (number | Histogram)[]): Series {
  const sampleAt = (time: number): Sample | undefined => {
    const value = values[time / minute - 1]
    if (typeof value === 'object') return { time, value: Number.NaN, histogram: value }
    return value === undefined ? undefined : { time, value }
  }
  const span = { after: 0, until: 60 * minute }
  return computedSeries({
    labels: labelsFrom([
      ['__name__', name],
      ['kind', kind],
    ]),
    interval: minute,
    span,
    sampleAt,
  })
}

const both = histogram(20, 2, [1, 3, 0, 5], [4])
const positive = histogram(9, 4, [1, 3])
const negative = histogram(-9, 4, [], [1, 3])
const changing = [
  positive,
  positive,
  histogram(10, 4, [2, 3]),
  histogram(10, 5, [1, 4]),
  7,
  histogram(2, 2, []),
]
const alike = [
  histogram(10, 5, [1, 4]),
  histogram(11, 5, [1, 4]),
  histogram(11, 5, [2, 3]),
  histogram(11, 5, [2, 3]),
]

const api = createMetricsApi({
  now: () => 6 * minute,
  synthetic: false,
  maxTimeoutMs: 60_000,
  series: [
    ...Object.entries({ both, positive, negative }).map(([kind, one]) =>
      seriesOf('h', kind, Array(6).fill(one)),
    ),
    seriesOf('h', 'float', Array(6).fill(1)),
    seriesOf('r', 'changing', changing),
    seriesOf('r', 'alike', alike),
    seriesOf('empty', 'empty', Array(6).fill(histogram(0, 0, []))),
  ],
})

function ask(query: string): {
  data: { result: { metric: { kind?: string }; value: [number, string] }[] }
  infos?: string[]
  warnings?: string[]
} {
  const { status, body } = api.query(new URLSearchParams({ query, time: String((6 * minute) / 1000) }))
  expect(status, body).toBe(200)
  return JSON.parse(body)
}

const valuesOf = (query: string): Record<string, number> =>
  Object.fromEntries(ask(query).data.result.map(({ metric, value }) => [metric.kind ?? '', Number(value[1])]))

test.each([
  [0, -1, 0, -root],
  [0.05, -0.93708381705515, 1e-4, -1.3503499461681898],
  [0.2, -0.7711054127039704, 4e-4, -1.1755479062836087],
  [0.3, -5e-4, 6e-4, -1.0717734625362931],
  [0.45, 0.9170040432046712, 9.000000000000001e-4, -0.8122523963562355],
  [0.5, 1.0594630943592953, 1 / root, -1e-3],
  [0.7, 2.0705298476827547, 1.0717734625362931, -6.000000000000001e-4],
  [0.9, 2.5491212546385245, 1.2893703084395791, -1.9999999999999998e-4],
  [1, 2 * root, root, 0],
])('the quantile %d is interpolated on the scale of its bucket', (rank, ...expected) => {
  const values = valuesOf(`histogram_quantile(${rank}, h{kind!="float"})`)
  const found = [values.both, values.positive, values.negative]
  for (const [at, value] of expected.entries()) expect(found[at]).toBeCloseTo(value, 12)
  expect(Object.keys(values)).toHaveLength(3)
})

test('a quantile of no number, and of an empty histogram, is no number', () => {
  for (const query of ['histogram_quantile(NaN, h{kind="both"})', 'histogram_quantile(0.5, empty)'])
    expect(ask(query).data.result.map(({ value }) => value[1])).toEqual(['NaN'])
})

test('the quantiles beyond 0 and 1 are infinite', () => {
  for (const [rank, text] of [
    [-1, '-Inf'],
    [2, '+Inf'],
  ]) {
    const { data } = ask(`histogram_quantile(${rank}, h{kind="both"})`)
    expect(data.result.map(({ value }) => value[1])).toEqual([text])
  }
})

test('changes and resets are counted between all samples', () => {
  expect(valuesOf('changes(r[10m])')).toEqual({ changing: 4, alike: 2 })
  expect(valuesOf('resets(r[10m])')).toEqual({ changing: 3, alike: 1 })
  expect(valuesOf('changes(h[10m])')).toEqual({ both: 0, positive: 0, negative: 0, float: 0 })
})

test.each([
  ['max(h)', 'max', '1:5'],
  ['stddev(h)', 'stddev', '1:8'],
  ['quantile(0.5, h)', 'quantile', '1:15'],
  ['topk(1, h)', 'topk', '1:1'],
  ['bottomk(1, h)', 'bottomk', '1:1'],
])('%s leaves out histograms, and says so', (query, operator, place) => {
  const { data, infos } = ask(query)
  expect(data.result).toHaveLength(1)
  expect(infos).toEqual([`PromQL info: ignored histogram in ${operator} aggregation (${place})`])
})

test('a series that is no bucket is named in the warning', () => {
  expect(ask('histogram_quantile(0.5, h{kind="float"})').warnings).toEqual([
    'PromQL warning: bucket label "le" is missing or has a malformed value of "" for metric name "h" (1:25)',
  ])
})
