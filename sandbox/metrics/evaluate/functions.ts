/** Functions over instant vectors and scalars. */
import { type Labels, labelsFrom, metricName, noLabels, withoutName } from '../labels.ts'
import { type CallNode, type Expression, withoutParentheses } from '../promql/index.ts'
import { histogramQuantile } from './histograms.ts'
import type { Query } from './query.ts'
import { elementsOf, floatsOf, scalar, scalarOf, type Value, vector } from './value.ts'

interface CallArguments {
  readonly node: CallNode
  readonly values: readonly Value[]
  readonly time: number
  readonly query: Query
}

const likeMath = 'abs ceil exp floor log10 log2 sqrt'
const maths: Record<string, (value: number) => number> = {
  ...Object.fromEntries(likeMath.split(' ').map((name) => [name, Math[name as 'abs']])),
  ln: Math.log,
  sgn: Math.sign,
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
  absent: ({ node, values }) =>
    vector(elementsOf(values[0]).length > 0 ? [] : [{ labels: labelsOfAbsent(node.args[0]), value: 1 }]),
  clamp: ({ values }) => clamped(values[0], scalarOf(values[1]), scalarOf(values[2])),
  clamp_min: ({ values }) => clamped(values[0], scalarOf(values[1]), Number.POSITIVE_INFINITY),
  clamp_max: ({ values }) => clamped(values[0], Number.NEGATIVE_INFINITY, scalarOf(values[1])),
  histogram_quantile: ({ node, values, query }) => histogramQuantile(node, values, query),
}

export function functionNamed(name: string): ((call: CallArguments) => Value) | undefined {
  const math = Object.hasOwn(maths, name) ? maths[name] : undefined
  if (math !== undefined) return ({ values }) => mapped(values[0], math)
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
