/** The state of the rules between evaluations. */
import type { Labels } from '../labels.ts'
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
