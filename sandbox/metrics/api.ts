/**
 * The five operations of the metrics service: from parameters to status and body, checked in the order of the
 * service. Knows neither sockets nor paths.
 */
import { LRUCache } from 'lru-cache'
import { BadData, ExecutionFailure, QueryTimeout } from './errors.ts'
import { evaluateInstant, evaluateRange, type QueryOptions } from './evaluate/index.ts'
import { duration, limitFrom, malformed, timeRangeFrom, timestamp } from './parameters.ts'
import { printMatrix, printValue } from './print.ts'
import { RuleManager, recordedSeries, ruleFiltersFrom } from './rules/index.ts'
import { createBenchSeries, createSampleSeries } from './samples.ts'
import type { Series } from './series.ts'

export interface MetricsAnswer {
  readonly status: number
  readonly body: string
}
interface MetricsApiOptions {
  readonly now: () => number
  /** When the server began to evaluate its rules; now by default. */
  readonly started?: number | undefined
  /** Adds `bench_series`, and keeps the bodies of range queries, because their responses never change. */
  readonly synthetic: boolean
  /** Replaces the sample series. */
  readonly series?: readonly Series[] | undefined
  readonly maxTimeoutMs: number
}

export const sandboxBuildInfo = {
  version: '3.14.0+sandbox',
  revision: 'b1d5c7f0e2a94d68837e0c55d3f2a6914be70c13',
  branch: 'sandbox',
  buildUser: 'tessera@sandbox',
  buildDate: '20260801-09:30:00',
  goVersion: 'go1.26.0',
}

const keptBodies = 16
const statusOf = { bad_data: 400, execution: 422, timeout: 503, internal: 500 }

export type MetricsApi = ReturnType<typeof createMetricsApi>

export function createMetricsApi(options: MetricsApiOptions) {
  const { now, started = now(), synthetic, maxTimeoutMs } = options
  const scraped = options.series ?? [...createSampleSeries(), ...(synthetic ? createBenchSeries() : [])]
  const series = [...scraped, ...recordedSeries(scraped)]
  const ruleBook = new RuleManager(series, started)
  const bodies = new LRUCache<string, string>({ max: keptBodies })

  function queryOptionsFrom(parameters: URLSearchParams): QueryOptions {
    const timeout = duration(parameters, 'timeout')
    const lookback = duration(parameters, 'lookback_delta')
    const allowed = Math.min(timeout ?? maxTimeoutMs, maxTimeoutMs)
    // The service queues queries, which takes longer than this.
    if (allowed < 1) throw new QueryTimeout('query timed out in query queue')
    return { series, lookback, deadline: performance.now() + allowed }
  }

  return {
    query: (parameters: URLSearchParams) =>
      answer(() => {
        const limit = limitFrom(parameters)
        const time = timestamp(parameters, 'time') ?? now()
        const began = performance.now()
        const queryOptions = queryOptionsFrom(parameters)
        const evaluation = aboutQuery(() =>
          evaluateInstant(parameters.get('query') ?? '', time, queryOptions),
        )
        const { result } = evaluation
        const warnings = [...evaluation.warnings]
        const truncated =
          result.kind === 'vector'
            ? { ...result, elements: truncate(result.elements, limit, warnings) }
            : result.kind === 'matrix'
              ? { ...result, series: truncate(result.series, limit, warnings) }
              : result
        const stats = statsFrom(parameters, began, evaluation.samplesRead)
        return printSuccess(`{${printValue(truncated, time)}${stats}}`, warnings, evaluation.infos)
      }),

    queryRange: (parameters: URLSearchParams) =>
      answer(() => {
        const key = synthetic ? parameters.toString() : ''
        const kept = bodies.get(key)
        if (kept !== undefined) return kept
        const limit = limitFrom(parameters)
        const range = timeRangeFrom(parameters)
        const began = performance.now()
        const queryOptions = queryOptionsFrom(parameters)
        const evaluation = aboutQuery(() => evaluateRange(parameters.get('query') ?? '', range, queryOptions))
        const warnings = [...evaluation.warnings]
        const matrix = printMatrix(truncate(evaluation.result, limit, warnings))
        const stats = statsFrom(parameters, began, evaluation.samplesRead)
        const body = printSuccess(`{${matrix}${stats}}`, warnings, evaluation.infos)
        if (synthetic) bodies.set(key, body)
        return body
      }),

    rules: (parameters: URLSearchParams) =>
      answer(() => printSuccess(JSON.stringify(ruleBook.rules(ruleFiltersFrom(parameters), now())))),

    change: (change: Readonly<Record<string, unknown>>) => ruleBook.change(change, now()),
    alerts: () => answer(() => printSuccess(JSON.stringify(ruleBook.alerts(now())))),
    buildInfo: () => answer(() => printSuccess(JSON.stringify(sandboxBuildInfo))),
  }
}

function answer(body: () => string): MetricsAnswer {
  try {
    return { status: 200, body: body() }
  } catch (cause) {
    const known =
      cause instanceof BadData || cause instanceof ExecutionFailure || cause instanceof QueryTimeout
    const errorType = known ? cause.errorType : 'internal'
    const error = cause instanceof Error ? cause.message : 'internal error'
    return { status: statusOf[errorType], body: `${JSON.stringify({ status: 'error', errorType, error })}\n` }
  }
}

function printSuccess(data: string, warnings: readonly string[] = [], infos: readonly string[] = []): string {
  const list = (name: string, texts: readonly string[]) =>
    texts.length === 0 ? '' : `,"${name}":${JSON.stringify(shortened(texts, name))}`
  return `{"status":"success","data":${data}${list('warnings', warnings)}${list('infos', infos)}}\n`
}

function shortened(texts: readonly string[], kind: string): readonly string[] {
  const more = texts.length - 10
  return more <= 0
    ? texts
    : [...texts.slice(0, 10), `${more} more ${kind.replace(/s$/, '')} annotations omitted`]
}

/** Reports a fault of the expression as one of the parameter `query`. */
function aboutQuery<Result>(evaluate: () => Result): Result {
  try {
    return evaluate()
  } catch (cause) {
    if (cause instanceof BadData && cause.message.includes('parse error')) malformed('query', cause.message)
    throw cause
  }
}

function truncate<Item>(items: readonly Item[], limit: number, warnings: string[]): readonly Item[] {
  if (items.length <= limit) return items
  warnings.push('results truncated due to limit')
  return items.slice(0, limit)
}

/** Timings of the evaluation. This evaluator has no queue and no separate sorting. */
function statsFrom(parameters: URLSearchParams, began: number, samples: number): string {
  if ((parameters.get('stats') ?? '') === '') return ''
  const seconds = (performance.now() - began) / 1000
  const timings = {
    evalTotalTime: seconds,
    resultSortTime: 0,
    queryPreparationTime: 0,
    innerEvalTime: seconds,
    execQueueTime: 0,
    execTotalTime: seconds,
  }
  const counted = { totalQueryableSamples: samples, peakSamples: samples }
  return `,"stats":${JSON.stringify({ timings, samples: counted })}`
}
