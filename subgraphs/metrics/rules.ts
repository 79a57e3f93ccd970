/**
 * Rule groups, rules and alerts as the schema shows them. Every field but the name has a fallback, because each
 * kind of server leaves out other fields. Filters that an older server ignores are applied here.
 */

import { objectOf, objectsOf, textOf } from '../kit/json.ts'
import type { Connection, Edge, Page, StreamedConnection } from '../kit/pagination/index.ts'
import { badResponse, type Envelope, noteFrom } from './envelope.ts'
import { floatFrom, type Labels, momentFrom, numberOr, valueNamed } from './values.ts'

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

export type RuleGroupConnectionModel = Connection<RuleGroupModel> | StreamedConnection<RuleGroupModel>
export type RuleGroupEdgeModel = Edge<RuleGroupModel>

/**
 * The pages of vmalert have numbers, which are valid with one size only. So their tokens are `number/size`. The tokens
 * of Prometheus are digests in hexadecimal digits.
 */
function numberedPageOf(
  token: string | undefined,
): { readonly number: number; readonly size: number } | undefined {
  const [, number, size] = /^([1-9]\d{0,8})\/([1-9]\d{0,3})$/.exec(token ?? '') ?? []
  return number === undefined ? undefined : { number: Number(number), size: Number(size) }
}

export function pageParametersOf(token: string | undefined, size: number): [string, string][] {
  const numbered = numberedPageOf(token)
  const parameters: [string, string][] = [['group_limit', String(numbered?.size ?? size)]]
  if (numbered !== undefined) parameters.push(['page_num', String(numbered.number)])
  else if (token !== undefined) parameters.push(['group_next_token', token])
  return parameters
}

/** A page of groups, and the token of the next one. Prometheus 3.0 spells the token's name differently. */
export function ruleGroupPageFrom(
  { data, totalPages = 0 }: Envelope,
  filter: RuleFilter,
  token: string | undefined,
  size: number,
): Page<RuleGroupModel> {
  const { groupNextToken, 'groupNextToken:omitempty': early } = objectOf(data)
  const page = numberedPageOf(token) ?? { number: 1, size }
  const numbered = page.number < totalPages ? `${page.number + 1}/${page.size}` : undefined
  const items = filterRuleGroups(ruleGroupsFrom(data), filter)
  return { items, next: textOf(groupNextToken) ?? textOf(early) ?? numbered }
}

export function ruleGroupsFrom(data: unknown): RuleGroupModel[] {
  const { groups } = objectOf(data)
  if (groups === null) return []
  if (!Array.isArray(groups)) throw badResponse('with a list of rule groups')
  return objectsOf(groups).map((group) => {
    const limit = numberOr(group.limit, null)
    return {
      name: textOf(group.name) ?? '',
      file: textOf(group.file) ?? '',
      rules: objectsOf(group.rules).map(ruleFrom),
      interval: numberOr(group.interval, null),
      limit: limit !== null && Number.isInteger(limit) && limit < 2 ** 31 ? limit : null,
      evaluationTime: numberOr(group.evaluationTime, null),
      lastEvaluation: momentFrom(group.lastEvaluation),
    }
  })
}

/** How many groups, rules and alerts are malformed and therefore left out. */
export function oddRules(data: unknown): number {
  const { groups } = objectOf(data)
  const rules = objectsOf(groups).map((group) => group.rules)
  const alerts = rules.flatMap((list) => objectsOf(list).map((rule) => rule.alerts))
  return [groups, ...rules, ...alerts].reduce((sum: number, list) => sum + oddOf(list), 0)
}

export function oddAlerts(data: unknown): number {
  return oddOf(objectOf(data).alerts)
}

const oddOf = (list: unknown): number => (Array.isArray(list) ? list.length - objectsOf(list).length : 0)

function ruleFrom(rule: Record<string, unknown>): RuleModel {
  const base = {
    name: textOf(rule.name) ?? '',
    query: textOf(rule.query) ?? '',
    labels: objectOf(rule.labels),
    health: healthFrom(rule.health),
    lastError: textOf(noteFrom(rule.lastError)) ?? null,
    evaluationTime: numberOr(rule.evaluationTime, null),
    lastEvaluation: momentFrom(rule.lastEvaluation),
  }
  // If a server leaves out the type, `alerts` decides, because only alerting rules have it.
  const alerting = rule.type === 'alerting' || (rule.type !== 'recording' && rule.alerts !== undefined)
  if (!alerting) return { __typename: 'MetricsRecordingRule', ...base }
  return {
    __typename: 'MetricsAlertingRule',
    ...base,
    state: stateFrom(rule.state),
    duration: numberOr(rule.duration, 0),
    // vmalert spells the field as in the configuration file.
    keepFiringFor: numberOr(rule.keepFiringFor ?? rule.keep_firing_for, null),
    annotations: objectOf(rule.annotations),
    alerts: objectsOf(rule.alerts).map(alertFrom),
  }
}

export function alertsFrom(data: unknown): AlertModel[] {
  const { alerts } = objectOf(data)
  if (alerts === null) return []
  if (!Array.isArray(alerts)) throw badResponse('with a list of alerts')
  return objectsOf(alerts).map(alertFrom)
}

function alertFrom(alert: Record<string, unknown>): AlertModel {
  const labels = objectOf(alert.labels)
  const value = typeof alert.value === 'number' ? String(alert.value) : (textOf(alert.value) ?? null)
  return {
    name: valueNamed(labels, 'alertname') ?? textOf(alert.name) ?? null,
    labels,
    annotations: objectOf(alert.annotations),
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

export interface RuleFilter {
  readonly type?: 'ALERT' | 'RECORD' | null | undefined
  readonly ruleNames: readonly string[]
  readonly ruleGroups: readonly string[]
  readonly files: readonly string[]
  readonly match: readonly string[]
  readonly excludeAlerts: boolean
}

export function parametersOf(filter: RuleFilter): [string, string][] {
  const listed = (name: string, values: readonly string[]): [string, string][] =>
    values.map((value) => [name, value])
  return [
    ...(filter.type == null ? [] : listed('type', [filter.type === 'ALERT' ? 'alert' : 'record'])),
    ...listed('rule_name[]', filter.ruleNames),
    ...listed('rule_group[]', filter.ruleGroups),
    ...listed('file[]', filter.files),
    ...listed('match[]', filter.match),
    ...(filter.excludeAlerts ? listed('exclude_alerts', ['true']) : []),
  ]
}

/**
 * Groups and rules that pass the filter. A group without rules is dropped. Selectors are left to the service,
 * because we do not run their regular expressions.
 */
export function filterRuleGroups(groups: RuleGroupModel[], filter: RuleFilter): RuleGroupModel[] {
  const named = namedRuleGroups(groups, filter)
  if (!filter.excludeAlerts) return named
  return named.map((group) => ({
    ...group,
    rules: group.rules.map((rule) =>
      rule.__typename === 'MetricsAlertingRule' ? { ...rule, alerts: [] } : rule,
    ),
  }))
}

function namedRuleGroups(
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
