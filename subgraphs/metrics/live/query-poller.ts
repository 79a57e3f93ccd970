/** The current value of an expression, sent when it changed. */
import type { SubgraphRequest } from '../../../shared/request.ts'
import { isObject } from '../../kit/json.ts'
import { type Pace, type TopicOptions, ValuePoller } from '../../kit/polling/index.ts'
import { durationFrom, wrong } from '../arguments.ts'
import type { MetricsClient } from '../client.ts'
import { badResponse } from '../envelope.ts'
import type { ResultModel } from '../model.ts'
import { operations } from '../operations.ts'
import { sortedPairs } from '../values.ts'

const longestEverySeconds = 3600

interface RawResult {
  readonly data: unknown
  readonly warnings: readonly string[]
  readonly infos: readonly string[]
}

/** Reads `every`, in milliseconds. */
export function everyFrom(every: unknown): number | undefined {
  if (every == null) return undefined
  const { seconds } = durationFrom(every, 'every')
  if (seconds > longestEverySeconds) throw wrong('every', 'expected at most 1 hour.')
  return Math.round(seconds * 1000)
}

export function createQueryPoller(
  topicOptions: TopicOptions,
  client: MetricsClient,
  query: string,
  pace: Pace,
): ValuePoller<RawResult, ResultModel> {
  return new ValuePoller<RawResult, ResultModel>(topicOptions, {
    field: 'metricsQuery',
    pace,
    units: 0,
    fetch: async (request) => ({ raw: await ask(client, query, request) }),
    digest: ({ data }) => digestOf(data),
    valueOf: resultOf,
  })
}

async function ask(client: MetricsClient, query: string, request: SubgraphRequest): Promise<RawResult> {
  const call = {
    operation: operations.query,
    parameters: [['query', query]],
    timeoutSeconds: undefined,
  } as const
  const { envelope, error } = (await client.query(call, request)).parsed()
  // A partial answer is not a state to compare with.
  if (error !== undefined) throw error
  return { data: envelope.data, warnings: envelope.warnings, infos: envelope.infos }
}

function resultOf({ data, warnings, infos }: RawResult): ResultModel {
  if (!isObject(data) || typeof data.resultType !== 'string') throw badResponse('with the type of its result')
  return {
    resultType: data.resultType,
    result: data.result,
    stats: undefined,
    warnings,
    infos,
    error: null,
    data: () => data,
  }
}

/** Equal if every label set has the same value, whatever the order of series and the times of samples. */
function digestOf(data: unknown): string {
  if (!isObject(data)) return ''
  const { resultType, result } = data
  if (resultType === 'scalar' || resultType === 'string') {
    return JSON.stringify([resultType, valueIn(result)])
  }
  if ((resultType !== 'vector' && resultType !== 'matrix') || !Array.isArray(result)) {
    return JSON.stringify([resultType, result])
  }
  const series = result.filter(isObject).map(({ metric, value, values, histogram, histograms }) => {
    return JSON.stringify([
      isObject(metric) ? sortedPairs(metric) : [],
      valueIn(value),
      valuesIn(values),
      valueIn(histogram),
      valuesIn(histograms),
    ])
  })
  return JSON.stringify([resultType, series.sort()])
}

function valuesIn(pairs: unknown): unknown {
  return Array.isArray(pairs) ? pairs.map(valueIn) : null
}

/** The value of `[time, value]`. `NaN` is a string here, and so equal to itself. */
function valueIn(pair: unknown): unknown {
  return Array.isArray(pair) ? pair[1] : null
}
