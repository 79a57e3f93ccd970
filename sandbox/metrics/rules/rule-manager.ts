/**
 * Evaluates the sample rules at the interval of their groups. Evaluations are made up for when an endpoint is
 * called, so that an idle stand-in does nothing.
 */
import { createHash } from 'node:crypto'
import { BadData } from '../errors.ts'
import type { Series } from '../series.ts'
import { evaluatedAt, type GroupState, type RuleState, updateAlerts } from './alerts.ts'
import { type GroupDefinition, sampleGroups } from './definitions.ts'
import { createRuleFilter, type RuleFilters } from './filter.ts'
import { printAlert, printGroup } from './print.ts'
import { evaluateVector } from './recorded-series.ts'

/** How many evaluations precede the start of the stand-in, and how many are made up for after a pause. */
const pastEvaluations = 120

export class RuleManager {
  readonly #series: readonly Series[]
  readonly #groups: readonly GroupState[]
  /** Alerts that `change` made fire, by their labels. */
  readonly #forced = new Map<string, object>()

  /** `series` has what the rules read, including the recorded series. */
  constructor(series: readonly Series[], started: number) {
    this.#series = series
    this.#groups = sampleGroups
      .map((definition) => groupOf(definition, started))
      .sort(
        ({ definition: a }, { definition: b }) => compareText(a.file, b.file) || compareText(a.name, b.name),
      )
  }

  rules(filters: RuleFilters, now: number): object {
    this.#catchUp(now)
    const isWanted = createRuleFilter(filters)
    const matching = this.#groups.flatMap((group) => {
      const { name, file } = group.definition
      if (filters.groups.length > 0 && !filters.groups.includes(name)) return []
      if (filters.files.length > 0 && !filters.files.includes(file)) return []
      const rules = group.rules.filter(isWanted)
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
      groupNextToken: following && tokenOf(following),
    }
  }

  alerts(now: number): object {
    this.#catchUp(now)
    const alerts = this.#groups.flatMap((group) =>
      group.rules.flatMap((rule) => [...rule.active.values()].map((one) => printAlert(one, group))),
    )
    return { alerts: [...alerts, ...this.#forced.values()] }
  }

  /** `{ fire: labels }` makes an alert fire that belongs to no rule, and `{ resolve: labels }` ends it. */
  change({ fire, resolve }: Readonly<Record<string, unknown>>, now: number): void {
    const labels = fire ?? resolve
    if (typeof labels !== 'object' || labels === null) throw new Error('expected labels in fire or resolve')
    const key = JSON.stringify(Object.entries(labels).sort(([a], [b]) => compareText(a, b)))
    if (fire === undefined) {
      if (!this.#forced.delete(key)) throw new Error('no alert with these labels was made to fire')
      return
    }
    const activeAt = new Date(now).toISOString()
    this.#forced.set(key, { labels, annotations: {}, state: 'firing', activeAt, value: '1e+00' })
  }

  #catchUp(now: number): void {
    for (const group of this.#groups) {
      const current = tickAt(group.definition, group.phase, now)
      if (current - group.tick > pastEvaluations) group.tick = current - pastEvaluations
      while (group.tick < current) {
        group.tick++
        const began = performance.now()
        for (const rule of group.rules) {
          // What a recording rule writes is computed when it is read, so that only its last evaluation shows.
          if (group.tick === current || rule.definition.kind === 'alerting')
            evaluateRule(rule, evaluatedAt(group), this.#series)
        }
        group.evaluationTime = (performance.now() - began) / 1000
      }
    }
  }
}

function groupOf(definition: GroupDefinition, started: number): GroupState {
  const digest = createHash('sha256').update(`${definition.file};${definition.name}`).digest()
  const phase = digest.readUInt32BE(0) % (definition.interval * 1000)
  const rules = definition.rules.map(
    (rule): RuleState => ({ definition: rule, active: new Map(), lastError: undefined, evaluationTime: 0 }),
  )
  const tick = tickAt(definition, phase, started) - pastEvaluations
  const nanoseconds = String(digest.readUInt32BE(4) % 1_000_000).padStart(6, '0')
  return { definition, rules, phase, nanoseconds, tick, evaluationTime: 0 }
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
