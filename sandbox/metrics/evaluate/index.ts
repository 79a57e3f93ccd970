/**
 * Evaluates an expression over series, at one time or over a range of steps. The result is that of Prometheus, or
 * an ExecutionFailure for parts of the language that this evaluator lacks.
 */
import { BadData } from '../errors.ts'
import { compareLabels, type Labels, noLabels } from '../labels.ts'
import { parseExpression, typeNameOf, typeOf } from '../promql/index.ts'
import type { Sample } from '../series.ts'
import { prepare, withUniqueLabels } from './prepare.ts'
import { Query, type QueryOptions } from './query.ts'
import type { SampledSeries, Value } from './value.ts'

export type { QueryOptions } from './query.ts'
export type { Element, SampledSeries, Value } from './value.ts'

interface Evaluation<Result> {
  readonly result: Result
  readonly warnings: readonly string[]
  readonly infos: readonly string[]
  readonly samplesRead: number
}

export function evaluateInstant(input: string, time: number, options: QueryOptions): Evaluation<Value> {
  const expression = parseExpression(input)
  const query = new Query(input, time, time, options)
  const evaluate = prepare(expression, query)
  query.spend(0)
  return evaluationOf(query, withUniqueLabels(evaluate(time)))
}

/** Returns a matrix for every type of expression, sorted by labels. Refuses strings and range vectors. */
export function evaluateRange(
  input: string,
  range: { readonly start: number; readonly end: number; readonly step: number },
  options: QueryOptions,
): Evaluation<readonly SampledSeries[]> {
  const expression = parseExpression(input)
  const type = typeOf(expression)
  if (type !== 'scalar' && type !== 'vector') {
    throw new BadData(
      `invalid expression type "${typeNameOf(expression)}" for range query, must be Scalar or instant Vector`,
    )
  }
  const query = new Query(input, range.start, range.end, options)
  const evaluate = prepare(expression, query)
  const rows = new Map<string, { labels: Labels; samples: Sample[] }>()
  const add = (labels: Labels, sample: Sample): void => {
    const row = rows.get(labels.key)
    if (row === undefined) rows.set(labels.key, { labels, samples: [sample] })
    else row.samples.push(sample)
  }
  const steps = Math.floor((range.end - range.start) / range.step)
  query.spend(0)
  for (let index = 0; index <= steps; index++) {
    const time = Math.trunc(range.start + index * range.step)
    const value = withUniqueLabels(evaluate(time))
    if (value.kind === 'scalar') add(noLabels, { time, value: value.value })
    if (value.kind !== 'vector') continue
    for (const { labels, value: number, histogram } of value.elements) {
      add(labels, { time, value: number, histogram })
    }
    query.spend(1)
  }
  const sorted = [...rows.values()].sort((a, b) => compareLabels(a.labels, b.labels))
  return evaluationOf(query, sorted)
}

function evaluationOf<Result>(query: Query, result: Result): Evaluation<Result> {
  const { warnings, infos, samplesRead } = query
  return { result, warnings: [...warnings], infos: [...infos], samplesRead }
}
