// Aggregation operators: groups the elements of a vector by their labels and makes one of each group.
import { ExecutionFailure } from './errors.ts'
import type { AggregateNode } from './expression.ts'
import { dropLabels, keepLabels, type Labels, metricName } from './labels.ts'
import type { Histogram } from './series.ts'
import { type Element, element, placeIn, type Run } from './value.ts'
import { addHistograms, compensatedSum, largest, mean, quantile, smallest, variance } from './windows.ts'

const ofFloats = new Map<string, (values: number[], parameter: number) => number>([
  ['sum', compensatedSum],
  ['avg', mean],
  ['min', smallest],
  ['max', largest],
  ['stddev', (values) => Math.sqrt(variance(values))],
  ['stdvar', variance],
  ['quantile', (values, rank) => quantile(rank, values)],
])

/** The label set of an element's group; remembered for the whole query, since series come again at every step. */
export function createGrouping(node: AggregateNode): (labels: Labels) => Labels {
  const names = new Set(node.without ? [...node.labels, metricName] : node.labels)
  const known = new WeakMap<Labels, Labels>()
  return (labels) => {
    const group = known.get(labels) ?? (node.without ? dropLabels : keepLabels)(labels, names)
    known.set(labels, group)
    return group
  }
}

export function aggregate(
  node: AggregateNode,
  groupOf: (labels: Labels) => Labels,
  elements: readonly Element[],
  parameter: number,
  run: Run,
): Element[] {
  const groups = new Map<string, { labels: Labels; members: Element[] }>()
  for (const member of elements) {
    const labels = groupOf(member.labels)
    const group = groups.get(labels.key)
    if (group === undefined) groups.set(labels.key, { labels, members: [member] })
    else group.members.push(member)
  }
  if (node.operator === 'quantile' && groups.size > 0 && !(parameter >= 0 && parameter <= 1)) {
    run.warnings.add(
      `PromQL warning: quantile value should be between 0 and 1, got ${parameter} ${placeIn(run.input, node.parameter?.start ?? node.start)}`,
    )
  }
  return [...groups.values()].flatMap(({ labels, members }) => {
    if (node.operator === 'topk' || node.operator === 'bottomk')
      return ranked(members, parameter, node.operator)
    const value = aggregated(node, members, parameter, run)
    return value === undefined ? [] : [element(labels, value)]
  })
}

function ranked(members: readonly Element[], count: number, operator: 'topk' | 'bottomk'): Element[] {
  const direction = operator === 'topk' ? -1 : 1
  const floats = members.filter(({ histogram }) => histogram === undefined)
  // NaN comes last in either direction.
  const order = (a: Element, b: Element): number =>
    Number.isNaN(a.value)
      ? Number.isNaN(b.value)
        ? 0
        : 1
      : Number.isNaN(b.value)
        ? -1
        : direction * (a.value - b.value)
  return floats.sort(order).slice(0, Math.max(0, Math.trunc(count)))
}

function aggregated(
  node: AggregateNode,
  members: readonly Element[],
  parameter: number,
  run: Run,
): number | Histogram | undefined {
  const { operator } = node
  if (operator === 'count') return members.length
  if (operator === 'group') return 1
  const compute = ofFloats.get(operator)
  if (compute === undefined) {
    throw new ExecutionFailure(`aggregation operator "${operator}" is not supported by this server`)
  }
  const histograms = members.flatMap(({ histogram }) => (histogram === undefined ? [] : [histogram]))
  if (histograms.length > 0 && (operator === 'sum' || operator === 'avg')) {
    if (histograms.length < members.length) {
      run.warnings.add(
        `PromQL warning: encountered a mix of histograms and floats for aggregation ${placeIn(run.input, node.expression.start)}`,
      )
      return undefined
    }
    if (operator === 'sum') return addHistograms(histograms)
    throw new ExecutionFailure('avg of native histograms is not supported by this server')
  }
  const values = members.filter(({ histogram }) => histogram === undefined).map(({ value }) => value)
  return values.length === 0 ? undefined : compute(values, parameter)
}
