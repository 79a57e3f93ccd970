// Functions over the samples of a window: what `rate`, `increase` and the `*_over_time` family make of them.
// Pure; they compute as the service does, extrapolation and compensated summation included.
import { ExecutionFailure } from './errors.ts'
import type { Histogram, Sample } from './series.ts'

export interface Window {
  readonly samples: readonly Sample[]
  readonly start: number // exclusive, milliseconds
  readonly end: number // inclusive
}
/** A float, a histogram, or undefined where the window holds too little. */
export type WindowFunction = (window: Window, parameter: number) => number | Histogram | undefined

/** Kahan's summation with Neumaier's correction; infinities and NaN pass through. */
export function compensatedSum(values: readonly number[]): number {
  let sum = 0
  let correction = 0
  for (const value of values) {
    const next = sum + value
    if (!Number.isFinite(next)) correction = 0
    else if (Math.abs(sum) >= Math.abs(value)) correction += sum - next + value
    else correction += value - next + sum
    sum = next
  }
  return Number.isFinite(sum) ? sum + correction : sum
}

export function mean(values: readonly number[]): number {
  const sum = compensatedSum(values)
  if (Number.isFinite(sum) || values.some((value) => !Number.isFinite(value))) return sum / values.length
  // The sum overflowed although the mean does not.
  return values.reduce((average, value, index) => average + (value / (index + 1) - average / (index + 1)), 0)
}

export function variance(values: readonly number[]): number {
  let average = 0
  let squares = 0
  for (const [index, value] of values.entries()) {
    const delta = value - average
    average += delta / (index + 1)
    squares += delta * (value - average)
  }
  return squares / values.length
}

/** Interpolated between neighbours; NaN sorts lowest. */
export function quantile(rank: number, values: readonly number[]): number {
  if (values.length === 0 || Number.isNaN(rank)) return Number.NaN
  if (rank < 0) return Number.NEGATIVE_INFINITY
  if (rank > 1) return Number.POSITIVE_INFINITY
  const sorted = [...values].sort((a, b) => (Number.isNaN(a) ? -1 : Number.isNaN(b) ? 1 : a - b))
  const position = rank * (sorted.length - 1)
  const lower = sorted[Math.max(0, Math.floor(position))] ?? Number.NaN
  const upper = sorted[Math.min(sorted.length - 1, Math.floor(position) + 1)] ?? Number.NaN
  const weight = position - Math.floor(position)
  return lower * (1 - weight) + upper * weight
}

function extrapolation(window: Window, counter: { first: number; growth: number } | undefined): number {
  const { samples } = window
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined) return Number.NaN
  const sampled = (last.time - first.time) / 1000
  const average = sampled / (samples.length - 1)
  // A gap of more than about one interval at an edge means that the series began or ended inside the window.
  const threshold = average * 1.1
  let toStart = (first.time - window.start) / 1000
  let toEnd = (window.end - last.time) / 1000
  if (toStart >= threshold) toStart = average / 2
  if (counter !== undefined && counter.growth > 0 && counter.first >= 0) {
    // A counter cannot have been below zero: do not extrapolate past the point where it was zero.
    toStart = Math.min(toStart, sampled * (counter.first / counter.growth))
  }
  if (toEnd >= threshold) toEnd = average / 2
  return (sampled + toStart + toEnd) / sampled
}

function extrapolated(isCounter: boolean, perSecond: boolean): WindowFunction {
  return (window) => {
    const { samples } = window
    const first = samples[0]
    const last = samples.at(-1)
    if (first === undefined || last === undefined || samples.length < 2) return undefined
    const seconds = perSecond ? (window.end - window.start) / 1000 : 1
    if (first.histogram !== undefined || last.histogram !== undefined) {
      const growth = histogramGrowth(samples, isCounter)
      if (growth === undefined) return undefined
      const counter = isCounter ? { first: first.histogram?.count ?? 0, growth: growth.count } : undefined
      return scaled(growth, extrapolation(window, counter) / seconds)
    }
    let growth = last.value - first.value
    if (isCounter) {
      let previous = first.value
      for (const { value } of samples) {
        if (value < previous) growth += previous
        previous = value
      }
    }
    const counter = isCounter ? { first: first.value, growth } : undefined
    return growth * (extrapolation(window, counter) / seconds)
  }
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

function scaled({ count, sum, buckets }: Histogram, factor: number): Histogram {
  return {
    count: count * factor,
    sum: sum * factor,
    buckets: buckets.map((bucket) => ({ ...bucket, count: bucket.count * factor })),
  }
}

export function addHistograms(histograms: readonly Histogram[]): Histogram {
  return histograms.reduce((total, one) => combined(total, one, 1), { count: 0, sum: 0, buckets: [] })
}

function histogramGrowth(samples: readonly Sample[], isCounter: boolean): Histogram | undefined {
  const histograms = samples.flatMap(({ histogram }) => (histogram === undefined ? [] : [histogram]))
  const [first] = histograms
  const last = histograms.at(-1)
  // A mix of floats and histograms has no rate.
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

function instant(perSecond: boolean, isCounter: boolean): WindowFunction {
  return ({ samples }) => {
    const last = samples.at(-1)
    const before = samples.at(-2)
    if (last === undefined || before === undefined) return undefined
    if (last.histogram !== undefined || before.histogram !== undefined) refuseHistogram('irate and idelta')
    const growth = isCounter && last.value < before.value ? last.value : last.value - before.value
    return perSecond ? growth / ((last.time - before.time) / 1000) : growth
  }
}

function refuseHistogram(what: string): never {
  throw new ExecutionFailure(`${what} of native histograms is not supported by this server`)
}

/** Of the floats of the window; windows of histograms alone yield nothing, as in the service. */
function ofFloats(compute: (values: number[], parameter: number) => number): WindowFunction {
  return ({ samples }, parameter) => {
    const values = samples.filter(({ histogram }) => histogram === undefined).map(({ value }) => value)
    return values.length === 0 ? undefined : compute(values, parameter)
  }
}

function changes(values: readonly number[], changed: (before: number, after: number) => boolean): number {
  return values.filter((value, index) => index > 0 && changed(values[index - 1] ?? Number.NaN, value)).length
}

function extreme(
  better: (candidate: number, best: number) => boolean,
): (values: readonly number[]) => number {
  return (values) =>
    values.reduce((best, value) => (better(value, best) || Number.isNaN(best) ? value : best), Number.NaN)
}
export const largest = extreme((candidate, best) => candidate > best)
export const smallest = extreme((candidate, best) => candidate < best)

export const windowFunctions: ReadonlyMap<string, WindowFunction> = new Map<string, WindowFunction>([
  ['rate', extrapolated(true, true)],
  ['increase', extrapolated(true, false)],
  ['delta', extrapolated(false, false)],
  ['irate', instant(true, true)],
  ['idelta', instant(false, false)],
  [
    'changes',
    ofFloats((values) => changes(values, (a, b) => a !== b && !(Number.isNaN(a) && Number.isNaN(b)))),
  ],
  ['resets', ofFloats((values) => changes(values, (before, after) => after < before))],
  ['avg_over_time', overTime('avg_over_time', mean)],
  ['sum_over_time', overTime('sum_over_time', compensatedSum)],
  ['max_over_time', ofFloats(largest)],
  ['min_over_time', ofFloats(smallest)],
  ['stddev_over_time', ofFloats((values) => Math.sqrt(variance(values)))],
  ['stdvar_over_time', ofFloats(variance)],
  ['quantile_over_time', ofFloats((values, rank) => quantile(rank, values))],
  ['count_over_time', ({ samples }) => (samples.length === 0 ? undefined : samples.length)],
  ['present_over_time', ({ samples }) => (samples.length === 0 ? undefined : 1)],
  ['last_over_time', ({ samples }) => samples.at(-1)?.histogram ?? samples.at(-1)?.value],
])

/** Functions of which the service has a histogram form that is not computed here: refused, not guessed. */
function overTime(name: string, compute: (values: number[]) => number): WindowFunction {
  const floats = ofFloats(compute)
  return (window, parameter) => {
    if (window.samples.some(({ histogram }) => histogram !== undefined)) refuseHistogram(name)
    return floats(window, parameter)
  }
}

/** These keep the metric's name, because the value is still of that metric. */
export const namePreserving: ReadonlySet<string> = new Set(['last_over_time'])
/** These expect a counter; of a metric that is not named like one the service remarks on it. */
export const counterFunctions: ReadonlySet<string> = new Set(['rate', 'increase', 'irate'])
