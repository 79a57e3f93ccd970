/**
 * The series that recording rules write. A sample is computed from the rule's expression when it is read, for the
 * time at which the rule's group is evaluated.
 */
import { ExecutionFailure } from '../errors.ts'
import { type Element, evaluateInstant } from '../evaluate/index.ts'
import { type Labels, labelsFrom, metricName } from '../labels.ts'
import { computedSeries, type Series } from '../series.ts'
import { type RecordingDefinition, sampleGroups } from './definitions.ts'

/** Any time is fine, because the label sets are always the same. */
const someTime = Date.UTC(2026, 0, 1)

/** A series for each label set of each recording rule of the sample data. */
export function recordedSeries(sources: readonly Series[]): Series[] {
  return sampleGroups.flatMap(({ interval, rules }) =>
    rules.flatMap((rule) => {
      if (rule.kind !== 'recording') return []
      // The label sets of the sample expressions never change, so one evaluation finds them all.
      const known = labelsOfRule(rule, sources)
      return known.labels.map((labels) =>
        recordedSeriesOf(rule, interval * 1000, labels, sources, known.samplesRead),
      )
    }),
  )
}

/** The label sets that a rule yields at one time; none if its evaluation fails. */
function labelsOfRule(
  { query }: RecordingDefinition,
  series: readonly Series[],
): { readonly labels: readonly Labels[]; readonly samplesRead: number } {
  try {
    const { result, samplesRead } = evaluateInstant(query, someTime, { series })
    const elements = result.kind === 'vector' ? result.elements : []
    return { labels: elements.map(({ labels }) => labels), samplesRead: Math.max(1, samplesRead) }
  } catch (cause) {
    if (cause instanceof ExecutionFailure) return { labels: [], samplesRead: 1 }
    throw cause
  }
}

function recordedSeriesOf(
  rule: RecordingDefinition,
  interval: number,
  source: Labels,
  sources: readonly Series[],
  samplesEach: number,
): Series {
  return computedSeries({
    labels: recordedLabels(rule, source),
    interval,
    span: { after: -1, until: Number.POSITIVE_INFINITY },
    samplesEach,
    sampleAt(time) {
      const found = evaluateVector(rule.query, time, sources).find(({ labels }) => labels.key === source.key)
      return found === undefined ? undefined : { time, value: found.value }
    },
  })
}

function recordedLabels(rule: RecordingDefinition, source: Labels): Labels {
  const own = new Map(source.pairs)
  own.set(metricName, rule.name)
  for (const [name, value] of Object.entries(rule.labels)) own.set(name, value)
  return labelsFrom(own)
}

/** The elements of an expression that yields a vector; none for any other. */
export function evaluateVector(query: string, time: number, series: readonly Series[]): readonly Element[] {
  const { result } = evaluateInstant(query, time, { series })
  return result.kind === 'vector' ? result.elements : []
}
