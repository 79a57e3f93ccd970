/** The filters of the rules endpoint. */
import { BadData } from '../errors.ts'
import { labelOf, labelsFrom } from '../labels.ts'
import { flag, malformed, wholeNumber } from '../parameters.ts'
import { parseExpression } from '../promql/index.ts'
import type { RuleState } from './alerts.ts'

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

export function ruleFiltersFrom(parameters: URLSearchParams): RuleFilters {
  const type = (parameters.get('type') ?? '').toLowerCase()
  if (type !== '' && type !== 'alert' && type !== 'record') {
    malformed('type', `not supported value ${JSON.stringify(parameters.get('type'))}`)
  }
  const groupLimit = wholeNumber(parameters, 'group_limit')
  const groupNextToken = parameters.get('group_next_token') ?? ''
  if (groupNextToken !== '' && groupLimit === undefined) {
    malformed('group_next_token', 'group_limit needs to be present in order to paginate over the groups')
  }
  if (groupLimit === 0) malformed('group_limit', 'group_limit value needs to be greater than zero')
  const given = (name: string): string[] => parameters.getAll(name).filter((value) => value !== '')
  return {
    type,
    names: given('rule_name[]'),
    groups: given('rule_group[]'),
    files: given('file[]'),
    excludeAlerts: flag(parameters, 'exclude_alerts'),
    selectors: parameters.getAll('match[]'),
    groupLimit,
    groupNextToken,
  }
}

export function createRuleFilter({ type, names, selectors }: RuleFilters): (rule: RuleState) => boolean {
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
