/**
 * Functions over instant vectors and scalars. The evaluator refuses functions of the language that are missing
 * here.
 */
import { type Labels, labelsFrom, metricName, noLabels, withoutName } from '../labels.ts'
import { type CallNode, type Expression, withoutParentheses } from '../promql/index.ts'
import type { Histogram } from '../series.ts'
import { histogramQuantile } from './histograms.ts'
import type { Query } from './query.ts'
import { byValue, elementsOf, floatsOf, scalar, scalarOf, type Value, vector } from './value.ts'

interface CallArguments {
  readonly node: CallNode
  readonly values: readonly Value[]
  readonly time: number
  readonly query: Query
}

const maths: Record<string, (value: number) => number> = {
  abs: Math.abs,
  acos: Math.acos,
  acosh: Math.acosh,
  asin: Math.asin,
  asinh: Math.asinh,
  atan: Math.atan,
  atanh: Math.atanh,
  ceil: Math.ceil,
  cos: Math.cos,
  cosh: Math.cosh,
  deg: (value) => (value * 180) / Math.PI,
  exp: Math.exp,
  floor: Math.floor,
  ln: Math.log,
  log10: Math.log10,
  log2: Math.log2,
  rad: (value) => (value * Math.PI) / 180,
  sgn: Math.sign,
  sin: Math.sin,
  sinh: Math.sinh,
  sqrt: Math.sqrt,
  tan: Math.tan,
  tanh: Math.tanh,
}

const day = 86_400_000
const calendar: Record<string, (date: Date) => number> = {
  minute: (date) => date.getUTCMinutes(),
  hour: (date) => date.getUTCHours(),
  day_of_week: (date) => date.getUTCDay(),
  day_of_month: (date) => date.getUTCDate(),
  day_of_year: (date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / day) + 1,
  days_in_month: (date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate(),
  month: (date) => date.getUTCMonth() + 1,
  year: (date) => date.getUTCFullYear(),
}

/** Maps floats and drops histograms, like the mathematical functions of Prometheus. */
function mapped(value: Value | undefined, compute: (value: number) => number): Value {
  const floats = floatsOf(elementsOf(value))
  return vector(floats.map((one) => ({ labels: withoutName(one.labels), value: compute(one.value) })))
}

function clamped(value: Value | undefined, low: number, high: number): Value {
  if (low > high) return vector([])
  return mapped(value, (number) => greater(low, lesser(high, number)))
}

// In Go, an infinity that decides the result wins over NaN.
const greater = (a: number, b: number): number =>
  a === Number.POSITIVE_INFINITY || b === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : Math.max(a, b)
const lesser = (a: number, b: number): number => -greater(-a, -b)

const functions: Record<string, (call: CallArguments) => Value> = {
  time: ({ time }) => scalar(time / 1000),
  pi: () => scalar(Math.PI),
  vector: ({ values }) => vector([{ labels: noLabels, value: scalarOf(values[0]) }]),
  scalar: ({ values }) => {
    const [only, ...others] = floatsOf(elementsOf(values[0]))
    return scalar(only === undefined || others.length > 0 ? Number.NaN : only.value)
  },
  timestamp: ({ node, values, time }) => {
    // Only a selector has the times of its samples. Values of other expressions have the time of the evaluation.
    const isSelector = withoutParentheses(node.args[0])?.kind === 'selector'
    return vector(
      elementsOf(values[0]).map(({ labels, sampledAt }) => ({
        labels: withoutName(labels),
        value: ((isSelector ? sampledAt : undefined) ?? time) / 1000,
      })),
    )
  },
  absent: ({ node, values }) =>
    vector(elementsOf(values[0]).length > 0 ? [] : [{ labels: labelsOfAbsent(node.args[0]), value: 1 }]),
  round: ({ values }) => {
    const inverse = 1 / scalarOf(values[1], 1)
    return mapped(values[0], (value) => Math.floor(value * inverse + 0.5) / inverse)
  },
  clamp: ({ values }) => clamped(values[0], scalarOf(values[1]), scalarOf(values[2])),
  clamp_min: ({ values }) => clamped(values[0], scalarOf(values[1]), Number.POSITIVE_INFINITY),
  clamp_max: ({ values }) => clamped(values[0], Number.NEGATIVE_INFINITY, scalarOf(values[1])),
  sort: ({ values }) => vector(floatsOf(elementsOf(values[0])).sort(byValue(1))),
  sort_desc: ({ values }) => vector(floatsOf(elementsOf(values[0])).sort(byValue(-1))),
  histogram_count: ({ values }) => ofHistograms(values[0], ({ count }) => count),
  histogram_sum: ({ values }) => ofHistograms(values[0], ({ sum }) => sum),
  histogram_avg: ({ values }) => ofHistograms(values[0], ({ sum, count }) => sum / count),
  histogram_quantile: ({ node, values, query }) => histogramQuantile(node, values, query),
}

function ofHistograms(value: Value | undefined, compute: (histogram: Histogram) => number): Value {
  return vector(
    elementsOf(value).flatMap(({ labels, histogram }) =>
      histogram === undefined ? [] : [{ labels: withoutName(labels), value: compute(histogram) }],
    ),
  )
}

/** The function of this name; undefined if it is not implemented. */
export function functionNamed(name: string): ((call: CallArguments) => Value) | undefined {
  const math = Object.hasOwn(maths, name) ? maths[name] : undefined
  if (math !== undefined) return ({ values }) => mapped(values[0], math)
  const part = Object.hasOwn(calendar, name) ? calendar[name] : undefined
  if (part !== undefined) {
    return ({ values, time }) => {
      const now = vector([{ labels: noLabels, value: time / 1000 }])
      return mapped(values[0] ?? now, (seconds) => part(new Date(seconds * 1000)))
    }
  }
  return Object.hasOwn(functions, name) ? functions[name] : undefined
}

/** The labels of an absent series: those that exactly one equality of the selector determines. */
function labelsOfAbsent(expression: Expression | undefined): Labels {
  const selector = withoutParentheses(expression)
  if (selector?.kind !== 'selector') return noLabels
  const named = selector.matchers.filter(({ name }) => name !== metricName)
  const certain = named.filter(
    ({ name, operator }) => operator === '=' && named.filter((other) => other.name === name).length === 1,
  )
  return labelsFrom(certain.map(({ name, value }) => [name, value]))
}
