/** One evaluation of an expression: its bounds, and its annotations. */
import { ExecutionFailure, QueryTimeout } from '../errors.ts'
import { lineAndColumn } from '../promql/index.ts'
import type { Series } from '../series.ts'

export interface QueryOptions {
  readonly series: readonly Series[]
  /** How far back an instant selector looks for a sample, in milliseconds. */
  readonly lookback?: number | undefined
  /** When the evaluation must be done, by `performance.now()`. */
  readonly deadline?: number | undefined
}

const defaultLookback = 300_000
/** About half a second of work, during which all other requests wait. */
const maxSamples = 5_000_000
const samplesBetweenDeadlineChecks = 50_000

export class Query {
  readonly #input: string
  readonly series: readonly Series[]
  readonly start: number
  readonly end: number
  readonly lookback: number
  readonly warnings = new Set<string>()
  readonly infos = new Set<string>()
  samplesRead = 0
  readonly #options: QueryOptions
  #sinceCheck = samplesBetweenDeadlineChecks

  constructor(input: string, start: number, end: number, options: QueryOptions) {
    this.#input = input
    this.start = start
    this.end = end
    this.series = options.series
    this.lookback = options.lookback ?? defaultLookback
    this.#options = options
  }

  warn(position: number, text: string): void {
    this.warnings.add(`PromQL warning: ${text} (${lineAndColumn(this.#input, position)})`)
  }

  warnOfQuantile(position: number, rank: number): void {
    if (!(rank >= 0 && rank <= 1))
      this.warn(position, `quantile value should be between 0 and 1, got ${rank}`)
  }

  inform(position: number, text: string): void {
    this.infos.add(`PromQL info: ${text} (${lineAndColumn(this.#input, position)})`)
  }

  /** Counts samples that are read. Throws if they are too many, or if the deadline has passed. */
  spend(samples: number): void {
    const { deadline } = this.#options
    this.samplesRead += samples
    if (this.samplesRead > maxSamples) {
      throw new ExecutionFailure(
        'query processing would load too many samples into memory in query execution',
      )
    }
    this.#sinceCheck += samples
    if (deadline === undefined || this.#sinceCheck < samplesBetweenDeadlineChecks) return
    this.#sinceCheck = 0
    if (performance.now() > deadline) throw new QueryTimeout('query timed out in expression evaluation')
  }
}
