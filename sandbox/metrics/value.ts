// What an expression is worth at one moment, and what evaluating it may use.
import type { Labels } from './labels.ts'
import type { Histogram, Sample, Series } from './series.ts'

export interface Element {
  readonly labels: Labels
  readonly value: number
  readonly histogram?: Histogram
  /** When the sample was taken, where it is a sample as it was stored. */
  readonly taken?: number
}
export type Value =
  | { readonly kind: 'scalar'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'vector'; readonly elements: readonly Element[] }
  | { readonly kind: 'matrix'; readonly series: readonly { labels: Labels; samples: readonly Sample[] }[] }

/** One evaluation of a query; collects remarks and keeps to its bounds. */
export interface Run {
  readonly input: string
  readonly series: readonly Series[]
  readonly start: number
  readonly end: number
  readonly lookback: number
  readonly warnings: Set<string>
  readonly infos: Set<string>
  /** Books samples that are read; throws once they are too many or the time is up. */
  spend(samples: number): void
  samplesRead: number
}

export function element(labels: Labels, value: number | Histogram): Element {
  return typeof value === 'number' ? { labels, value } : { labels, value: Number.NaN, histogram: value }
}

/** `(line:column)` of a position in the expression, as remarks end with. */
export function placeIn(input: string, position: number): string {
  const before = input.slice(0, position)
  return `(${before.split('\n').length}:${position - before.lastIndexOf('\n')})`
}
