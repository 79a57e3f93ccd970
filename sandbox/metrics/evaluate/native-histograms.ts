/** Sums, differences and growth of native histograms. */
import type { Histogram, Sample } from '../series.ts'

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
