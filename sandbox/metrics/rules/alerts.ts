/**
 * The state of the rules between evaluations, and the life cycle of alerts: pending while their expression holds,
 * firing after `for`, removed when it stops holding.
 */
import type { Element } from '../evaluate/index.ts'
import { type Labels, labelOf, setLabel, withoutName } from '../labels.ts'
import { formatFloat } from '../number.ts'
import type { AlertingDefinition, GroupDefinition, Pairs, RecordingDefinition } from './definitions.ts'

export interface ActiveAlert {
  readonly labels: Labels
  readonly annotations: Pairs
  readonly value: number
  readonly activeAt: number
  readonly firing: boolean
  keptSince: number | undefined
}
export interface RuleState {
  readonly definition: AlertingDefinition | RecordingDefinition
  readonly active: Map<string, ActiveAlert>
  lastError: string | undefined
  evaluationTime: number
}
export interface GroupState {
  readonly definition: GroupDefinition
  readonly rules: readonly RuleState[]
  /** The offset of the evaluations within the interval, in milliseconds. It differs between groups. */
  readonly phase: number
  /** The last six digits of printed times. */
  readonly nanoseconds: string
  /** The number of the last evaluation. */
  tick: number
  evaluationTime: number
}

/** When a group was evaluated last, in milliseconds. */
export function evaluatedAt(group: GroupState): number {
  return group.tick * group.definition.interval * 1000 + group.phase
}

/** Updates the active alerts of a rule to the elements of its expression at this time. */
export function updateAlerts(
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
    const { activeAt, firing } = active.get(full.key) ?? { activeAt: time, firing: false }
    active.set(full.key, {
      ...{ labels: full, annotations, value, activeAt },
      firing: firing || time - activeAt >= definition.for * 1000,
      keptSince: undefined,
    })
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
