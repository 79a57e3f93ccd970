/**
 * What every request counts in: sums and durations, by the values of labels, as plain numbers that `prom-client` reads
 * when they are scraped.
 *
 * `prom-client`'s own counters and histograms are not used here, for two reasons. They cannot take over what another
 * series has counted (`fold`). And each value would cost a look-up by a text that is put together from its labels: 7 % of
 * the CPU time of Q1 and Q4 when it was first replaced, 11 % in November 2026, under load
 * (`npm run bench -- --only ceiling,tessera --operations Q1,Q4`).
 */
import type { Metric, Registry } from 'prom-client'
import type { Exemplar } from './open-metrics.ts'

export interface Series {
  /** `exemplar`: labels of what stands for the value, such as its trace; kept by histograms, the last of each bucket. */
  add(value: number, exemplar?: Readonly<Record<string, string>>): void
}

/** The series with these values of the labels, in the order of their names; made when it is first asked for. */
export interface SeriesOf {
  (...values: readonly string[]): Series
  /**
   * Ends all series whose first label has the value `from`; what they counted is counted under `into`, with `rest` in
   * place of the values of their further labels where it is given.
   */
  fold(from: string, into: string, rest?: readonly string[]): void
}

export interface SeriesOptions {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
}

type Labels = Readonly<Record<string, string>>

/** A counter. */
export function sumsIn(registry: Registry, options: SeriesOptions): SeriesOf {
  const { name } = options
  return registered(registry, { ...options, type: 'counter' }, (labels) => {
    let sum = 0
    return {
      add(value) {
        sum += value
      },
      state: () => [sum],
      take([more = 0]) {
        sum += more
      },
      read: () => [{ metricName: name, labels, value: sum }],
    }
  })
}

/** A histogram: how many values are at most as large as each of the `bounds`, which ascend. */
export function durationsIn(
  registry: Registry,
  options: SeriesOptions & { readonly bounds: readonly number[] },
): SeriesOf {
  const { name, bounds } = options
  return registered(registry, { ...options, type: 'histogram' }, (labels) => {
    const counts = new Float64Array(bounds.length + 1)
    let sum = 0
    let exemplars: (Exemplar | undefined)[] | undefined
    return {
      add(value, exemplar) {
        let at = 0
        while (at < bounds.length && value > (bounds[at] as number)) at += 1
        counts[at] = (counts[at] as number) + 1
        sum += value
        if (exemplar === undefined) return
        exemplars ??= []
        exemplars[at] = { labels: exemplar, value, time: Date.now() / 1000 }
      },
      state: () => [sum, ...counts],
      take([more = 0, ...others]) {
        sum += more
        for (const [at, count] of others.entries()) counts[at] = (counts[at] ?? 0) + count
      },
      read() {
        let count = 0
        const buckets = Array.from(counts, (more, at) => {
          count += more
          return {
            metricName: `${name}_bucket`,
            labels: { le: bounds[at] ?? '+Inf', ...labels },
            value: count,
            exemplar: exemplars?.[at],
          }
        })
        return [
          ...buckets,
          { metricName: `${name}_sum`, labels, value: sum },
          { metricName: `${name}_count`, labels, value: count },
        ]
      },
    }
  })
}

interface ReadSeries extends Series {
  /** Its lines in a scrape. */
  read(): readonly Line[]
  /** What it has counted, for another series of the same kind to take over. */
  state(): readonly number[]
  take(state: readonly number[]): void
}

interface Line {
  readonly metricName: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  readonly exemplar?: Exemplar | undefined
}

function registered(
  registry: Registry,
  { name, help, labelNames, type }: SeriesOptions & { readonly type: 'counter' | 'histogram' },
  make: (labels: Labels) => ReadSeries,
): SeriesOf {
  const all = new Set<ReadSeries>()
  // This is all that a registry asks of a metric.
  const metric = {
    name,
    get: async () => ({
      name,
      help,
      type,
      aggregator: 'sum',
      values: [...all].flatMap((series) => series.read()),
    }),
  }
  registry.registerMetric(metric as unknown as Metric)
  const root = new Labelled()
  const seriesOf = (...values: readonly string[]): ReadSeries => {
    let at = root
    for (const value of values) {
      let next = at.next.get(value)
      if (next === undefined) {
        next = new Labelled()
        at.next.set(value, next)
      }
      at = next
    }
    if (at.series === undefined) {
      const series = make(Object.fromEntries(labelNames.map((label, n) => [label, values[n] ?? ''])))
      all.add(series)
      at.series = series
    }
    return at.series
  }
  return Object.assign(seriesOf, {
    fold(from: string, into: string, rest?: readonly string[]): void {
      const ended = root.next.get(from)
      if (ended === undefined) return
      root.next.delete(from)
      for (const [others, series] of ended.below()) {
        all.delete(series)
        seriesOf(into, ...(rest ?? others)).take(series.state())
      }
    },
  })
}

/** A label's value, or several in a row: their series, and the values that may come next. */
class Labelled {
  series: ReadSeries | undefined
  readonly next = new Map<string, Labelled>()

  /** Every series from here on, with the values of its further labels. */
  below(values: readonly string[] = []): [readonly string[], ReadSeries][] {
    const own: [readonly string[], ReadSeries][] = this.series === undefined ? [] : [[values, this.series]]
    return [...own, ...[...this.next].flatMap(([value, next]) => next.below([...values, value]))]
  }
}
