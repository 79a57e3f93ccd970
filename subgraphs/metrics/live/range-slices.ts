/**
 * Steps of a time range, and their results. Times are whole milliseconds, and steps are multiples of their
 * duration.
 */
import { isObject, wellFormed } from '../../kit/json.ts'
import { durationFrom, stepFrom, timeFrom, wrong } from '../arguments.ts'
import { badResponse } from '../envelope.ts'
import { isSeries, type SeriesModel } from '../model.ts'
import { sortedPairs } from '../values.ts'

/** The most points that the service returns for a series. */
export const mostSteps = 11_000

export interface RangeArguments {
  readonly stepMs: number
  /** How many steps the window reaches back. */
  readonly steps: number
  /** Only steps after this time are sent. */
  readonly afterMs: number | undefined
}

/** A slice of steps, both ends included, and the series that have points in it. */
export interface RangeSlice {
  readonly from: number
  readonly to: number
  readonly series: readonly SeriesModel[]
  readonly warnings: readonly string[]
}

export function rangeArgumentsFrom(window: unknown, step: unknown, after: unknown): RangeArguments {
  const stepMs = Math.round(stepFrom(step).seconds * 1000)
  if (stepMs < 1000) throw wrong('step', 'expected at least 1 second.')
  const steps = Math.floor(Math.round(durationFrom(window, 'window').seconds * 1000) / stepMs)
  if (steps < 1) throw wrong('window', 'expected at least one step.')
  if (steps > mostSteps) throw wrong('window', `expected at most ${mostSteps} steps, not ${steps}.`)
  return {
    stepMs,
    steps,
    afterMs: after == null || after === '' ? undefined : Math.round(timeFrom(after, 'after').seconds * 1000),
  }
}

export function lastStepAt(now: number, stepMs: number): number {
  return Math.floor(now / stepMs) * stepMs
}

/** The series of a matrix, and how many of them are malformed. Throws if `data` is not a matrix. */
export function seriesOf(data: unknown): {
  readonly items: readonly SeriesModel[]
  readonly malformedCount: number
} {
  if (!isObject(data) || data.resultType !== 'matrix') throw badResponse('with a matrix')
  const found = wellFormed(data.result ?? [], isSeries)
  if (found === undefined) throw badResponse('with a list of series, as a matrix has')
  return found
}

/** The part of a slice between two times, both included; undefined if it has no step there. */
export function within(slice: RangeSlice, from: number, to: number): RangeSlice | undefined {
  if (from <= slice.from && to >= slice.to) return slice
  const [begin, end] = [Math.max(from, slice.from), Math.min(to, slice.to)]
  if (begin > end) return undefined
  const keep = (pairs: unknown): readonly unknown[] | undefined =>
    Array.isArray(pairs)
      ? pairs.filter((pair) => {
          const time = timeOf(pair)
          return time >= begin && time <= end
        })
      : undefined
  const series = slice.series.flatMap((one): SeriesModel[] => {
    const [values, histograms] = [keep(one.values), keep(one.histograms)]
    if ((values?.length ?? 0) + (histograms?.length ?? 0) === 0) return []
    return [{ metric: one.metric, ...part('values', values), ...part('histograms', histograms) }]
  })
  return { ...slice, from: begin, to: end, series }
}

/** Joins slices that follow each other. */
export function joined(slices: readonly RangeSlice[]): RangeSlice | undefined {
  const [first] = slices
  const last = slices.at(-1)
  if (first === undefined || last === undefined || slices.length === 1) return first
  const byLabels = new Map<
    string,
    { metric: SeriesModel['metric']; values: unknown[]; histograms: unknown[] }
  >()
  for (const { series } of slices) {
    for (const { metric, values, histograms } of series) {
      const key = JSON.stringify(sortedPairs(metric))
      let one = byLabels.get(key)
      if (one === undefined) {
        one = { metric, values: [], histograms: [] }
        byLabels.set(key, one)
      }
      if (Array.isArray(values)) for (const pair of values) one.values.push(pair)
      if (Array.isArray(histograms)) for (const pair of histograms) one.histograms.push(pair)
    }
  }
  const series = [...byLabels.values()].map(({ metric, values, histograms }): SeriesModel => {
    return {
      metric,
      ...part('values', values.length === 0 ? undefined : values),
      ...part('histograms', histograms.length === 0 ? undefined : histograms),
    }
  })
  const warnings = [...new Set(slices.flatMap((slice) => slice.warnings))]
  return { from: first.from, to: last.to, series, warnings }
}

export function pointsIn({ series }: RangeSlice): number {
  let points = 1
  for (const { values, histograms } of series) {
    points +=
      (Array.isArray(values) ? values.length : 0) + (Array.isArray(histograms) ? histograms.length : 0)
  }
  return points
}

function part(name: 'values' | 'histograms', pairs: readonly unknown[] | undefined): Partial<SeriesModel> {
  return pairs === undefined || pairs.length === 0 ? {} : { [name]: pairs }
}

function timeOf(pair: unknown): number {
  const [seconds] = Array.isArray(pair) ? pair : []
  return Math.round(Number(seconds) * 1000)
}
