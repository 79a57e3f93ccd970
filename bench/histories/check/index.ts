/** Decides whether a history is possible for a gateway that keeps its promises. */
import type { History } from '../record.ts'
import {
  type CredentialUnits,
  counterVerdicts,
  type LedgerVerdicts,
  openTaps,
  unitsOf,
  wrongRefusals,
  wrongUnits,
} from './units.ts'
import { defects, differingAnswers, wrongWrites } from './writes.ts'

export { shutWithinMs } from './units.ts'

export interface Verdict {
  readonly violations: readonly string[]
  readonly units: readonly CredentialUnits[]
  readonly ledger: LedgerVerdicts
}

/** `bound` is how many units may be spent over the limit while gateways are without Redis. */
export function check(history: History, bound: number): Verdict {
  const units = unitsOf(history)
  const ledger = counterVerdicts(history, units)
  return {
    units,
    ledger,
    violations: [
      ...wrongWrites(history),
      ...differingAnswers(history),
      ...defects(history),
      ...wrongUnits(units, bound),
      ...openTaps(history, units),
      ...wrongRefusals(history),
      ...ledger.impossible,
    ],
  }
}
