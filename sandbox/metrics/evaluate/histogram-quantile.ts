/** `histogram_quantile` over classic histograms: series of cumulative buckets that differ in the label `le`. */
import { dropLabels, type Labels, labelOf, metricName } from '../labels.ts'
import type { CallNode } from '../promql/index.ts'
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
      const problem = `bucket label "le" is missing or has a malformed value of "${le}"`
      query.warn(node.args[1]?.start ?? node.start, problem)
      continue
    }
    const kept = dropLabels(labels, dropped)
    const group = groups.get(kept.key) ?? { labels: kept, buckets: [] }
    groups.set(kept.key, group)
    group.buckets.push({ bound, count: value })
  }
  return vector(
    [...groups.values()].map(({ labels, buckets }) => ({ labels, value: bucketQuantile(rank, buckets) })),
  )
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
