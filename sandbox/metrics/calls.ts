// Functions over instant vectors and scalars. Those that the language has and this file lacks are refused by the
// evaluator as not supported.

import type { CallNode, Expression } from './expression.ts'
import { dropLabels, type Labels, labelOf, labelsFrom, metricName, withoutName } from './labels.ts'
import { type Element, placeIn, type Run, type Value } from './value.ts'

export interface CallArguments {
  readonly node: CallNode
  readonly values: readonly Value[]
  readonly time: number
  readonly run: Run
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

function elementsOf(value: Value | undefined): readonly Element[] {
  return value?.kind === 'vector' ? value.elements : []
}

function scalarOf(value: Value | undefined, otherwise = Number.NaN): number {
  return value?.kind === 'scalar' ? value.value : otherwise
}

/** Maps floats and drops histograms, as the service's mathematical functions do. */
function mapped(value: Value | undefined, compute: (value: number, element: Element) => number): Value {
  const elements = elementsOf(value).filter(({ histogram }) => histogram === undefined)
  return {
    kind: 'vector',
    elements: elements.map((one) => ({ labels: withoutName(one.labels), value: compute(one.value, one) })),
  }
}

function sorted(value: Value | undefined, direction: 1 | -1): Value {
  const floats = elementsOf(value).filter(({ histogram }) => histogram === undefined)
  const rank = (number: number) => (Number.isNaN(number) ? 1 : 0)
  return {
    kind: 'vector',
    elements: floats.sort((a, b) => rank(a.value) - rank(b.value) || direction * (a.value - b.value)),
  }
}

function clamped(value: Value | undefined, low: number, high: number): Value {
  if (low > high) return { kind: 'vector', elements: [] }
  return mapped(value, (number) => Math.max(low, Math.min(high, number)))
}

const functions: Record<string, (call: CallArguments) => Value> = {
  time: ({ time }) => ({ kind: 'scalar', value: time / 1000 }),
  pi: () => ({ kind: 'scalar', value: Math.PI }),
  vector: ({ values }) => ({
    kind: 'vector',
    elements: [{ labels: labelsFrom([]), value: scalarOf(values[0]) }],
  }),
  scalar: ({ values }) => {
    const floats = elementsOf(values[0]).filter(({ histogram }) => histogram === undefined)
    return { kind: 'scalar', value: floats.length === 1 ? (floats[0]?.value ?? Number.NaN) : Number.NaN }
  },
  timestamp: ({ values, time }) => ({
    kind: 'vector',
    elements: elementsOf(values[0]).map(({ labels, taken }) => ({
      labels: withoutName(labels),
      value: (taken ?? time) / 1000,
    })),
  }),
  absent: ({ node, values }) => ({
    kind: 'vector',
    elements: elementsOf(values[0]).length > 0 ? [] : [{ labels: labelsOfAbsent(node.args[0]), value: 1 }],
  }),
  round: ({ values }) => {
    const inverse = 1 / scalarOf(values[1], 1)
    return mapped(values[0], (value) => Math.floor(value * inverse + 0.5) / inverse)
  },
  clamp: ({ values }) => clamped(values[0], scalarOf(values[1]), scalarOf(values[2])),
  clamp_min: ({ values }) => clamped(values[0], scalarOf(values[1]), Number.POSITIVE_INFINITY),
  clamp_max: ({ values }) => clamped(values[0], Number.NEGATIVE_INFINITY, scalarOf(values[1])),
  sort: ({ values }) => sorted(values[0], 1),
  sort_desc: ({ values }) => sorted(values[0], -1),
  histogram_count: ({ values }) => ofHistograms(values[0], ({ count }) => count),
  histogram_sum: ({ values }) => ofHistograms(values[0], ({ sum }) => sum),
  histogram_avg: ({ values }) => ofHistograms(values[0], ({ sum, count }) => sum / count),
  histogram_quantile: histogramQuantile,
}

function ofHistograms(
  value: Value | undefined,
  compute: (histogram: NonNullable<Element['histogram']>) => number,
): Value {
  return {
    kind: 'vector',
    elements: elementsOf(value).flatMap(({ labels, histogram }) =>
      histogram === undefined ? [] : [{ labels: withoutName(labels), value: compute(histogram) }],
    ),
  }
}

/** The function of that name, or undefined where this server lacks it. */
export function functionNamed(name: string): ((call: CallArguments) => Value) | undefined {
  const math = Object.hasOwn(maths, name) ? maths[name] : undefined
  if (math !== undefined) return ({ values }) => mapped(values[0], math)
  const part = Object.hasOwn(calendar, name) ? calendar[name] : undefined
  if (part !== undefined) {
    return ({ values, time }) => {
      const now: Value = { kind: 'vector', elements: [{ labels: labelsFrom([]), value: time / 1000 }] }
      return mapped(values[0] ?? now, (seconds) => part(new Date(seconds * 1000)))
    }
  }
  return Object.hasOwn(functions, name) ? functions[name] : undefined
}

/** What is absent is labelled by what was asked for, as far as that is certain. */
function labelsOfAbsent(expression: Expression | undefined): Labels {
  if (expression?.kind === 'paren') return labelsOfAbsent(expression.expression)
  if (expression?.kind !== 'selector') return labelsFrom([])
  const named = expression.matchers.filter(({ name }) => name !== metricName)
  const certain = named.filter(
    ({ name, operator }) => operator === '=' && named.filter((other) => other.name === name).length === 1,
  )
  return labelsFrom(certain.map(({ name, value }) => [name, value]))
}

interface ClassicBucket {
  readonly bound: number
  count: number
}

function histogramQuantile({ node, values, run }: CallArguments): Value {
  const rank = scalarOf(values[0])
  const vector = elementsOf(values[1])
  const groups = new Map<string, { labels: Labels; buckets: ClassicBucket[] }>()
  const dropped = new Set(['le', metricName])
  if (vector.length > 0 && !(rank >= 0 && rank <= 1)) {
    run.warnings.add(
      `PromQL warning: quantile value should be between 0 and 1, got ${rank} ${placeIn(run.input, node.args[0]?.start ?? node.start)}`,
    )
  }
  for (const { labels, value, histogram } of vector) {
    if (histogram !== undefined) continue
    const le = labelOf(labels, 'le')
    const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le === '' ? 'none' : le)
    if (Number.isNaN(bound)) {
      run.warnings.add(
        `PromQL warning: bucket label "le" is missing or has a malformed value of "${le}" ${placeIn(run.input, node.args[1]?.start ?? node.start)}`,
      )
      continue
    }
    const kept = dropLabels(labels, dropped)
    const group = groups.get(kept.key) ?? { labels: kept, buckets: [] }
    groups.set(kept.key, group)
    group.buckets.push({ bound, count: value })
  }
  return {
    kind: 'vector',
    elements: [...groups.values()].map(({ labels, buckets }) => ({
      labels,
      value: bucketQuantile(rank, buckets),
    })),
  }
}

function bucketQuantile(rank: number, unsorted: readonly ClassicBucket[]): number {
  if (Number.isNaN(rank)) return Number.NaN
  if (rank < 0) return Number.NEGATIVE_INFINITY
  if (rank > 1) return Number.POSITIVE_INFINITY
  const buckets = [...unsorted].sort((a, b) => a.bound - b.bound)
  // Counts are cumulative; scrapes that were torn apart may not be.
  for (const [index, bucket] of buckets.entries()) {
    bucket.count = Math.max(bucket.count, buckets[index - 1]?.count ?? 0)
  }
  const last = buckets.at(-1)
  if (last === undefined || last.bound !== Number.POSITIVE_INFINITY || buckets.length < 2) return Number.NaN
  if (!(last.count > 0)) return Number.NaN
  const wanted = rank * last.count
  const found = buckets.slice(0, -1).findIndex(({ count }) => count >= wanted)
  if (found < 0) return buckets.at(-2)?.bound ?? Number.NaN
  const bucket = buckets[found] ?? last
  if (found === 0 && bucket.bound <= 0) return bucket.bound
  const below = found === 0 ? { bound: 0, count: 0 } : (buckets[found - 1] ?? last)
  const share = (wanted - below.count) / (bucket.count - below.count)
  return below.bound + (bucket.bound - below.bound) * share
}
