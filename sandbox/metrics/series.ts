/** Series whose samples can be found by time. A sample is either a float or a native histogram. */
import type { Labels } from './labels.ts'

export interface Bucket {
  /** 0: left open, right closed; 1: left closed, right open; 2: both open; 3: both closed. */
  readonly rule: 0 | 1 | 2 | 3
  readonly left: number
  readonly right: number
  readonly count: number
}
export interface Histogram {
  readonly count: number
  readonly sum: number
  readonly buckets: readonly Bucket[]
}
export interface Sample {
  /** In milliseconds. */
  readonly time: number
  readonly value: number
  readonly histogram?: Histogram | undefined
}

export interface Series {
  readonly labels: Labels
  /** The newest sample in `(after, until]`. */
  newest(after: number, until: number): Sample | undefined
  /** About how many samples `between` would compute, so that too long a window can be refused. */
  cost(after: number, until: number): number
  /** All samples in `(after, until]`, oldest first. */
  between(after: number, until: number): Sample[]
}

interface ComputedSeries {
  readonly labels: Labels
  /** A sample may be at each multiple of the interval after the phase. */
  readonly interval: number
  readonly phase?: number
  /** There are samples only in `(after, until]`. */
  readonly span: { readonly after: number; readonly until: number }
  /** How many samples are read to compute one. */
  readonly samplesEach?: number
  /** Undefined if there is no sample at this time. */
  sampleAt(time: number): Sample | undefined
}

/** A series whose samples are computed when they are read. */
export function computedSeries(series: ComputedSeries): Series {
  const { labels, interval, phase = 0, span, samplesEach = 1, sampleAt } = series
  const oldest = (after: number) => Math.max(after, span.after)
  const newestIndex = (until: number) => Math.floor((Math.min(until, span.until) - phase) / interval)
  return {
    labels,
    newest(after, until) {
      const limit = oldest(after)
      for (let time = newestIndex(until) * interval + phase; time > limit; time -= interval) {
        const sample = sampleAt(time)
        if (sample !== undefined) return sample
      }
      return undefined
    },
    cost(after, until) {
      return samplesEach * Math.max(0, Math.ceil((Math.min(until, span.until) - oldest(after)) / interval))
    },
    between(after, until) {
      const samples: Sample[] = []
      const last = newestIndex(until)
      for (let index = Math.floor((oldest(after) - phase) / interval) + 1; index <= last; index++) {
        const sample = sampleAt(index * interval + phase)
        if (sample !== undefined) samples.push(sample)
      }
      return samples
    },
  }
}
