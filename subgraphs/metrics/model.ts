/**
 * The service's JSON as the schema shows it. Series and samples stay as they were parsed until a field
 * asks; rules and alerts get a fallback for everything but their name, because every kind of server leaves
 * out something else.
 *
 * A large result is mostly samples, so `Sample` is what execution reads fastest: plain properties, and a
 * getter for the one that costs a conversion.
 */
import { RawJson } from '../lib/raw-json.ts'
import { badResponse, isRecord } from './envelope.ts'

// --- numbers --------------------------------------------------------------------------------------------

/** Null for `NaN` and infinities, and for what is no number. */
export function floatFrom(text: string): number | null {
  const number = text === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : null
}

function numberOr<Fallback>(value: unknown, fallback: Fallback): number | Fallback {
  return typeof value === 'number' && Number.isFinite(value) ? value : fallback
}

// --- query results --------------------------------------------------------------------------------------

export interface ResultModel {
  readonly resultType: string
  /** `data.result`, parsed; undefined where no field that reads it was selected. */
  readonly result: unknown
  readonly stats: unknown
  readonly warnings: readonly string[]
  readonly infos: readonly string[]
  readonly error: { readonly type: string; readonly message: string } | null
  /** The whole `data`, as it came. */
  readonly data: () => unknown
}

export type Labels = Readonly<Record<string, unknown>>

export interface SeriesModel {
  readonly metric: Labels
  readonly value?: unknown
  readonly values?: unknown
  readonly histogram?: unknown
  readonly histograms?: unknown
}

export class Sample {
  readonly time: number
  readonly value: string

  constructor(time: number, value: string) {
    this.time = time
    this.value = value
  }

  get float(): number | null {
    return floatFrom(this.value)
  }
}

/** The series of a matrix or vector; none for other types. */
export function seriesFrom({ resultType, result }: ResultModel): SeriesModel[] {
  if (resultType !== 'matrix' && resultType !== 'vector') return []
  // Some servers write null for an empty list.
  if (result === null) return []
  if (!Array.isArray(result)) throw badResponse(`with a list of series, as a ${resultType} has`)
  for (const series of result) {
    if (!isRecord(series) || !isRecord(series.metric)) throw badResponse('with series that have labels')
  }
  return result
}

export function sampleFrom(pair: unknown): Sample {
  if (Array.isArray(pair)) {
    const [time, value] = pair
    if (typeof time === 'number' && Number.isFinite(time) && typeof value === 'string') {
      return new Sample(time, value)
    }
  }
  throw badResponse('with samples of the form [time, "value"]')
}

export function samplesFrom({ values: given, value }: SeriesModel): Sample[] {
  const values = given instanceof RawJson ? given.toJSON() : given
  if (Array.isArray(values)) {
    const samples = new Array<Sample>(values.length)
    for (let i = 0; i < values.length; i++) samples[i] = sampleFrom(values[i])
    return samples
  }
  return value == null ? [] : [sampleFrom(value)]
}

export class Histogram {
  readonly count: string
  readonly sum: string
  readonly buckets: Bucket[]

  constructor(count: string, sum: string, buckets: Bucket[]) {
    this.count = count
    this.sum = sum
    this.buckets = buckets
  }

  get countFloat(): number | null {
    return floatFrom(this.count)
  }

  get sumFloat(): number | null {
    return floatFrom(this.sum)
  }
}

export interface HistogramSampleModel {
  readonly time: number
  readonly histogram: Histogram
}

const boundaries = ['OPEN_LEFT', 'OPEN_RIGHT', 'OPEN_BOTH', 'CLOSED_BOTH'] as const

export class Bucket {
  readonly boundaries: (typeof boundaries)[number] | null
  readonly left: string
  readonly right: string
  readonly count: string

  constructor(rule: unknown, left: string, right: string, count: string) {
    this.boundaries = (typeof rule === 'number' ? boundaries[rule] : undefined) ?? null
    this.left = left
    this.right = right
    this.count = count
  }

  get leftClosed(): boolean | null {
    return this.boundaries && (this.boundaries === 'OPEN_RIGHT' || this.boundaries === 'CLOSED_BOTH')
  }

  get rightClosed(): boolean | null {
    return this.boundaries && (this.boundaries === 'OPEN_LEFT' || this.boundaries === 'CLOSED_BOTH')
  }

  get leftFloat(): number | null {
    return floatFrom(this.left)
  }

  get rightFloat(): number | null {
    return floatFrom(this.right)
  }

  get countFloat(): number | null {
    return floatFrom(this.count)
  }
}

export function histogramFrom(pair: unknown): HistogramSampleModel {
  const [time, histogram] = Array.isArray(pair) ? pair : []
  if (typeof time !== 'number' || !isRecord(histogram)) {
    throw badResponse('with histograms of the form [time, histogram]')
  }
  const { count, sum, buckets } = histogram
  if (typeof count !== 'string' || typeof sum !== 'string') {
    throw badResponse('with histograms that have a count and a sum')
  }
  const list = Array.isArray(buckets) ? buckets : []
  return { time, histogram: new Histogram(count, sum, list.map(bucketFrom)) }
}

function bucketFrom(bucket: unknown): Bucket {
  if (Array.isArray(bucket)) {
    const [rule, left, right, count] = bucket
    if (typeof left === 'string' && typeof right === 'string' && typeof count === 'string') {
      return new Bucket(rule, left, right, count)
    }
  }
  throw badResponse('with buckets of the form [rule, "left", "right", "count"]')
}

export function histogramsFrom({ histograms, histogram }: SeriesModel): HistogramSampleModel[] {
  if (Array.isArray(histograms)) return histograms.map(histogramFrom)
  return histogram == null ? [] : [histogramFrom(histogram)]
}

interface StepCount {
  readonly time: number
  readonly count: number
}

const timings = [
  'evalTotalTime',
  'resultSortTime',
  'queryPreparationTime',
  'innerEvalTime',
  'execQueueTime',
  'execTotalTime',
] as const
const counts = ['totalQueryableSamples', 'peakSamples', 'samplesRead'] as const

export type Timings = { readonly [name in (typeof timings)[number]]: number | null }
export type SampleStats = { readonly [name in (typeof counts)[number]]: number | null } & {
  readonly totalQueryableSamplesPerStep: StepCount[] | null
  readonly samplesReadPerStep: StepCount[] | null
}

export function statsFrom(stats: unknown): { timings: Timings | null; samples: SampleStats | null } | null {
  if (!isRecord(stats)) return null
  const { timings: times, samples } = stats
  return {
    timings: isRecord(times) ? (numbers(times, timings) as Timings) : null,
    samples: isRecord(samples)
      ? ({
          ...numbers(samples, counts),
          totalQueryableSamplesPerStep: steps(samples.totalQueryableSamplesPerStep),
          samplesReadPerStep: steps(samples.samplesReadPerStep),
        } as SampleStats)
      : null,
  }
}

function numbers(from: Record<string, unknown>, names: readonly string[]): Record<string, number | null> {
  return Object.fromEntries(names.map((name) => [name, numberOr(from[name], null)]))
}

function steps(list: unknown): StepCount[] | null {
  if (!Array.isArray(list)) return null
  return list.flatMap((pair) => {
    const [time, count] = Array.isArray(pair) ? pair : []
    return typeof time === 'number' && typeof count === 'number' ? [{ time, count }] : []
  })
}

// --- maps of names --------------------------------------------------------------------------------------

export interface Named {
  readonly name: string
  readonly value: string
}

export function namedFrom(map: Labels): Named[] {
  return Object.entries(map).map(([name, value]) => ({ name, value: String(value) }))
}

export function valueNamed(map: Labels, name: string): string | null {
  return Object.hasOwn(map, name) ? String(map[name]) : null
}

// --- rules and alerts -----------------------------------------------------------------------------------

export interface RuleGroupModel {
  readonly name: string
  readonly file: string
  readonly rules: RuleModel[]
  readonly interval: number | null
  readonly limit: number | null
  readonly evaluationTime: number | null
  readonly lastEvaluation: string | null
}

interface AnyRule {
  readonly name: string
  readonly query: string
  readonly labels: Labels
  readonly health: 'OK' | 'ERR' | 'UNKNOWN'
  readonly lastError: string | null
  readonly evaluationTime: number | null
  readonly lastEvaluation: string | null
}

export interface RecordingRuleModel extends AnyRule {
  readonly __typename: 'MetricsRecordingRule'
}

export interface AlertingRuleModel extends AnyRule {
  readonly __typename: 'MetricsAlertingRule'
  readonly state: AlertState
  readonly duration: number
  readonly keepFiringFor: number | null
  readonly annotations: Labels
  readonly alerts: AlertModel[]
}

export type RuleModel = RecordingRuleModel | AlertingRuleModel

type AlertState = 'INACTIVE' | 'PENDING' | 'FIRING' | 'UNKNOWN'

export interface AlertModel {
  readonly name: string | null
  readonly labels: Labels
  readonly annotations: Labels
  readonly state: AlertState
  readonly activeAt: string | null
  readonly keepFiringSince: string | null
  readonly value: string | null
  readonly float: number | null
}

export function ruleGroupsFrom(data: unknown): RuleGroupModel[] {
  const groups = isRecord(data) ? data.groups : undefined
  if (groups === null) return []
  if (!Array.isArray(groups)) throw badResponse('with a list of rule groups')
  return groups.map((group: unknown) => {
    if (!isRecord(group)) throw badResponse('with a list of rule groups')
    const limit = numberOr(group.limit, null)
    return {
      name: textOr(group.name, ''),
      file: textOr(group.file, ''),
      rules: listOf(group.rules).map(ruleFrom),
      interval: numberOr(group.interval, null),
      limit: limit !== null && Number.isInteger(limit) && limit < 2 ** 31 ? limit : null,
      evaluationTime: numberOr(group.evaluationTime, null),
      lastEvaluation: momentFrom(group.lastEvaluation),
    }
  })
}

function ruleFrom(rule: Record<string, unknown>): RuleModel {
  const base = {
    name: textOr(rule.name, ''),
    query: textOr(rule.query, ''),
    labels: mapOf(rule.labels),
    health: healthFrom(rule.health),
    lastError: textOr(rule.lastError, null),
    evaluationTime: numberOr(rule.evaluationTime, null),
    lastEvaluation: momentFrom(rule.lastEvaluation),
  }
  // A server that does not say the type tells it by what only alerting rules have.
  const alerting = rule.type === 'alerting' || (rule.type !== 'recording' && rule.alerts !== undefined)
  if (!alerting) return { __typename: 'MetricsRecordingRule', ...base }
  return {
    __typename: 'MetricsAlertingRule',
    ...base,
    state: stateFrom(rule.state),
    duration: numberOr(rule.duration, 0),
    keepFiringFor: numberOr(rule.keepFiringFor, null),
    annotations: mapOf(rule.annotations),
    alerts: listOf(rule.alerts).map(alertFrom),
  }
}

export function alertsFrom(data: unknown): AlertModel[] {
  const alerts = isRecord(data) ? data.alerts : undefined
  if (alerts === null) return []
  if (!Array.isArray(alerts)) throw badResponse('with a list of alerts')
  return listOf(alerts).map(alertFrom)
}

function alertFrom(alert: Record<string, unknown>): AlertModel {
  const labels = mapOf(alert.labels)
  const value = typeof alert.value === 'number' ? String(alert.value) : textOr(alert.value, null)
  return {
    name: valueNamed(labels, 'alertname') ?? textOr(alert.name, null),
    labels,
    annotations: mapOf(alert.annotations),
    state: stateFrom(alert.state),
    activeAt: momentFrom(alert.activeAt),
    keepFiringSince: momentFrom(alert.keepFiringSince),
    value,
    float: value === null ? null : floatFrom(value),
  }
}

function stateFrom(state: unknown): AlertState {
  return state === 'inactive' || state === 'pending' || state === 'firing'
    ? (state.toUpperCase() as AlertState)
    : 'UNKNOWN'
}

function healthFrom(health: unknown): 'OK' | 'ERR' | 'UNKNOWN' {
  if (health === 'ok') return 'OK'
  return health === 'err' ? 'ERR' : 'UNKNOWN'
}

/** Go's zero time stands for "never". */
function momentFrom(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && !value.startsWith('0001-01-01T') ? value : null
}

function textOr<Fallback>(value: unknown, fallback: Fallback): string | Fallback {
  return typeof value === 'string' && value !== '' ? value : fallback
}

function mapOf(value: unknown): Labels {
  return isRecord(value) ? value : {}
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

// --- what an older server does not filter ---------------------------------------------------------------

export interface RuleFilter {
  readonly type?: 'ALERT' | 'RECORD' | null | undefined
  readonly ruleNames: readonly string[]
  readonly ruleGroups: readonly string[]
  readonly files: readonly string[]
}

/** Groups and rules that pass; a group of which nothing is left is dropped. */
export function filterRuleGroups(
  groups: RuleGroupModel[],
  { type, ruleNames, ruleGroups, files }: RuleFilter,
): RuleGroupModel[] {
  const wanted = type == null ? undefined : type === 'ALERT' ? 'MetricsAlertingRule' : 'MetricsRecordingRule'
  if (wanted === undefined && ruleNames.length + ruleGroups.length + files.length === 0) return groups
  const passes = (names: readonly string[], name: string): boolean =>
    names.length === 0 || names.includes(name)
  return groups.flatMap((group) => {
    if (!passes(ruleGroups, group.name) || !passes(files, group.file)) return []
    const rules = group.rules.filter(
      (rule) => (wanted === undefined || rule.__typename === wanted) && passes(ruleNames, rule.name),
    )
    return rules.length === 0 ? [] : [{ ...group, rules }]
  })
}
