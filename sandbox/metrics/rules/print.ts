/** Rule groups and alerts as the rules and alerts endpoints print them. */
import { formatExponent } from '../number.ts'
import { type ActiveAlert, evaluatedAt, type GroupState, type RuleState } from './alerts.ts'

function printTime(milliseconds: number, nanoseconds: string): string {
  return new Date(milliseconds).toISOString().replace('Z', `${nanoseconds}Z`)
}

export function printAlert(alert: ActiveAlert, group: GroupState): object {
  const { labels, annotations, firing, activeAt, keptSince, value } = alert
  return {
    labels: Object.fromEntries(labels.pairs),
    annotations,
    state: firing ? 'firing' : 'pending',
    activeAt: printTime(activeAt, group.nanoseconds),
    keepFiringSince: keptSince === undefined ? undefined : printTime(keptSince, group.nanoseconds),
    value: formatExponent(value),
  }
}

export function printGroup(group: GroupState, rules: readonly RuleState[], excludeAlerts: boolean): object {
  const { name, file, interval } = group.definition
  const lastEvaluation = printTime(evaluatedAt(group), group.nanoseconds)
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
