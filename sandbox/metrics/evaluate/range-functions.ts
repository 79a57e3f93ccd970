/**
 * Functions over the samples of a window: `rate`, `increase` and the `*_over_time` family. Pure. They compute like
 * Prometheus, including its extrapolation and its compensated summation.
 */
import { ExecutionFailure } from '../errors.ts'
import type { Histogram, Sample } from '../series.ts'
import { histogramGrowth, isHistogramReset, isSameHistogram, scaled } from './histograms.ts'
import { compensatedSum, largest, mean, quantile, smallest, variance } from './statistics.ts'

interface Window {
  readonly samples: readonly Sample[]
  readonly start: number // Exclusive, in milliseconds.
  readonly end: number // Inclusive.
}
/** Returns a float or a histogram; undefined if the window has too few samples. */
type RangeFunction = (window: Window, parameter: number) => number | Histogram | undefined

function extrapolation(window: Window, counter: { first: number; growth: number } | undefined): number {
  const { samples } = window
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined) return Number.NaN
  const sampled = (last.time - first.time) / 1000
  const average = sampled / (samples.length - 1)
  // If the gap at an edge is longer than about one interval, the series began or ended within the window.
  const threshold = average * 1.1
  let toStart = (first.time - window.start) / 1000
  let toEnd = (window.end - last.time) / 1000
  if (toStart >= threshold) toStart = average / 2
  if (counter !== undefined && counter.growth > 0 && counter.first >= 0) {
    // A counter is never negative, so the extrapolation stops at zero.
    toStart = Math.min(toStart, sampled * (counter.first / counter.growth))
  }
  if (toEnd >= threshold) toEnd = average / 2
  return (sampled + toStart + toEnd) / sampled
}

function extrapolated(isCounter: boolean, perSecond: boolean): RangeFunction {
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

function instant(perSecond: boolean, isCounter: boolean): RangeFunction {
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

/** A function of the window's floats. A window with only histograms has no result, as in Prometheus. */
function ofFloats(compute: (values: number[], parameter: number) => number): RangeFunction {
  return ({ samples }, parameter) => {
    const values = samples.filter(({ histogram }) => histogram === undefined).map(({ value }) => value)
    return values.length === 0 ? undefined : compute(values, parameter)
  }
}

/** How many samples differ from the one before them. Between a float and a histogram there is always a difference. */
function differences(
  ofFloats: (before: number, after: number) => boolean,
  ofHistograms: (before: Histogram, after: Histogram) => boolean,
): RangeFunction {
  return ({ samples }) =>
    samples.filter((after, index) => {
      const before = samples[index - 1]
      if (before === undefined) return false
      if (before.histogram === undefined || after.histogram === undefined)
        return before.histogram !== after.histogram || ofFloats(before.value, after.value)
      return ofHistograms(before.histogram, after.histogram)
    }).length
}

export const rangeFunctions: ReadonlyMap<string, RangeFunction> = new Map<string, RangeFunction>([
  ['rate', extrapolated(true, true)],
  ['increase', extrapolated(true, false)],
  ['delta', extrapolated(false, false)],
  ['irate', instant(true, true)],
  ['idelta', instant(false, false)],
  [
    'changes',
    differences(
      (a, b) => a !== b && !(Number.isNaN(a) && Number.isNaN(b)),
      (a, b) => !isSameHistogram(a, b),
    ),
  ],
  ['resets', differences((before, after) => after < before, isHistogramReset)],
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

/** A function that Prometheus also defines for histograms. Here those are refused. */
function overTime(name: string, compute: (values: number[]) => number): RangeFunction {
  const floats = ofFloats(compute)
  return (window, parameter) => {
    if (window.samples.some(({ histogram }) => histogram !== undefined)) refuseHistogram(name)
    return floats(window, parameter)
  }
}

/** Functions that expect a counter. Prometheus adds an info to the response if the metric is not named like one. */
export const counterFunctions: ReadonlySet<string> = new Set(['rate', 'increase', 'irate'])
