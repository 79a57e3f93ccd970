/** Warnings and infos of a response, each with its position in the expression. */
import { type Labels, labelOf, metricName } from '../labels.ts'
import { lineAndColumn } from '../promql/index.ts'
import type { Sample } from '../series.ts'
import type { Query } from './query.ts'

function placeOf({ input }: Query, position: number): string {
  return `(${lineAndColumn(input, position)})`
}

export function warnOfQuantile(query: Query, rank: number, position: number): void {
  if (rank >= 0 && rank <= 1) return
  const place = placeOf(query, position)
  query.warnings.add(`PromQL warning: quantile value should be between 0 and 1, got ${rank} ${place}`)
}

export function warnOfBucketLabel(query: Query, le: string, position: number): void {
  const place = placeOf(query, position)
  query.warnings.add(
    `PromQL warning: bucket label "le" is missing or has a malformed value of "${le}" ${place}`,
  )
}

export function warnOfMixedAggregation(query: Query, position: number): void {
  const place = placeOf(query, position)
  query.warnings.add(`PromQL warning: encountered a mix of histograms and floats for aggregation ${place}`)
}

/** Annotates a window that a counter function reads: mixed samples, or a name that is not a counter's. */
export function annotateCounter(
  query: Query,
  labels: Labels,
  samples: readonly Sample[],
  position: number,
): void {
  if (samples.length < 2) return
  const name = labelOf(labels, metricName)
  const place = placeOf(query, position)
  const histograms = samples.filter(({ histogram }) => histogram !== undefined).length
  if (histograms > 0 && histograms < samples.length) {
    query.warnings.add(
      `PromQL warning: encountered a mix of histograms and floats for metric name "${name}" ${place}`,
    )
  }
  if (histograms === 0 && name !== '' && !/_(?:total|sum|count|bucket)$/.test(name)) {
    query.infos.add(
      `PromQL info: metric might not be a counter, name does not end in _total/_sum/_count/_bucket: "${name}" ${place}`,
    )
  }
}
