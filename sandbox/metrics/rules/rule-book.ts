/**
 * Evaluates the sample rules at the interval of their groups. Evaluations are made up for when an endpoint is
 * called, so that an idle stand-in does nothing.
 */
import { createHash } from 'node:crypto'
import { BadData } from '../errors.ts'
import type { Series } from '../series.ts'
import { updateAlerts } from './alerts.ts'
import { type GroupDefinition, sampleGroups } from './definitions.ts'
import { createRuleFilter, type RuleFilters } from './filter.ts'
import { printAlert, printGroup } from './print.ts'
import { evaluateVector } from './recorded-series.ts'
import { evaluatedAt, type GroupState, type RuleState } from './state.ts'

export interface RuleBook {
  /** The content of `data` of the rules endpoint. */
  rules(filters: RuleFilters, now: number): object
  /** The content of `data` of the alerts endpoint. */
  alerts(now: number): object
  /** `{ fire: labels }` makes an alert fire that belongs to no rule, and `{ resolve: labels }` ends it. */
  change(change: Readonly<Record<string, unknown>>, now: number): void
}

/** How many evaluations precede the start of the stand-in, and how many are made up for after a pause. */
const pastEvaluations = 120

/** `series` has what the rules read, including the recorded series. */
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

  /** Alerts that `change` made fire, by their labels. */
  const forced = new Map<string, object>()

  function catchUp(now: number): void {
    for (const group of groups) {
      const current = tickAt(group.definition, group.phase, now)
      if (current - group.tick > pastEvaluations) group.tick = current - pastEvaluations
      while (group.tick < current) {
        group.tick++
        const began = performance.now()
        for (const rule of group.rules) evaluateRule(rule, evaluatedAt(group), series)
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
      return { alerts: [...alerts, ...forced.values()] }
    },
    change({ fire, resolve }, now) {
      const labels = fire ?? resolve
      if (typeof labels !== 'object' || labels === null) throw new Error('expected labels in fire or resolve')
      const key = JSON.stringify(Object.entries(labels).sort(([a], [b]) => compareText(a, b)))
      if (fire === undefined) {
        if (!forced.delete(key)) throw new Error('no alert with these labels was made to fire')
        return
      }
      const activeAt = new Date(now).toISOString()
      forced.set(key, { labels, annotations: {}, state: 'firing', activeAt, value: '1e+00' })
    },
  }
}

function tickAt(definition: GroupDefinition, phase: number, time: number): number {
  return Math.floor((time - phase) / (definition.interval * 1000))
}

function tokenOf({ definition }: GroupState): string {
  return createHash('sha256').update(`${definition.file};${definition.name}`).digest('hex')
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function evaluateRule(rule: RuleState, time: number, series: readonly Series[]): void {
  const began = performance.now()
  rule.lastError = undefined
  try {
    const elements = evaluateVector(rule.definition.query, time, series)
    if (rule.definition.kind === 'alerting') updateAlerts(rule.definition, rule.active, elements, time)
  } catch (cause) {
    rule.lastError = cause instanceof Error ? cause.message : 'evaluation failed'
  }
  rule.evaluationTime = (performance.now() - began) / 1000
}
