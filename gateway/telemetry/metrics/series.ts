/**
 * Counters and histograms of requests: sums and durations by the values of labels, as plain numbers that are read at
 * each scrape.
 *
 * The counters and histograms of `prom-client` are not used, for two reasons. They cannot take over the count of
 * another series (`fold`). And each value would need a lookup by a text that is built from its labels, which is a
 * noticeable part of the CPU time of cheap requests (`npm run bench -- --only ceiling,tessera --operations Q1,Q4`).
 */

import { getOrInsert } from '../../../shared/runtime/maps.ts'
import type { Exemplar, Sample } from './exposition.ts'

interface Series {
  /** `exemplar`: labels that represent the value, such as its trace; histograms keep the last of each bucket. */
  add(value: number, exemplar?: Readonly<Record<string, string>>): void
}

/** The series of a metric, by the values of its labels. */
export interface SeriesOf {
  /** The series with these values, in the order of the labels; made at first use. */
  of(...values: readonly string[]): Series
  /**
   * Ends all series whose first label has the value `from`. Their counts are added under `into`, with `rest` instead of
   * the values of their further labels if it is given.
   */
  fold(from: string, into: string, rest?: readonly string[]): void
}

/** A series that can be read, and whose count another one of its kind can take over. */
interface ReadSeries extends Series {
  read(): readonly Sample[]
  state(): readonly number[]
  take(state: readonly number[]): void
}

type Labels = Readonly<Record<string, string>>

export class Sum implements ReadSeries {
  readonly #name: string
  readonly #labels: Labels
  #sum = 0

  constructor(name: string, labels: Labels) {
    this.#name = name
    this.#labels = labels
  }

  add(value: number): void {
    this.#sum += value
  }

  read(): readonly Sample[] {
    return [{ metricName: this.#name, labels: this.#labels, value: this.#sum }]
  }

  state(): readonly number[] {
    return [this.#sum]
  }

  take([more = 0]: readonly number[]): void {
    this.#sum += more
  }
}

export class Durations implements ReadSeries {
  readonly #name: string
  readonly #labels: Labels
  readonly #bounds: readonly number[]
  readonly #counts: Float64Array
  #sum = 0
  #exemplars: (Exemplar | undefined)[] | undefined

  constructor(name: string, labels: Labels, bounds: readonly number[]) {
    this.#name = name
    this.#labels = labels
    this.#bounds = bounds
    this.#counts = new Float64Array(bounds.length + 1)
  }

  add(value: number, exemplar?: Labels): void {
    const bounds = this.#bounds
    let at = 0
    while (at < bounds.length && value > (bounds[at] as number)) at += 1
    this.#counts[at] = (this.#counts[at] as number) + 1
    this.#sum += value
    if (exemplar === undefined) return
    this.#exemplars ??= []
    this.#exemplars[at] = { labels: exemplar, value, time: Date.now() / 1000 }
  }

  read(): readonly Sample[] {
    const labels = this.#labels
    let count = 0
    const buckets = Array.from(this.#counts, (more, at) => {
      count += more
      return {
        metricName: `${this.#name}_bucket`,
        labels: { le: this.#bounds[at] ?? '+Inf', ...labels },
        value: count,
        exemplar: this.#exemplars?.[at],
      }
    })
    return [
      ...buckets,
      { metricName: `${this.#name}_sum`, labels, value: this.#sum },
      { metricName: `${this.#name}_count`, labels, value: count },
    ]
  }

  state(): readonly number[] {
    return [this.#sum, ...this.#counts]
  }

  take([more = 0, ...others]: readonly number[]): void {
    this.#sum += more
    for (const [at, count] of others.entries()) this.#counts[at] = (this.#counts[at] ?? 0) + count
  }
}

export class AllSeries implements SeriesOf {
  readonly #labels: readonly string[]
  readonly #make: (labels: Labels) => ReadSeries
  readonly #all = new Set<ReadSeries>()
  readonly #root = new Labelled()

  constructor(labels: readonly string[], make: (labels: Labels) => ReadSeries) {
    this.#labels = labels
    this.#make = make
  }

  of(...values: readonly string[]): ReadSeries {
    let at = this.#root
    for (const value of values) at = getOrInsert(at.next, value, newLabelled)
    if (at.series === undefined) {
      at.series = this.#make(Object.fromEntries(this.#labels.map((label, n) => [label, values[n] ?? ''])))
      this.#all.add(at.series)
    }
    return at.series
  }

  fold(from: string, into: string, rest?: readonly string[]): void {
    const ended = this.#root.next.get(from)
    if (ended === undefined) return
    this.#root.next.delete(from)
    for (const [others, series] of ended.below()) {
      this.#all.delete(series)
      this.of(into, ...(rest ?? others)).take(series.state())
    }
  }

  read(): readonly Sample[] {
    return [...this.#all].flatMap((series) => series.read())
  }
}

/** A label's value, or several in a row: their series, and the possible next values. */
class Labelled {
  series: ReadSeries | undefined
  readonly next = new Map<string, Labelled>()

  /** Every series from here on, with the values of its further labels. */
  below(values: readonly string[] = []): [readonly string[], ReadSeries][] {
    const own: [readonly string[], ReadSeries][] = this.series === undefined ? [] : [[values, this.series]]
    return [...own, ...[...this.next].flatMap(([value, next]) => next.below([...values, value]))]
  }
}

const newLabelled = (): Labelled => new Labelled()
