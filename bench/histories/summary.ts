/** What many histories come to: operations, faults of each kind, violations, and the overdraw under each fault. */
import type { Verdict } from './check/index.ts'
import type { Ending, History } from './record.ts'

/**
 * What gateways without Redis may spend over the limit together, as docs/quota.md declares it: each has its share of
 * what was left when it last heard from the ledger.
 */
export const boundOf = (limit: number, gateways: number): number =>
  Math.floor((limit * (gateways - 1)) / gateways)

export interface Summary {
  add(history: History, verdict: Verdict): void
  readonly violations: number
  print(): string
}

export function createSummary(): Summary {
  let histories = 0
  let violations = 0
  let credentials = 0
  const endings: Record<Ending, number> = { done: 0, refused: 0, unknown: 0 }
  const kinds = new Map<string, number>()
  const faults = new Map<string, number>()
  const codes = new Map<string, number>()
  /** By the kind of fault that it was met under, one credential under several. */
  const overdraws = new Map<string, { times: number; most: number; missing: number }>()
  const ledger = { checked: 0, undecided: 0 }
  const count = (map: Map<string, number>, name: string): void => void map.set(name, (map.get(name) ?? 0) + 1)
  const listed = (map: ReadonlyMap<string, number>): string =>
    [...map]
      .sort(([, a], [, b]) => b - a)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ')

  return {
    get violations() {
      return violations
    },
    add(history, verdict) {
      histories += 1
      violations += verdict.violations.length
      credentials += verdict.units.length
      ledger.checked += verdict.ledger.checked
      ledger.undecided += verdict.ledger.undecided
      for (const attempt of history.attempts) {
        endings[attempt.ending] += 1
        count(kinds, attempt.kind)
        for (const code of attempt.codes) count(codes, code)
      }
      for (const { kind } of history.faults) count(faults, kind)
      for (const { overdraw, missing, faults: met } of verdict.units) {
        for (const kind of new Set(met.map((fault) => fault.kind))) {
          const before = overdraws.get(kind) ?? { times: 0, most: 0, missing: 0 }
          overdraws.set(kind, {
            times: before.times + Number(overdraw > 0),
            most: Math.max(before.most, overdraw),
            missing: Math.max(before.missing, missing),
          })
        }
      }
    },
    print() {
      const operations = endings.done + endings.refused + endings.unknown
      const over = [...overdraws]
        .filter(([, { most, missing }]) => most > 0 || missing > 0)
        .map(
          ([kind, { times, most, missing }]) =>
            `${kind} ${times} times, at most ${most} (ledger misses ${missing})`,
        )
      return `
histories  ${histories}
operations ${operations}: ${endings.done} done, ${endings.refused} refused, ${endings.unknown} unknown
kinds      ${listed(kinds)}
codes      ${listed(codes)}
faults     ${listed(faults)}
ledgers    ${credentials} credentials; ${ledger.checked} held against a counter, ${ledger.undecided} of them undecided
overdraw   ${over.length === 0 ? 'none' : over.join('; ')}
violations ${violations}`
    },
  }
}
