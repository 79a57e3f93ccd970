/** The sample series in text forms that real servers load, and the results of queries as both print them. */
import { expect } from 'vitest'
import { labelOf, metricName } from '../../sandbox/metrics/labels.ts'
import { formatFloat } from '../../sandbox/metrics/number.ts'
import { createSampleSeries } from '../../sandbox/metrics/samples.ts'
import type { Sample, Series } from '../../sandbox/metrics/series.ts'

/** The series hold data from five minutes before `begin` until `end`, in milliseconds. */
export const begin = Date.UTC(2026, 2, 3, 8)
export const end = begin + 3 * 3_600_000

/** Without native histograms and labels outside of ASCII, which the text forms of these servers do not have. */
export function loadableSeries(): Series[] {
  return createSampleSeries().filter(({ labels }) =>
    ['rpc_latency_seconds', 'text_labels'].every((name) => name !== labelOf(labels, metricName)),
  )
}

/** A line for each sample, grouped by metric. */
export function linesByMetric(
  all: readonly Series[],
  from: number,
  print: (labels: string, sample: Sample) => string,
): ReadonlyMap<string, readonly string[]> {
  const families = new Map<string, string[]>()
  for (const { labels, between } of all) {
    const name = labelOf(labels, metricName)
    const lines = families.get(name) ?? []
    families.set(name, lines)
    const pairs = labels.pairs.filter(([label]) => label !== metricName)
    const set = `${name}{${pairs.map(([label, value]) => `${label}=${JSON.stringify(value)}`).join(',')}}`
    for (const sample of between(from, end)) lines.push(print(`${set} ${formatFloat(sample.value)}`, sample))
  }
  return families
}

export interface QueryBody {
  status: string
  errorType?: string
  data?: { resultType: string; result: unknown }
}
export type Pair = [time: number, value: string]

/** The samples of each row of a vector or matrix, by the labels that are kept. */
export function rowsOf(result: unknown, keeps: (label: string) => boolean = () => true): Map<string, Pair[]> {
  const rows = result as { metric: Record<string, string>; value?: Pair; values?: Pair[] }[]
  return new Map(
    rows.map(({ metric, value, values }): [string, Pair[]] => {
      const labels = Object.entries(metric).filter(([label]) => keeps(label))
      const key = JSON.stringify(labels.sort(([a], [b]) => (a < b ? -1 : 1)))
      return [key, values ?? (value === undefined ? [] : [value])]
    }),
  )
}

export interface Tolerance {
  readonly relative: number
  readonly absolute: number
}

export function expectClose(
  expression: string,
  ours: readonly Pair[],
  theirs: readonly Pair[],
  { relative, absolute }: Tolerance,
): void {
  expect(
    ours.map(([time]) => time),
    expression,
  ).toEqual(theirs.map(([time]) => time))
  for (const [index, [time, text]] of ours.entries()) {
    const expected = theirs[index]?.[1] ?? 'missing'
    if (text === expected) continue
    const [a, b] = [Number(text), Number(expected)]
    const isNear = Math.abs(a - b) <= Math.max(relative * Math.max(Math.abs(a), Math.abs(b)), absolute)
    expect(isNear, `${expression} at ${time}: ${text}, the real server has ${expected}`).toBe(true)
  }
}
