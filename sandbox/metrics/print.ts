/**
 * Prints results like the metrics service: times as numbers of seconds, values as strings. It writes the text
 * directly, which is cheaper for a matrix of a hundred thousand samples than objects and `JSON.stringify`.
 */
import type { SampledSeries, Value } from './evaluate/index.ts'
import type { Labels } from './labels.ts'
import { formatFloat } from './number.ts'
import type { Histogram } from './series.ts'

function printMetric(labels: Labels): string {
  return `{${labels.pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`
}

function printHistogram({ count, sum, buckets }: Histogram): string {
  const filled = buckets.filter((bucket) => bucket.count !== 0)
  const list = filled.map(
    ({ rule, left, right, count }) =>
      `[${rule},"${formatFloat(left)}","${formatFloat(right)}","${formatFloat(count)}"]`,
  )
  const tail = list.length === 0 ? '' : `,"buckets":[${list.join(',')}]`
  return `{"count":"${formatFloat(count)}","sum":"${formatFloat(sum)}"${tail}}`
}

function printSample(time: number, value: number): string {
  return `[${time / 1000},"${formatFloat(value)}"]`
}

function printSeries({ labels, samples }: SampledSeries): string {
  const values: string[] = []
  const histograms: string[] = []
  for (const { time, value, histogram } of samples) {
    if (histogram === undefined) values.push(printSample(time, value))
    else histograms.push(`[${time / 1000},${printHistogram(histogram)}]`)
  }
  const floats = values.length === 0 ? '' : `,"values":[${values.join(',')}]`
  const natives = histograms.length === 0 ? '' : `,"histograms":[${histograms.join(',')}]`
  return `{"metric":${printMetric(labels)}${floats}${natives}}`
}

export function printMatrix(series: readonly SampledSeries[]): string {
  return `"resultType":"matrix","result":[${series.map(printSeries).join(',')}]`
}

/** The members of `data` for an instant query's value at this time. */
export function printValue(value: Value, time: number): string {
  switch (value.kind) {
    case 'scalar':
      return `"resultType":"scalar","result":${printSample(time, value.value)}`
    case 'string':
      return `"resultType":"string","result":[${time / 1000},${JSON.stringify(value.value)}]`
    case 'matrix':
      return printMatrix(value.series)
    case 'vector': {
      const elements = value.elements.map(({ labels, value, histogram }) => {
        const content =
          histogram === undefined
            ? `"value":${printSample(time, value)}`
            : `"histogram":[${time / 1000},${printHistogram(histogram)}]`
        return `{"metric":${printMetric(labels)},${content}}`
      })
      return `"resultType":"vector","result":[${elements.join(',')}]`
    }
  }
}
