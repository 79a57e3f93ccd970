/**
 * The metrics of a process. They are read as data (`ReadMetric`), and every format is written from that: text for
 * scrapes (`exposition.ts`), data for a collector (`otlp.ts`), and reports of a worker to its primary. Only this module
 * uses `prom-client`, which provides the metrics of the process itself and the sums over processes.
 */
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'
import type { ReadMetric } from './exposition.ts'
import { SeriesOf, type SeriesOptions } from './series.ts'

/** The metrics of one process as data, to be added to those of others. */
export type ProcessMetrics = readonly ReadMetric[]

/** How a gauge is combined over several processes. */
type Together = 'sum' | 'max' | 'first'

export interface GaugeValue {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export class MetricRegistry {
  readonly #ofProcess = new Registry()
  readonly #metrics = new Map<string, () => ReadMetric>()

  /** CPU time, memory, file descriptors, the event loop and garbage collection. */
  measureProcess(): void {
    collectDefaultMetrics({ register: this.#ofProcess })
  }

  /** A counter, or with bounds a histogram. */
  series(options: SeriesOptions): SeriesOf {
    const { name, help, bounds } = options
    const type = bounds === undefined ? 'counter' : 'histogram'
    const series = new SeriesOf(options)
    this.#add(name, () => ({ name, help, type, aggregator: 'sum', values: series.read() }))
    return series
  }

  /** A value that is read at each scrape. */
  gauge(name: string, help: string, read: () => readonly GaugeValue[], aggregator: Together = 'sum'): void {
    this.#add(name, () => ({ name, help, type: 'gauge', aggregator, values: read() }))
  }

  /** The same for a value that never falls. */
  readCounter(name: string, help: string, read: () => readonly GaugeValue[]): void {
    this.#add(name, () => ({ name, help, type: 'counter', aggregator: 'sum', values: read() }))
  }

  async read(): Promise<ProcessMetrics> {
    const ofProcess = (await this.#ofProcess.getMetricsAsJSON()) as unknown as ProcessMetrics
    return [...ofProcess.map(together), ...Array.from(this.#metrics.values(), (read) => read())]
  }

  close(): void {
    this.#ofProcess.clear()
    this.#metrics.clear()
  }

  #add(name: string, read: () => ReadMetric): void {
    if (this.#metrics.has(name)) throw new Error(`expected each metric once, got ${name} again`)
    this.#metrics.set(name, read)
  }
}

/** The average over several event loops would not show how late any of them is. */
const together = (metric: ReadMetric): ReadMetric =>
  /^nodejs_eventloop_lag_(?!min)/.test(metric.name) ? { ...metric, aggregator: 'max' } : metric

/** The metrics of several processes: counters and histograms are summed; each gauge says how it is combined. */
export async function addedMetrics(all: readonly ProcessMetrics[]): Promise<ProcessMetrics> {
  const added = AggregatorRegistry.aggregate(all.map((metrics) => [...metrics]))
  return (await added.getMetricsAsJSON()) as unknown as ProcessMetrics
}
