/**
 * Counters and histograms of requests: sums and durations by the values of labels, as plain numbers that are read at
 * each scrape. Those of `prom-client` cannot take over the count of another series (`fold`). They also build a text
 * from the labels for each value, which is a noticeable part of the CPU time of cheap requests
 * (`npm run bench -- --only ceiling,tessera --operations Q1,Q4`).
 */
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import type { Exemplar, Sample } from './exposition.ts'

type Labels = Readonly<Record<string, string>>

/** The counts of all counters: they have no buckets. */
const none = new Float64Array(0)

/** A sum, and in a histogram how many values are within each bound. */
class Series {
  readonly #name: string
  readonly #labels: Labels
  readonly #bounds: readonly number[] | undefined
  readonly #counts: Float64Array
  #sum = 0
  #exemplars: (Exemplar | undefined)[] | undefined

  constructor({ name, bounds }: Pick<SeriesOptions, 'name' | 'bounds'>, labels: Labels) {
    this.#name = name
    this.#labels = labels
    this.#bounds = bounds
    this.#counts = bounds === undefined ? none : new Float64Array(bounds.length + 1)
  }

  /** `exemplar`: labels that represent the value, such as its trace; histograms keep the last of each bucket. */
  add(value: number, exemplar?: Labels): void {
    this.#sum += value
    const bounds = this.#bounds
    if (bounds === undefined) return
    let at = 0
    while (at < bounds.length && value > (bounds[at] as number)) at += 1
    this.#counts[at] = (this.#counts[at] as number) + 1
    if (exemplar === undefined) return
    this.#exemplars ??= []
    this.#exemplars[at] = { labels: exemplar, value, time: Date.now() / 1000 }
  }

  read(): readonly Sample[] {
    const name = this.#name
    const labels = this.#labels
    const bounds = this.#bounds
    if (bounds === undefined) return [{ metricName: name, labels, value: this.#sum }]
    let count = 0
    const buckets = Array.from(this.#counts, (more, at) => {
      count += more
      return {
        metricName: `${name}_bucket`,
        labels: { le: bounds[at] ?? '+Inf', ...labels },
        value: count,
        exemplar: this.#exemplars?.[at],
      }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: count },
    ]
  }

  /** Takes over the counts of another one. */
  take(other: Series): void {
    this.#sum += other.#sum
    for (const [at, count] of other.#counts.entries()) this.#counts[at] = (this.#counts[at] ?? 0) + count
  }
}

export interface SeriesOptions {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
  /** Values of its only label whose series exist from the start: a rate does not see a series' first step. */
  readonly from?: readonly string[]
  /** The ascending bounds of a histogram's buckets: each counts the values up to it. A counter has none. */
  readonly bounds?: readonly number[]
}

/** The series of a metric, by the values of its labels. */
export class SeriesOf {
  readonly #options: SeriesOptions
  readonly #all = new Set<Series>()
  readonly #root = newLabelled()

  constructor(options: SeriesOptions) {
    this.#options = options
    const { labels = [], from = [] } = options
    for (const value of from) this.of(value)
    if (labels.length === 0) this.of()
  }

  /** The series with these values, in the order of the labels; made at first use. */
  of(...values: readonly string[]): Series {
    let at = this.#root
    for (const value of values) at = getOrInsert(at.next, value, newLabelled)
    if (at.series === undefined) {
      const { labels = [] } = this.#options
      const named = Object.fromEntries(labels.map((label, n) => [label, values[n] ?? '']))
      at.series = new Series(this.#options, named)
      this.#all.add(at.series)
    }
    return at.series
  }

  /**
   * Ends all series whose first label has the value `from`. Their counts are added under `into`, with `rest` instead of
   * the values of their further labels if it is given.
   */
  fold(from: string, into: string, rest?: readonly string[]): void {
    const ended = this.#root.next.get(from)
    if (ended === undefined) return
    this.#root.next.delete(from)
    for (const [others, series] of below(ended)) {
      this.#all.delete(series)
      this.of(into, ...(rest ?? others)).take(series)
    }
  }

  read(): readonly Sample[] {
    return [...this.#all].flatMap((series) => series.read())
  }
}

/** A label's value, or several in a row: their series, and the possible next values. */
interface Labelled {
  series: Series | undefined
  readonly next: Map<string, Labelled>
}

const newLabelled = (): Labelled => ({ series: undefined, next: new Map() })

/** Every series from here on, with the values of its further labels. */
function below({ series, next }: Labelled, values: readonly string[] = []): [readonly string[], Series][] {
  const own: [readonly string[], Series][] = series === undefined ? [] : [[values, series]]
  return [...own, ...[...next].flatMap(([value, each]) => below(each, [...values, value]))]
}
