/** Turns a syntax tree into a function of time. Parts of the language that this evaluator lacks are refused. */
import { ExecutionFailure } from '../errors.ts'
import { compareLabels, createGrouping, type Labels, labelOf, metricName, withoutName } from '../labels.ts'
import {
  type CallNode,
  type Expression,
  type SelectorNode,
  typeOf,
  withoutParentheses,
} from '../promql/index.ts'
import type { Sample, Series } from '../series.ts'
import { aggregate } from './aggregate.ts'
import { functionNamed } from './functions.ts'
import { applyBinary } from './operators.ts'
import type { Query } from './query.ts'
import { counterFunctions, rangeFunctions } from './range-functions.ts'
import {
  type Element,
  element,
  elementsOf,
  type SampledSeries,
  scalar,
  scalarOf,
  type Value,
  vector,
} from './value.ts'

/** Returns the value of an expression at a time in milliseconds. */
type Evaluate = (time: number) => Value

/** Resolves series and groups once. The result is called for every step. */
export function prepare(expression: Expression, query: Query): Evaluate {
  switch (expression.kind) {
    case 'number': {
      const value = scalar(expression.value)
      return () => value
    }
    case 'string': {
      const { kind, value } = expression
      return () => ({ kind, value })
    }
    case 'paren':
      return prepare(expression.expression, query)
    case 'selector':
      return prepareSelector(expression, query)
    case 'range':
      return prepareWindows(expression.selector, expression.range, query)
    case 'subquery':
      throw new ExecutionFailure('subqueries are not supported by this server')
    case 'negate': {
      const operand = prepare(expression.expression, query)
      return (time) => negated(operand(time))
    }
    case 'binary': {
      const left = prepare(expression.left, query)
      const right = prepare(expression.right, query)
      return (time) => applyBinary(expression, withUniqueLabels(left(time)), withUniqueLabels(right(time)))
    }
    case 'aggregate': {
      const operand = prepare(expression.expression, query)
      const parameter = expression.parameter === undefined ? undefined : prepare(expression.parameter, query)
      const groupOf = createGrouping(expression.labels, !expression.without)
      return (time) => {
        const value = operand(time)
        const number = scalarOf(parameter?.(time))
        return vector(aggregate(expression, groupOf, elementsOf(value), number, query))
      }
    }
    case 'call':
      return prepareCall(expression, query)
  }
}

function negated(value: Value): Value {
  if (value.kind === 'scalar') return scalar(-value.value)
  if (value.kind !== 'vector') return value
  if (value.elements.some(({ histogram }) => histogram !== undefined)) {
    throw new ExecutionFailure('unary minus on native histograms is not supported by this server')
  }
  return vector(value.elements.map((one) => ({ labels: withoutName(one.labels), value: -one.value })))
}

function seriesOf(node: SelectorNode, query: Query): readonly Series[] {
  return query.series
    .filter(({ labels }) => node.matchers.every(({ name, matches }) => matches(labelOf(labels, name))))
    .sort((a, b) => compareLabels(a.labels, b.labels))
}

/** The time that a selector reads when the query is evaluated at `time`. */
function momentOf(node: SelectorNode, time: number, query: Query): number {
  const pinned = node.at === 'start' ? query.start : node.at === 'end' ? query.end : node.at
  return (pinned ?? time) - node.offset
}

function prepareSelector(node: SelectorNode, query: Query): Evaluate {
  const series = seriesOf(node, query)
  return (time) => {
    const moment = momentOf(node, time, query)
    const elements: Element[] = []
    for (const one of series) {
      const sample = one.newest(moment - query.lookback, moment)
      if (sample === undefined) continue
      const { value, histogram, time: sampledAt } = sample
      elements.push({ labels: one.labels, value, histogram, sampledAt })
    }
    query.spend(elements.length)
    return vector(elements)
  }
}

function prepareWindows(node: SelectorNode, range: number, query: Query): Evaluate {
  const series = seriesOf(node, query)
  return (time) => {
    const moment = momentOf(node, time, query)
    const rows: SampledSeries[] = []
    for (const { labels, cost, between } of series) {
      query.spend(cost(moment - range, moment))
      const samples = between(moment - range, moment)
      if (samples.length > 0) rows.push({ labels, samples })
    }
    return { kind: 'matrix', series: rows }
  }
}

/** Annotates a window that a counter function reads: mixed samples, or a name that is not a counter's. */
function annotateCounter(query: Query, labels: Labels, samples: readonly Sample[], position: number): void {
  if (samples.length < 2) return
  const name = labelOf(labels, metricName)
  const histograms = samples.filter(({ histogram }) => histogram !== undefined).length
  if (histograms > 0 && histograms < samples.length) {
    query.warn(position, `encountered a mix of histograms and floats for metric name "${name}"`)
  }
  if (histograms === 0 && name !== '' && !/_(?:total|sum|count|bucket)$/.test(name)) {
    const problem = 'metric might not be a counter, name does not end in _total/_sum/_count/_bucket'
    query.inform(position, `${problem}: "${name}"`)
  }
}

function prepareCall(node: CallNode, query: Query): Evaluate {
  const args = node.args.map((argument) => prepare(argument, query))
  const compute = rangeFunctions.get(node.name)
  if (compute === undefined) {
    const call = functionNamed(node.name)
    if (call === undefined) {
      throw new ExecutionFailure(`function "${node.name}" is not supported by this server`)
    }
    return (time) => call({ node, values: args.map((argument) => argument(time)), time, query })
  }
  const windowIndex = node.args.findIndex((argument) => typeOf(argument) === 'matrix')
  const windowNode = withoutParentheses(node.args[windowIndex])
  const windows = args[windowIndex]
  const parameter = node.args.length > 1 ? args[1 - windowIndex] : undefined
  if (windowNode?.kind !== 'range' || windows === undefined) {
    throw new ExecutionFailure(`${node.name} of this argument is not supported by this server`)
  }
  // Its value still belongs to the metric.
  const keepsName = node.name === 'last_over_time'
  return (time) => {
    const value = windows(time)
    const number = scalarOf(parameter?.(time))
    const end = momentOf(windowNode.selector, time, query)
    const elements: Element[] = []
    for (const { labels, samples } of value.kind === 'matrix' ? value.series : []) {
      if (counterFunctions.has(node.name)) annotateCounter(query, labels, samples, windowNode.start)
      if (node.name === 'quantile_over_time') {
        query.warnOfQuantile(node.args[0]?.start ?? node.start, number)
      }
      const computed = compute({ samples, start: end - windowNode.range, end }, number)
      if (computed === undefined) continue
      elements.push(element(keepsName ? labels : withoutName(labels), computed))
    }
    return vector(elements)
  }
}

/** Refuses a vector with equal label sets, which can occur when a name or labels are dropped. */
export function withUniqueLabels(value: Value): Value {
  if (value.kind !== 'vector' || value.elements.length < 2) return value
  if (new Set(value.elements.map(({ labels }) => labels.key)).size < value.elements.length) {
    throw new ExecutionFailure('vector cannot contain metrics with the same labelset')
  }
  return value
}
