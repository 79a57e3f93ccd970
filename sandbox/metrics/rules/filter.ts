/** The filters of the rules endpoint. */
import { BadData } from '../errors.ts'
import { labelOf, labelsFrom } from '../labels.ts'
import { parseExpression } from '../promql/index.ts'
import type { RuleState } from './state.ts'

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
