// Evaluates a parsed expression over the sample series, at one moment or over a range of steps. It promises to be
// right or to refuse: what the language has and this evaluator lacks is an ExecutionFailure, never a guess.
import { aggregate, createGrouping } from './aggregate.ts'
import { functionNamed } from './calls.ts'
import { BadData, ExecutionFailure, QueryTimeout } from './errors.ts'
import { type CallNode, type Expression, type SelectorNode, typeNameOf, typeOf } from './expression.ts'
import { compareLabels, type Labels, labelOf, metricName, noLabels, withoutName } from './labels.ts'
import { applyBinary } from './operators.ts'
import { parseExpression } from './parser.ts'
import type { Sample, Series } from './series.ts'
import { type Element, element, placeIn, type Run, type Value } from './value.ts'
import { counterFunctions, namePreserving, windowFunctions } from './windows.ts'

export interface QueryOptions {
  readonly series: readonly Series[]
  readonly lookback?: number | undefined
  /** performance.now() by which the evaluation must be done. */
  readonly deadline?: number | undefined
  readonly maxSamples?: number | undefined
}
export interface RangeSeries {
  readonly labels: Labels
  readonly samples: readonly Sample[]
}
export interface Evaluation<Result> {
  readonly result: Result
  readonly warnings: readonly string[]
  readonly infos: readonly string[]
  readonly samplesRead: number
}

const defaultLookback = 300_000
/** About half a second of work, during which nobody else is served. */
const defaultMaxSamples = 5_000_000
const samplesBetweenLooksAtTheClock = 50_000

function startRun(input: string, start: number, end: number, options: QueryOptions): Run {
  const { series, lookback = defaultLookback, deadline, maxSamples = defaultMaxSamples } = options
  let sinceLook = samplesBetweenLooksAtTheClock
  const run: Run = {
    input,
    series,
    start,
    end,
    lookback,
    warnings: new Set(),
    infos: new Set(),
    samplesRead: 0,
    spend(samples) {
      run.samplesRead += samples
      if (run.samplesRead > maxSamples) {
        throw new ExecutionFailure(
          'query processing would load too many samples into memory in query execution',
        )
      }
      sinceLook += samples
      if (deadline === undefined || sinceLook < samplesBetweenLooksAtTheClock) return
      sinceLook = 0
      if (performance.now() > deadline) throw new QueryTimeout('query timed out in expression evaluation')
    },
  }
  return run
}

export function evaluateInstant(input: string, time: number, options: QueryOptions): Evaluation<Value> {
  const expression = parseExpression(input)
  const run = startRun(input, time, time, options)
  const evaluate = prepare(expression, run)
  run.spend(0)
  return finished(run, unique(evaluate(time)))
}

/** A matrix whatever the expression's type, sorted by labels; refuses strings and range vectors. */
export function evaluateRange(
  input: string,
  range: { readonly start: number; readonly end: number; readonly step: number },
  options: QueryOptions,
): Evaluation<readonly RangeSeries[]> {
  const expression = parseExpression(input)
  const type = typeOf(expression)
  if (type !== 'scalar' && type !== 'vector') {
    throw new BadData(
      `invalid expression type "${typeNameOf(expression)}" for range query, must be Scalar or instant Vector`,
    )
  }
  const run = startRun(input, range.start, range.end, options)
  const evaluate = prepare(expression, run)
  const rows = new Map<string, { labels: Labels; samples: Sample[] }>()
  const put = (labels: Labels, sample: Sample): void => {
    const row = rows.get(labels.key)
    if (row === undefined) rows.set(labels.key, { labels, samples: [sample] })
    else row.samples.push(sample)
  }
  const steps = Math.floor((range.end - range.start) / range.step)
  run.spend(0)
  for (let index = 0; index <= steps; index++) {
    const time = Math.trunc(range.start + index * range.step)
    const value = unique(evaluate(time))
    if (value.kind === 'scalar') put(noLabels, { time, value: value.value })
    if (value.kind !== 'vector') continue
    for (const { labels, value: number, histogram } of value.elements) {
      put(labels, histogram === undefined ? { time, value: number } : { time, value: number, histogram })
    }
    run.spend(1)
  }
  return finished(
    run,
    [...rows.values()].sort((a, b) => compareLabels(a.labels, b.labels)),
  )
}

function finished<Result>(run: Run, result: Result): Evaluation<Result> {
  const { warnings, infos, samplesRead } = run
  return { result, warnings: [...warnings], infos: [...infos], samplesRead }
}

/** Dropping names or labels may make two series alike; the service refuses that rather than to merge them. */
function unique(value: Value): Value {
  if (value.kind !== 'vector' || value.elements.length < 2) return value
  if (new Set(value.elements.map(({ labels }) => labels.key)).size < value.elements.length) {
    throw new ExecutionFailure('vector cannot contain metrics with the same labelset')
  }
  return value
}

type Evaluate = (time: number) => Value

/** Resolves series and groupings once; what comes back is called for every step. */
function prepare(expression: Expression, run: Run): Evaluate {
  switch (expression.kind) {
    case 'number':
    case 'string': {
      const value: Value =
        expression.kind === 'number'
          ? { kind: 'scalar', value: expression.value }
          : { kind: 'string', value: expression.value }
      return () => value
    }
    case 'paren':
      return prepare(expression.expression, run)
    case 'selector':
      return prepareSelector(expression, run)
    case 'range':
      return prepareWindows(expression.selector, expression.range, run)
    case 'subquery':
      throw new ExecutionFailure('subqueries are not supported by this server')
    case 'negate': {
      const operand = prepare(expression.expression, run)
      return (time) => negated(operand(time))
    }
    case 'binary': {
      const left = prepare(expression.left, run)
      const right = prepare(expression.right, run)
      return (time) => applyBinary(expression, unique(left(time)), unique(right(time)))
    }
    case 'aggregate': {
      const operand = prepare(expression.expression, run)
      const parameter = expression.parameter === undefined ? undefined : prepare(expression.parameter, run)
      const groupOf = createGrouping(expression)
      return (time) => {
        const value = operand(time)
        const given = parameter?.(time)
        const number = given?.kind === 'scalar' ? given.value : Number.NaN
        const elements = value.kind === 'vector' ? value.elements : []
        return { kind: 'vector', elements: aggregate(expression, groupOf, elements, number, run) }
      }
    }
    case 'call':
      return prepareCall(expression, run)
  }
}

function negated(value: Value): Value {
  if (value.kind === 'scalar') return { kind: 'scalar', value: -value.value }
  if (value.kind !== 'vector') return value
  if (value.elements.some(({ histogram }) => histogram !== undefined)) {
    throw new ExecutionFailure('unary minus on native histograms is not supported by this server')
  }
  return {
    kind: 'vector',
    elements: value.elements.map((one) => ({ labels: withoutName(one.labels), value: -one.value })),
  }
}

function seriesOf(node: SelectorNode, run: Run): readonly Series[] {
  return run.series
    .filter(({ labels }) => node.matchers.every(({ name, matches }) => matches(labelOf(labels, name))))
    .sort((a, b) => compareLabels(a.labels, b.labels))
}

/** The moment that a selector looks at when the query stands at `time`. */
function lookAt(node: SelectorNode, time: number, run: Run): number {
  const pinned = node.at === 'start' ? run.start : node.at === 'end' ? run.end : node.at
  return (pinned ?? time) - node.offset
}

function prepareSelector(node: SelectorNode, run: Run): Evaluate {
  const series = seriesOf(node, run)
  return (time) => {
    const moment = lookAt(node, time, run)
    const elements: Element[] = []
    for (const one of series) {
      const sample = one.newest(moment - run.lookback, moment)
      if (sample === undefined) continue
      const { value, histogram } = sample
      elements.push(
        histogram === undefined
          ? { labels: one.labels, value, taken: sample.time }
          : { labels: one.labels, value, histogram, taken: sample.time },
      )
    }
    run.spend(elements.length)
    return { kind: 'vector', elements }
  }
}

function prepareWindows(node: SelectorNode, range: number, run: Run): Evaluate {
  const series = seriesOf(node, run)
  return (time) => {
    const moment = lookAt(node, time, run)
    const rows: { labels: Labels; samples: readonly Sample[] }[] = []
    for (const { labels, cost, between } of series) {
      run.spend(cost(moment - range, moment))
      const samples = between(moment - range, moment)
      if (samples.length > 0) rows.push({ labels, samples })
    }
    return { kind: 'matrix', series: rows }
  }
}

function prepareCall(node: CallNode, run: Run): Evaluate {
  const args = node.args.map((argument) => prepare(argument, run))
  const compute = windowFunctions.get(node.name)
  if (compute === undefined) {
    const call = functionNamed(node.name)
    if (call === undefined) {
      throw new ExecutionFailure(`function "${node.name}" is not supported by this server`)
    }
    return (time) => call({ node, values: args.map((argument) => argument(time)), time, run })
  }
  const windowIndex = node.args.findIndex((argument) => typeOf(argument) === 'matrix')
  const windowNode = withoutParentheses(node.args[windowIndex])
  const windows = args[windowIndex]
  const parameter = node.args.length > 1 ? args[1 - windowIndex] : undefined
  if (windowNode?.kind !== 'range' || windows === undefined) {
    throw new ExecutionFailure(`${node.name} of this argument is not supported by this server`)
  }
  return (time) => {
    const value = windows(time)
    const given = parameter?.(time)
    const number = given?.kind === 'scalar' ? given.value : Number.NaN
    const end = lookAt(windowNode.selector, time, run)
    const elements: Element[] = []
    for (const { labels, samples } of value.kind === 'matrix' ? value.series : []) {
      remark(node, windowNode, labels, samples, run)
      if (node.name === 'quantile_over_time' && !(number >= 0 && number <= 1)) {
        run.warnings.add(
          `PromQL warning: quantile value should be between 0 and 1, got ${number} ${placeIn(run.input, node.args[0]?.start ?? node.start)}`,
        )
      }
      const computed = compute({ samples, start: end - windowNode.range, end }, number)
      if (computed === undefined) continue
      elements.push(element(namePreserving.has(node.name) ? labels : withoutName(labels), computed))
    }
    return { kind: 'vector', elements }
  }
}

function withoutParentheses(expression: Expression | undefined): Expression | undefined {
  return expression?.kind === 'paren' ? withoutParentheses(expression.expression) : expression
}

function remark(
  node: CallNode,
  argument: Expression,
  labels: Labels,
  samples: readonly Sample[],
  run: Run,
): void {
  if (!counterFunctions.has(node.name) || samples.length < 2) return
  const name = labelOf(labels, metricName)
  const place = placeIn(run.input, argument.start)
  const histograms = samples.filter(({ histogram }) => histogram !== undefined).length
  if (histograms > 0 && histograms < samples.length) {
    run.warnings.add(
      `PromQL warning: encountered a mix of histograms and floats for metric name "${name}" ${place}`,
    )
  }
  if (histograms === 0 && name !== '' && !/_(?:total|sum|count|bucket)$/.test(name)) {
    run.infos.add(
      `PromQL info: metric might not be a counter, name does not end in _total/_sum/_count/_bucket: "${name}" ${place}`,
    )
  }
}
