/** Quantiles of histograms, and sums, differences, growth and comparison of native ones. */
import { dropLabels, type Labels, labelOf, metricName, withoutName } from '../labels.ts'
import type { CallNode } from '../promql/index.ts'
import type { Bucket, Histogram, Sample } from '../series.ts'
import type { Query } from './query.ts'
import { elementsOf, floatsOf, scalarOf, type Value, vector } from './value.ts'

interface ClassicBucket {
  readonly bound: number
  count: number
}

export function histogramQuantile(node: CallNode, values: readonly Value[], query: Query): Value {
  const rank = scalarOf(values[0])
  const given = elementsOf(values[1])
  const groups = new Map<string, { labels: Labels; buckets: ClassicBucket[] }>()
  const dropped = new Set(['le', metricName])
  if (given.length > 0) query.warnOfQuantile(node.args[0]?.start ?? node.start, rank)
  for (const { labels, value } of floatsOf(given)) {
    const le = labelOf(labels, 'le')
    const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le === '' ? 'none' : le)
    if (Number.isNaN(bound)) {
      const name = labelOf(labels, metricName)
      const problem = `bucket label "le" is missing or has a malformed value of "${le}"`
      query.warn(
        node.args[1]?.start ?? node.start,
        name === '' ? problem : `${problem} for metric name "${name}"`,
      )
      continue
    }
    const kept = dropLabels(labels, dropped)
    const group = groups.get(kept.key) ?? { labels: kept, buckets: [] }
    groups.set(kept.key, group)
    group.buckets.push({ bound, count: value })
  }
  const native = given.flatMap(({ labels, histogram }) =>
    histogram === undefined ? [] : [{ labels: withoutName(labels), value: nativeQuantile(rank, histogram) }],
  )
  const classic = [...groups.values()].map(({ labels, buckets }) => ({
    labels,
    value: bucketQuantile(rank, buckets),
  }))
  return vector([...native, ...classic])
}

/** From the nearer end, as in Prometheus, so that the last digits are the same. */
function nativeQuantile(rank: number, { count, buckets }: Histogram): number {
  if (rank < 0) return Number.NEGATIVE_INFINITY
  if (rank > 1) return Number.POSITIVE_INFINITY
  const isUpward = rank < 0.5
  const wanted = (isUpward ? rank : 1 - rank) * count
  let found: Bucket | undefined
  let seen = 0
  for (const bucket of isUpward ? buckets : buckets.toReversed()) {
    found = bucket
    seen += bucket.count
    if (seen >= wanted) break
  }
  if (found === undefined) return Number.NaN
  // Counts that were scaled may add up to a little more.
  seen = Math.min(seen, count)
  const share = (isUpward ? wanted - (seen - found.count) : seen - wanted) / found.count
  return valueInBucket(found, share, buckets)
}

/** Interpolates on a logarithmic scale, on which all buckets are equally wide, and in the zero bucket linearly. */
function valueInBucket({ left, right }: Bucket, share: number, buckets: readonly Bucket[]): number {
  if (left <= 0 && right >= 0) {
    // Without buckets on one side, the zero bucket has no values there.
    const hasNegative = buckets.some((bucket) => bucket.right < 0)
    const hasPositive = buckets.some((bucket) => bucket.left > 0)
    const low = hasPositive && !hasNegative ? 0 : left
    const high = hasNegative && !hasPositive ? 0 : right
    return low + (high - low) * share
  }
  const [low, high] = [Math.log2(Math.abs(left)), Math.log2(Math.abs(right))]
  return left > 0 ? 2 ** (low + (high - low) * share) : -(2 ** (high + (low - high) * (1 - share)))
}

function bucketQuantile(rank: number, unsorted: readonly ClassicBucket[]): number {
  if (Number.isNaN(rank)) return Number.NaN
  if (rank < 0) return Number.NEGATIVE_INFINITY
  if (rank > 1) return Number.POSITIVE_INFINITY
  const buckets = [...unsorted].sort((a, b) => a.bound - b.bound)
  // Counts are cumulative. In a scrape that is not atomic they may fall, and Prometheus raises them again.
  for (const [index, bucket] of buckets.entries()) {
    bucket.count = Math.max(bucket.count, buckets[index - 1]?.count ?? 0)
  }
  const last = buckets.at(-1)
  if (last === undefined || last.bound !== Number.POSITIVE_INFINITY || buckets.length < 2) return Number.NaN
  if (!(last.count > 0)) return Number.NaN
  const wanted = rank * last.count
  const found = buckets.slice(0, -1).findIndex(({ count }) => count >= wanted)
  if (found < 0) return buckets.at(-2)?.bound ?? Number.NaN
  const bucket = buckets[found] ?? last
  if (found === 0 && bucket.bound <= 0) return bucket.bound
  const below = found === 0 ? { bound: 0, count: 0 } : (buckets[found - 1] ?? last)
  const share = (wanted - below.count) / (bucket.count - below.count)
  return below.bound + (bucket.bound - below.bound) * share
}

/** Whether two native histograms are equal. */
export function isSameHistogram(a: Histogram, b: Histogram): boolean {
  return a.sum === b.sum && combined(a, b, -1).buckets.length === 0
}

/** Whether the counter behind a native histogram began again: the count of a bucket fell. */
export function isHistogramReset(before: Histogram, after: Histogram): boolean {
  return combined(after, before, -1).buckets.some(({ count }) => count < 0)
}

function bucketKey({ rule, left, right }: Histogram['buckets'][number]): string {
  return `${rule} ${left} ${right}`
}

function combined(a: Histogram, b: Histogram, sign: 1 | -1): Histogram {
  const buckets = new Map(a.buckets.map((bucket) => [bucketKey(bucket), bucket]))
  for (const bucket of b.buckets) {
    const key = bucketKey(bucket)
    buckets.set(key, { ...bucket, count: (buckets.get(key)?.count ?? 0) + sign * bucket.count })
  }
  const sorted = [...buckets.values()].sort((one, two) => one.left - two.left)
  return {
    count: a.count + sign * b.count,
    sum: a.sum + sign * b.sum,
    buckets: sorted.filter(({ count }) => count !== 0),
  }
}

export function scaled({ count, sum, buckets }: Histogram, factor: number): Histogram {
  return {
    count: count * factor,
    sum: sum * factor,
    buckets: buckets.map((bucket) => ({ ...bucket, count: bucket.count * factor })),
  }
}

export function addHistograms(histograms: readonly Histogram[]): Histogram {
  return histograms.reduce((total, one) => combined(total, one, 1), { count: 0, sum: 0, buckets: [] })
}

/** Growth over a window, with counter resets; undefined for a mix of floats and histograms. */
export function histogramGrowth(samples: readonly Sample[], isCounter: boolean): Histogram | undefined {
  const histograms = samples.flatMap(({ histogram }) => (histogram === undefined ? [] : [histogram]))
  const [first] = histograms
  const last = histograms.at(-1)
  if (first === undefined || last === undefined || histograms.length !== samples.length) return undefined
  let growth = combined(last, first, -1)
  if (!isCounter) return growth
  let previous = first
  for (const histogram of histograms) {
    if (histogram.count < previous.count) growth = combined(growth, previous, 1)
    previous = histogram
  }
  return growth
}
