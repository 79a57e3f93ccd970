/**
 * Query results as the schema shows them. Series and samples stay as they were parsed until a field selects them.
 * Rules and alerts are in rules.ts.
 *
 * A large result is mostly samples, so `Sample` has the form that execution reads fastest: plain properties, and a
 * getter for the one that needs a conversion.
 */

import { asError } from '../../shared/runtime/thrown.ts'
import { isObject } from '../kit/json.ts'
import { badResponse } from './envelope.ts'
import type { AlertModel } from './rules.ts'
import { floatFrom, type Labels, numberOr } from './values.ts'

export type { AlertingRuleModel, AlertModel, RecordingRuleModel, RuleGroupModel, RuleModel } from './rules.ts'

export interface TailModel {
  readonly start: number
  readonly end: number
  readonly step: number
  readonly gap: boolean
  readonly series: readonly SeriesModel[]
  readonly warnings: readonly string[]
}

export interface AlertChangeModel {
  readonly change: 'FIRING' | 'RESOLVED'
  readonly fingerprint: string
  readonly alert: AlertModel | null
  readonly after: string
}

export interface ResultModel {
  readonly resultType: string
  /** The parsed `data.result`; undefined if no selected field reads it. */
  readonly result: unknown
  readonly stats: unknown
  readonly warnings: readonly string[]
  readonly infos: readonly string[]
  readonly error: { readonly type: string; readonly message: string } | null
  /** The whole `data`, unchanged. */
  readonly data: () => unknown
}

export interface SeriesModel {
  readonly metric: Labels
  readonly value?: unknown
  readonly values?: unknown
  readonly histogram?: unknown
  readonly histograms?: unknown
}

export class Sample {
  readonly time: number
  readonly value: string

  constructor(time: number, value: string) {
    this.time = time
    this.value = value
  }

  get float(): number | null {
    return floatFrom(this.value)
  }
}

/** The series of a matrix or vector; none for other types. */
export function seriesFrom({ resultType, result }: ResultModel): (SeriesModel | Error)[] {
  if (resultType !== 'matrix' && resultType !== 'vector') return []
  // Some servers write null for an empty list.
  if (result === null) return []
  if (!Array.isArray(result)) throw badResponse(`with a list of series, as a ${resultType} has`)
  return result.every(isSeries)
    ? result
    : eachOr(result, (series) => (isSeries(series) ? series : undefined), 'with series that have labels')
}

export const isSeries = (series: unknown): series is SeriesModel =>
  isObject(series) && isObject(series.metric)

/** Reads each item. Malformed items share one error, which is made once. */
function eachOr<Item, Value>(
  items: readonly Item[],
  read: (item: Item) => Value | undefined,
  expected: string,
): (Value | Error)[] {
  let error: Error | undefined
  return items.map((item) => {
    const value = read(item)
    if (value !== undefined) return value
    error ??= badResponse(expected)
    return error
  })
}

const sampleForm = 'with samples of the form [time, "value"]'

function sampleOf(pair: unknown): Sample | undefined {
  if (!Array.isArray(pair)) return undefined
  const [moment, value] = pair
  const time = numberOr(moment, undefined)
  return time !== undefined && typeof value === 'string' ? new Sample(time, value) : undefined
}

export function sampleFrom(pair: unknown): Sample {
  const sample = sampleOf(pair)
  if (sample === undefined) throw badResponse(sampleForm)
  return sample
}

export function samplesFrom({ values, value }: SeriesModel): (Sample | Error)[] {
  if (Array.isArray(values)) return eachOr(values, sampleOf, sampleForm)
  return value == null ? [] : [sampleFrom(value)]
}

export class Histogram {
  readonly count: string
  readonly sum: string
  readonly buckets: Bucket[]

  constructor(count: string, sum: string, buckets: Bucket[]) {
    this.count = count
    this.sum = sum
    this.buckets = buckets
  }

  get countFloat(): number | null {
    return floatFrom(this.count)
  }

  get sumFloat(): number | null {
    return floatFrom(this.sum)
  }
}

export interface HistogramSampleModel {
  readonly time: number
  readonly histogram: Histogram
}

const boundaries = ['OPEN_LEFT', 'OPEN_RIGHT', 'OPEN_BOTH', 'CLOSED_BOTH'] as const

export class Bucket {
  readonly boundaries: (typeof boundaries)[number] | null
  readonly left: string
  readonly right: string
  readonly count: string

  constructor(rule: unknown, left: string, right: string, count: string) {
    this.boundaries = (typeof rule === 'number' ? boundaries[rule] : undefined) ?? null
    this.left = left
    this.right = right
    this.count = count
  }

  get leftClosed(): boolean | null {
    return this.boundaries && (this.boundaries === 'OPEN_RIGHT' || this.boundaries === 'CLOSED_BOTH')
  }

  get rightClosed(): boolean | null {
    return this.boundaries && (this.boundaries === 'OPEN_LEFT' || this.boundaries === 'CLOSED_BOTH')
  }

  get leftFloat(): number | null {
    return floatFrom(this.left)
  }

  get rightFloat(): number | null {
    return floatFrom(this.right)
  }

  get countFloat(): number | null {
    return floatFrom(this.count)
  }
}

function histogramOr(pair: unknown): HistogramSampleModel | Error {
  try {
    return histogramFrom(pair)
  } catch (error) {
    return asError(error)
  }
}

export function histogramFrom(pair: unknown): HistogramSampleModel {
  const [moment, histogram] = Array.isArray(pair) ? pair : []
  const time = numberOr(moment, undefined)
  if (time === undefined || !isObject(histogram)) {
    throw badResponse('with histograms of the form [time, histogram]')
  }
  const { count, sum, buckets } = histogram
  if (typeof count !== 'string' || typeof sum !== 'string') {
    throw badResponse('with histograms that have a count and a sum')
  }
  const list = Array.isArray(buckets) ? buckets : []
  return { time, histogram: new Histogram(count, sum, list.map(bucketFrom)) }
}

function bucketFrom(bucket: unknown): Bucket {
  if (Array.isArray(bucket)) {
    const [rule, left, right, count] = bucket
    if (typeof left === 'string' && typeof right === 'string' && typeof count === 'string') {
      return new Bucket(rule, left, right, count)
    }
  }
  throw badResponse('with buckets of the form [rule, "left", "right", "count"]')
}

export function histogramsFrom({ histograms, histogram }: SeriesModel): (HistogramSampleModel | Error)[] {
  if (Array.isArray(histograms)) return histograms.map(histogramOr)
  return histogram == null ? [] : [histogramFrom(histogram)]
}

interface StepCount {
  readonly time: number
  readonly count: number
}

const timings = [
  'evalTotalTime',
  'resultSortTime',
  'queryPreparationTime',
  'innerEvalTime',
  'execQueueTime',
  'execTotalTime',
] as const
const counts = ['totalQueryableSamples', 'peakSamples', 'samplesRead', 'seriesTouched'] as const

export type Timings = { readonly [name in (typeof timings)[number]]: number | null }
type SampleStats = { readonly [name in (typeof counts)[number]]: number | null } & {
  readonly totalQueryableSamplesPerStep: StepCount[] | null
  readonly samplesReadPerStep: StepCount[] | null
}

export function statsFrom(stats: unknown): { timings: Timings | null; samples: SampleStats | null } | null {
  if (!isObject(stats)) return null
  const { timings: times, samples } = stats
  return {
    timings: isObject(times) ? (numbers(times, timings) as Timings) : null,
    samples: isObject(samples)
      ? ({
          ...numbers(samples, counts),
          totalQueryableSamplesPerStep: steps(samples.totalQueryableSamplesPerStep),
          samplesReadPerStep: steps(samples.samplesReadPerStep),
        } as SampleStats)
      : null,
  }
}

function numbers(from: Record<string, unknown>, names: readonly string[]): Record<string, number | null> {
  return Object.fromEntries(names.map((name) => [name, numberOr(from[name], null)]))
}

function steps(list: unknown): StepCount[] | null {
  if (!Array.isArray(list)) return null
  return list.flatMap((pair) => {
    const [time, count] = Array.isArray(pair) ? pair : []
    return typeof time === 'number' && typeof count === 'number' ? [{ time, count }] : []
  })
}
