// The alerting and recording rules of the metrics stand-in, two files of them, really evaluated at the interval of
// their group. Evaluation is caught up when somebody asks, so an idle stand-in costs nothing.
import { createHash } from 'node:crypto'
import { BadData, ExecutionFailure } from './errors.ts'
import { evaluateInstant } from './evaluate.ts'
import { type Labels, labelOf, labelsFrom, metricName, setLabel, withoutName } from './labels.ts'
import { formatExponent, formatFloat } from './number.ts'
import { parseExpression } from './parser.ts'
import type { Series } from './series.ts'
import type { Element } from './value.ts'

type Pairs = Readonly<Record<string, string>>
interface AlertingDefinition {
  readonly kind: 'alerting'
  readonly name: string
  readonly query: string
  readonly for: number // seconds
  readonly keepFiringFor: number // seconds
  readonly labels: Pairs
  readonly annotations: Pairs
}
interface RecordingDefinition {
  readonly kind: 'recording'
  readonly name: string
  readonly query: string
  readonly labels: Pairs
}
interface GroupDefinition {
  readonly name: string
  readonly file: string
  readonly interval: number // seconds
  readonly rules: readonly (AlertingDefinition | RecordingDefinition)[]
}

export const sampleRuleFiles = [
  '/etc/prometheus/rules/service.yml',
  '/etc/prometheus/rules/platform.yml',
] as const
const [serviceFile, platformFile] = sampleRuleFiles

const sampleGroups: readonly GroupDefinition[] = [
  {
    name: 'availability',
    file: platformFile,
    interval: 30,
    rules: [
      alert('TargetDown', 'up == 0', {
        labels: { severity: 'page' },
        annotations: { summary: '{{ $labels.instance }} of {{ $labels.job }} is down' },
      }),
      alert('TargetDownForLong', 'up{job="retired"} == 0', {
        for: 7 * 86_400,
        keepFiringFor: 300,
        labels: { severity: 'warn' },
        annotations: { summary: 'pending for a week' },
      }),
      alert('Watchdog', 'vector(1)', { annotations: { description: 'always on' } }),
      alert('NeverFires', 'vector(0) > 1', { labels: { severity: 'info' } }),
    ],
  },
  {
    // The same name as a group of the other file: names are unique within a file only.
    name: 'recording',
    file: platformFile,
    interval: 60,
    rules: [
      record('constant:one', 'vector(1)'),
      record('broken:ratio', 'sum without (instance) (up) / on (job) group_left () up'),
    ],
  },
  {
    name: 'latency',
    file: serviceFile,
    interval: 30,
    rules: [
      record(
        'job:http_request_duration_seconds:p90',
        'histogram_quantile(0.9, sum by (job, le) (rate(http_request_duration_seconds_bucket[5m])))',
      ),
      alert('SlowRequests', 'job:http_request_duration_seconds:p90 > 0.2', {
        for: 60,
        labels: { severity: 'warn', team: 'api' },
        annotations: { summary: 'nine of ten requests take up to {{ $value }} seconds' },
      }),
    ],
  },
  {
    name: 'recording',
    file: serviceFile,
    interval: 60,
    rules: [
      record('job:up:sum', 'sum by (job) (up)', { tier: 'gold' }),
      record('job:http_requests:rate5m', 'sum by (job) (rate(http_requests_total[5m]))'),
    ],
  },
]

function alert(
  name: string,
  query: string,
  parts: Partial<Omit<AlertingDefinition, 'kind' | 'name' | 'query'>>,
): AlertingDefinition {
  return { kind: 'alerting', name, query, for: 0, keepFiringFor: 0, labels: {}, annotations: {}, ...parts }
}

function record(name: string, query: string, labels: Pairs = {}): RecordingDefinition {
  return { kind: 'recording', name, query, labels }
}

const someTime = Date.UTC(2026, 0, 1)
/**
 * What recording rules write, as series: computed from their expression when they are read, at the moments of their
 * group's evaluation.
 */
export function recordedSeries(sources: readonly Series[]): Series[] {
  const results: Series[] = []
  for (const group of sampleGroups) {
    for (const rule of group.rules) {
      if (rule.kind !== 'recording') continue
      // The label sets of the sample expressions never change, so one evaluation tells them all.
      const known = labelsOfRule(rule, sources)
      for (const labels of known.labels) {
        results.push(recordedSeriesOf(rule, group.interval * 1000, labels, sources, known.samplesRead))
      }
    }
  }
  return results
}

/** What a rule yields once; a rule that fails yields nothing. */
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
  const sampleAt = (time: number) => {
    const found = elementsOf(rule.query, time, sources).find(({ labels }) => labels.key === source.key)
    return found === undefined ? undefined : { time, value: found.value }
  }
  const newestTime = (until: number) => Math.floor(until / interval) * interval
  return {
    labels: recordedLabels(rule, source),
    newest(after, until) {
      for (let time = newestTime(until); time > after && time >= 0; time -= interval) {
        const sample = sampleAt(time)
        if (sample !== undefined) return sample
      }
      return undefined
    },
    cost(after, until) {
      return samplesEach * Math.max(0, Math.ceil((until - Math.max(0, after)) / interval))
    },
    between(after, until) {
      const samples = []
      const first = Math.max(0, newestTime(after) + interval)
      for (let time = first; time <= until; time += interval) {
        const sample = sampleAt(time)
        if (sample !== undefined) samples.push(sample)
      }
      return samples
    },
  }
}

function recordedLabels(rule: RecordingDefinition, source: Labels): Labels {
  const own = new Map(source.pairs)
  own.set(metricName, rule.name)
  for (const [name, value] of Object.entries(rule.labels)) own.set(name, value)
  return labelsFrom(own)
}

function elementsOf(query: string, time: number, series: readonly Series[]): readonly Element[] {
  const { result } = evaluateInstant(query, time, { series })
  return result.kind === 'vector' ? result.elements : []
}

interface ActiveAlert {
  readonly labels: Labels
  annotations: Pairs
  value: number
  readonly activeAt: number
  firing: boolean
  keptSince: number | undefined
}
interface RuleState {
  readonly definition: AlertingDefinition | RecordingDefinition
  readonly active: Map<string, ActiveAlert>
  lastError: string | undefined
  evaluationTime: number
}
interface GroupState {
  readonly definition: GroupDefinition
  readonly rules: readonly RuleState[]
  /** Groups are evaluated at different moments of their interval. */
  readonly phase: number
  readonly nanoseconds: string
  tick: number
  evaluationTime: number
}

export interface RuleFilters {
  readonly type: string
  readonly names: readonly string[]
  readonly groups: readonly string[]
  readonly files: readonly string[]
  readonly excludeAlerts: boolean
  readonly selectors: readonly string[]
  readonly groupLimit: number | undefined
  readonly groupNextToken: string
}
export interface RuleBook {
  /** The content of `data` of the rules endpoint. */
  rules(filters: RuleFilters, now: number): object
  /** The content of `data` of the alerts endpoint. */
  alerts(now: number): object
}

/** So many evaluations happened before the stand-in was started, and no more are made up for after a long pause. */
const pastEvaluations = 120

/** `series` holds what the rules read, recorded series included. */
export function createRuleBook(series: readonly Series[], started: number): RuleBook {
  const groups = sampleGroups
    .map((definition): GroupState => {
      const digest = createHash('sha256').update(`${definition.file};${definition.name}`).digest()
      const phase = digest.readUInt32BE(0) % (definition.interval * 1000)
      const rules = definition.rules.map(
        (rule): RuleState => ({
          definition: rule,
          active: new Map(),
          lastError: undefined,
          evaluationTime: 0,
        }),
      )
      const tick = tickAt(definition, phase, started) - pastEvaluations
      const nanoseconds = String(digest.readUInt32BE(4) % 1_000_000).padStart(6, '0')
      return { definition, rules, phase, nanoseconds, tick, evaluationTime: 0 }
    })
    .sort(
      (a, b) =>
        compareText(a.definition.file, b.definition.file) ||
        compareText(a.definition.name, b.definition.name),
    )

  function catchUp(now: number): void {
    for (const group of groups) {
      const current = tickAt(group.definition, group.phase, now)
      if (current - group.tick > pastEvaluations) group.tick = current - pastEvaluations
      while (group.tick < current) {
        group.tick++
        const began = performance.now()
        for (const rule of group.rules) evaluateRule(rule, timeOf(group), series)
        group.evaluationTime = (performance.now() - began) / 1000
      }
    }
  }

  return {
    rules(filters, now) {
      catchUp(now)
      const matching = groups.flatMap((group) => {
        const { name, file } = group.definition
        if (filters.groups.length > 0 && !filters.groups.includes(name)) return []
        if (filters.files.length > 0 && !filters.files.includes(file)) return []
        const rules = group.rules.filter(createRuleFilter(filters))
        return rules.length === 0 ? [] : [{ group, rules }]
      })
      const { groupLimit, groupNextToken } = filters
      const begin =
        groupNextToken === '' ? 0 : matching.findIndex(({ group }) => tokenOf(group) === groupNextToken)
      if (begin < 0) {
        throw new BadData(`invalid group_next_token '${groupNextToken}'. were rule groups changed?`)
      }
      const page = matching.slice(begin, groupLimit === undefined ? undefined : begin + groupLimit)
      const following = matching[begin + page.length]?.group
      return {
        groups: page.map(({ group, rules }) => printGroup(group, rules, filters.excludeAlerts)),
        ...(following === undefined ? {} : { groupNextToken: tokenOf(following) }),
      }
    },
    alerts(now) {
      catchUp(now)
      const alerts = groups.flatMap((group) =>
        group.rules.flatMap((rule) => [...rule.active.values()].map((one) => printAlert(one, group))),
      )
      return { alerts }
    },
  }
}

function tickAt(definition: GroupDefinition, phase: number, time: number): number {
  return Math.floor((time - phase) / (definition.interval * 1000))
}

function timeOf(group: GroupState): number {
  return group.tick * group.definition.interval * 1000 + group.phase
}

function tokenOf({ definition }: GroupState): string {
  return createHash('sha256').update(`${definition.file};${definition.name}`).digest('hex')
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function createRuleFilter({ type, names, selectors }: RuleFilters): (rule: RuleState) => boolean {
  const kind = type === 'alert' ? 'alerting' : type === 'record' ? 'recording' : undefined
  const matchers = selectors.map((text) => {
    const expression = parseExpression(text)
    if (expression.kind !== 'selector') throw new BadData(`${text} is not a label selector`)
    return expression.matchers
  })
  return ({ definition }) => {
    if (kind !== undefined && definition.kind !== kind) return false
    if (names.length > 0 && !names.includes(definition.name)) return false
    const labels = labelsFrom(Object.entries(definition.labels))
    return (
      matchers.length === 0 ||
      matchers.some((all) => all.every(({ name, matches }) => matches(labelOf(labels, name))))
    )
  }
}

function evaluateRule(rule: RuleState, time: number, series: readonly Series[]): void {
  const began = performance.now()
  rule.lastError = undefined
  try {
    const elements = elementsOf(rule.definition.query, time, series)
    if (rule.definition.kind === 'alerting') moveAlerts(rule.definition, rule.active, elements, time)
  } catch (cause) {
    rule.lastError = cause instanceof Error ? cause.message : 'evaluation failed'
  }
  rule.evaluationTime = (performance.now() - began) / 1000
}

function moveAlerts(
  definition: AlertingDefinition,
  active: Map<string, ActiveAlert>,
  elements: readonly Element[],
  time: number,
): void {
  const present = new Set<string>()
  for (const { labels, value } of elements) {
    let full = withoutName(labels)
    for (const [name, text] of Object.entries(definition.labels)) full = setLabel(full, name, text)
    full = setLabel(full, 'alertname', definition.name)
    present.add(full.key)
    const annotations = expandedAnnotations(definition, full, value)
    const known = active.get(full.key)
    const alert = known ?? {
      labels: full,
      annotations,
      value,
      activeAt: time,
      firing: false,
      keptSince: undefined,
    }
    if (known === undefined) active.set(full.key, alert)
    alert.value = value
    alert.annotations = annotations
    alert.keptSince = undefined
    alert.firing ||= time - alert.activeAt >= definition.for * 1000
  }
  for (const [key, alert] of active) {
    if (present.has(key)) continue
    alert.keptSince ??= time
    const kept = alert.firing && time - alert.keptSince < definition.keepFiringFor * 1000
    if (!kept) active.delete(key)
  }
}

function expandedAnnotations({ annotations }: AlertingDefinition, labels: Labels, value: number): Pairs {
  return Object.fromEntries(
    Object.entries(annotations).map(([name, text]) => [
      name,
      text.replace(/\{\{\s*\$(value|labels\.([A-Za-z_][A-Za-z0-9_]*))\s*\}\}/g, (_, what, label) =>
        what === 'value' ? formatFloat(value) : labelOf(labels, String(label)),
      ),
    ]),
  )
}

function printTime(milliseconds: number, nanoseconds: string): string {
  return new Date(milliseconds).toISOString().replace('Z', `${nanoseconds}Z`)
}

function printAlert(alert: ActiveAlert, group: GroupState): object {
  const { labels, annotations, firing, activeAt, keptSince, value } = alert
  return {
    labels: Object.fromEntries(labels.pairs),
    annotations,
    state: firing ? 'firing' : 'pending',
    activeAt: printTime(activeAt, group.nanoseconds),
    ...(keptSince === undefined ? {} : { keepFiringSince: printTime(keptSince, group.nanoseconds) }),
    value: formatExponent(value),
  }
}

function printGroup(group: GroupState, rules: readonly RuleState[], excludeAlerts: boolean): object {
  const { name, file, interval } = group.definition
  const lastEvaluation = printTime(timeOf(group), group.nanoseconds)
  return {
    name,
    file,
    rules: rules.map((rule) => printRule(rule, group, lastEvaluation, excludeAlerts)),
    interval,
    limit: 0,
    evaluationTime: group.evaluationTime,
    lastEvaluation,
  }
}

function printRule(
  rule: RuleState,
  group: GroupState,
  lastEvaluation: string,
  excludeAlerts: boolean,
): object {
  const { definition, lastError, evaluationTime } = rule
  const { name, query, labels } = definition
  const health = lastError === undefined ? { health: 'ok' } : { health: 'err', lastError }
  if (definition.kind === 'recording') {
    return { name, query, labels, ...health, evaluationTime, lastEvaluation, type: 'recording' }
  }
  const active = [...rule.active.values()]
  const state = active.some(({ firing }) => firing) ? 'firing' : active.length > 0 ? 'pending' : 'inactive'
  return {
    state,
    name,
    query,
    duration: definition.for,
    keepFiringFor: definition.keepFiringFor,
    labels,
    annotations: definition.annotations,
    alerts: excludeAlerts ? null : active.map((one) => printAlert(one, group)),
    ...health,
    evaluationTime,
    lastEvaluation,
    type: 'alerting',
  }
}
