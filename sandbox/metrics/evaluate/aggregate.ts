/** Aggregation operators: group the elements of a vector by labels and combine each group. */
import { ExecutionFailure } from '../errors.ts'
import type { Labels } from '../labels.ts'
import type { AggregateNode } from '../promql/index.ts'
import type { Histogram } from '../series.ts'
import { addHistograms } from './histograms.ts'
import type { Query } from './query.ts'
import { compensatedSum, largest, mean, quantile, smallest, variance } from './statistics.ts'
import { byValue, type Element, element, floatsOf } from './value.ts'

const ofFloats = new Map<string, (values: number[], parameter: number) => number>([
  ['sum', compensatedSum],
  ['avg', mean],
  ['min', smallest],
  ['max', largest],
  ['stddev', (values) => Math.sqrt(variance(values))],
  ['stdvar', variance],
  ['quantile', (values, rank) => quantile(rank, values)],
])

/** Operators that take floats and histograms alike. */
const ofAnything = new Map<string, (members: readonly Element[]) => number>([
  ['count', (members) => members.length],
  ['group', () => 1],
])

export function aggregate(
  node: AggregateNode,
  groupOf: (labels: Labels) => Labels,
  elements: readonly Element[],
  parameter: number,
  query: Query,
): Element[] {
  const isRanked = node.operator === 'topk' || node.operator === 'bottomk'
  if (isRanked && !(parameter >= -(2 ** 63) && parameter < 2 ** 63))
    throw new ExecutionFailure(`Scalar value ${parameter} overflows int64`)
  if (!isRanked && !ofFloats.has(node.operator) && !ofAnything.has(node.operator))
    throw new ExecutionFailure(`aggregation operator "${node.operator}" is not supported by this server`)
  const groups = new Map<string, { labels: Labels; members: Element[] }>()
  for (const member of elements) {
    const labels = groupOf(member.labels)
    const group = groups.get(labels.key)
    if (group === undefined) groups.set(labels.key, { labels, members: [member] })
    else group.members.push(member)
  }
  if (node.operator === 'quantile' && groups.size > 0) {
    query.warnOfQuantile(node.parameter?.start ?? node.start, parameter)
  }
  return [...groups.values()].flatMap(({ labels, members }) => {
    if (isRanked) return ranked(node, members, parameter, query)
    const value = aggregated(node, members, parameter, query)
    return value === undefined ? [] : [element(labels, value)]
  })
}

function ranked(
  { operator, start }: AggregateNode,
  members: readonly Element[],
  count: number,
  query: Query,
): Element[] {
  const floats = floatsOf(members)
  if (floats.length < members.length) query.inform(start, `ignored histogram in ${operator} aggregation`)
  return floats.sort(byValue(operator === 'topk' ? -1 : 1)).slice(0, Math.max(0, Math.trunc(count)))
}

function aggregated(
  node: AggregateNode,
  members: readonly Element[],
  parameter: number,
  query: Query,
): number | Histogram | undefined {
  const { operator } = node
  const count = ofAnything.get(operator)
  if (count !== undefined) return count(members)
  const histograms = members.flatMap(({ histogram }) => (histogram === undefined ? [] : [histogram]))
  if (histograms.length > 0 && (operator === 'sum' || operator === 'avg')) {
    if (histograms.length < members.length) {
      query.warn(node.expression.start, 'encountered a mix of histograms and floats for aggregation')
      return undefined
    }
    if (operator === 'sum') return addHistograms(histograms)
    throw new ExecutionFailure('avg of native histograms is not supported by this server')
  }
  if (histograms.length > 0)
    query.inform(node.expression.start, `ignored histogram in ${operator} aggregation`)
  const values = floatsOf(members).map(({ value }) => value)
  return values.length === 0 ? undefined : ofFloats.get(operator)?.(values, parameter)
}
