/** The values of expressions at one time. */
import type { Labels } from '../labels.ts'
import type { Histogram, Sample } from '../series.ts'

export interface Element {
  readonly labels: Labels
  readonly value: number
  readonly histogram?: Histogram | undefined
  /** The time of the sample, if the element is a stored sample. */
  readonly sampledAt?: number
}
export type Value =
  | { readonly kind: 'scalar'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'vector'; readonly elements: readonly Element[] }
  | { readonly kind: 'matrix'; readonly series: readonly SampledSeries[] }

export interface SampledSeries {
  readonly labels: Labels
  readonly samples: readonly Sample[]
}

export const scalar = (value: number): Value => ({ kind: 'scalar', value })
export const vector = (elements: readonly Element[]): Value => ({ kind: 'vector', elements })

export function element(labels: Labels, value: number | Histogram): Element {
  return typeof value === 'number' ? { labels, value } : { labels, value: Number.NaN, histogram: value }
}

export const floatsOf = (elements: readonly Element[]): Element[] =>
  elements.filter(({ histogram }) => histogram === undefined)

/** The order of floats. NaN is last in both directions. */
export function byValue(direction: 1 | -1): (a: Element, b: Element) => number {
  const rank = ({ value }: Element) => (Number.isNaN(value) ? 1 : 0)
  return (a, b) => rank(a) - rank(b) || direction * (a.value - b.value)
}

/** The elements of a vector; none for any other value. */
export function elementsOf(value: Value | undefined): readonly Element[] {
  return value?.kind === 'vector' ? value.elements : []
}

export function scalarOf(value: Value | undefined, otherwise = Number.NaN): number {
  return value?.kind === 'scalar' ? value.value : otherwise
}
