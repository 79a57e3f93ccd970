/** One evaluation of an expression: its bounds, and its annotations. */
import { ExecutionFailure, QueryTimeout } from '../errors.ts'
import type { Series } from '../series.ts'

export interface QueryOptions {
  readonly series: readonly Series[]
  /** How far back an instant selector looks for a sample, in milliseconds. */
  readonly lookback?: number | undefined
  /** When the evaluation must be done, by `performance.now()`. */
  readonly deadline?: number | undefined
  readonly maxSamples?: number | undefined
}

export interface Query {
  readonly input: string
  readonly series: readonly Series[]
  readonly start: number
  readonly end: number
  readonly lookback: number
  readonly warnings: Set<string>
  readonly infos: Set<string>
  samplesRead: number
  /** Counts samples that are read. Throws if they are too many, or if the deadline has passed. */
  spend(samples: number): void
}

const defaultLookback = 300_000
/** About half a second of work, during which all other requests wait. */
const defaultMaxSamples = 5_000_000
const samplesBetweenDeadlineChecks = 50_000

export function createQuery(input: string, start: number, end: number, options: QueryOptions): Query {
  const { series, lookback = defaultLookback, deadline, maxSamples = defaultMaxSamples } = options
  let sinceCheck = samplesBetweenDeadlineChecks
  const query: Query = {
    ...{ input, series, start, end, lookback },
    warnings: new Set(),
    infos: new Set(),
    samplesRead: 0,
    spend(samples) {
      query.samplesRead += samples
      if (query.samplesRead > maxSamples) {
        throw new ExecutionFailure(
          'query processing would load too many samples into memory in query execution',
        )
      }
      sinceCheck += samples
      if (deadline === undefined || sinceCheck < samplesBetweenDeadlineChecks) return
      sinceCheck = 0
      if (performance.now() > deadline) throw new QueryTimeout('query timed out in expression evaluation')
    },
  }
  return query
}
