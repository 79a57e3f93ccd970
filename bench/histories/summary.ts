/**
 * Summarizes many histories: operations, faults of each kind, violations, and the overdraft for each kind of fault.
 */
import { table } from '../report.ts'
import type { Verdict } from './check/index.ts'
import { type FaultName, faultKinds } from './nemesis.ts'
import type { Ending, History } from './record.ts'

/**
 * How much gateways without Redis may spend over the limit together, as docs/quota.md says: each has its share of
 * what was left when it last heard from the ledger.
 */
export const boundOf = (limit: number, gateways: number): number =>
  Math.floor((limit * (gateways - 1)) / gateways)

export interface Summary {
  /** `bound` is how many units over the limit were allowed if Redis was away. */
  add(history: History, verdict: Verdict, bound: number): void
  readonly violations: number
  /** As Markdown. */
  print(): string
}

/** The results of credentials that were used during faults of one kind. */
interface Met {
  injected: number
  credentials: number
  /** How many of them were refused units, so that spending over the limit could show. */
  exhausted: number
  overdrawn: number
  most: number
  missing: number
  violations: number
}

const fresh = (): Met => ({
  ...{ injected: 0, credentials: 0, exhausted: 0, overdrawn: 0, most: 0, missing: 0, violations: 0 },
})

export function createSummary(): Summary {
  let histories = 0
  let violations = 0
  let limit = 0
  let allowed = 0
  const endings: Record<Ending, number> = { done: 0, refused: 0, unknown: 0 }
  const kinds = new Map<string, number>()
  const codes = new Map<string, number>()
  /**
   * Histories with faults of one kind, and those with several. In the latter a credential counts for each kind that
   * it met.
   */
  const alone = new Map<string, Met>()
  const together = new Map<string, Met>()
  /** Changes that were asked back by an agent and then confirmed. */
  const confirmed = { changes: 0, attempts: 0, lost: 0 }
  const ledger = { credentials: 0, checked: 0, undecided: 0 }
  const count = (map: Map<string, number>, name: string): void => void map.set(name, (map.get(name) ?? 0) + 1)
  const listed = (map: ReadonlyMap<string, number>): string =>
    [...map]
      .sort(([, a], [, b]) => b - a)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ')

  function addFaults({ faults, attempts }: History, verdict: Verdict): void {
    const names = new Set(faults.map(({ kind }) => kind))
    const met = names.size > 1 ? together : alone
    const of = (kind: string): Met => {
      const known = met.get(kind) ?? fresh()
      met.set(kind, known)
      return known
    }
    for (const { kind } of faults) of(kind).injected += 1
    for (const kind of names) of(kind).violations += verdict.violations.length
    const exhausted = new Set(
      attempts
        .filter((attempt) => attempt.codes.includes('QUOTA_EXCEEDED'))
        .map(({ credential }) => credential),
    )
    for (const { credential, overdraw, missing, faults: own } of verdict.units) {
      for (const kind of new Set(own.map((fault) => fault.kind))) {
        const known = of(kind)
        known.credentials += 1
        known.exhausted += Number(exhausted.has(credential))
        known.overdrawn += Number(overdraw > 0)
        known.most = Math.max(known.most, overdraw)
        known.missing = Math.max(known.missing, missing)
      }
    }
  }

  function addConfirmed({ attempts }: History): void {
    const own = attempts.filter(({ key }) => key?.startsWith('confirmation of ') === true)
    confirmed.changes += new Set(own.map(({ key }) => key)).size
    confirmed.attempts += own.length
    confirmed.lost += own.filter(({ ending }) => ending === 'unknown').length
  }

  const tableOf = (met: ReadonlyMap<string, Met>): string =>
    table(
      [
        'fault',
        'injected',
        'credentials',
        'spent',
        'over',
        'most over',
        'bound',
        'count misses',
        'violations',
      ],
      (Object.keys(faultKinds) as FaultName[]).flatMap((kind) => {
        const known = met.get(kind)
        if (known === undefined) return []
        const { injected, credentials, exhausted, overdrawn, most, missing } = known
        // If other kinds occurred at the same time, their bound applies as well.
        const bound = faultKinds[kind].ofRedis || met === together ? allowed : 0
        const numbers = [injected, credentials, exhausted, overdrawn, most, bound, missing, known.violations]
        return [[kind, ...numbers.map(String)]]
      }),
    )

  return {
    get violations() {
      return violations
    },
    add(history, verdict, bound) {
      histories += 1
      violations += verdict.violations.length
      limit = history.limit
      allowed = bound
      ledger.credentials += verdict.units.length
      ledger.checked += verdict.ledger.checked
      ledger.undecided += verdict.ledger.undecided
      for (const attempt of history.attempts) {
        endings[attempt.ending] += 1
        count(kinds, attempt.kind)
        for (const code of attempt.codes) count(codes, code)
      }
      addConfirmed(history)
      addFaults(history, verdict)
    },
    print() {
      const operations = endings.done + endings.refused + endings.unknown
      const injected = [...alone.values(), ...together.values()].reduce((sum, met) => sum + met.injected, 0)
      const parts = [
        table(
          ['what', 'number'],
          [
            ['histories', String(histories)],
            ['operations', String(operations)],
            ['acknowledged', String(endings.done)],
            ['refused', String(endings.refused)],
            ['of unknown outcome', String(endings.unknown)],
            ['changes confirmed by agents', String(confirmed.changes)],
            ['attempts of these', String(confirmed.attempts)],
            ['of these of unknown outcome', String(confirmed.lost)],
            ['faults injected', String(injected)],
            ['credentials', String(ledger.credentials)],
            ['checked against one counter', String(ledger.checked)],
            ['of them undecided', String(ledger.undecided)],
            ['violations', String(violations)],
          ],
        ),
        `Operations: ${listed(kinds)}. Codes: ${codes.size === 0 ? 'none' : listed(codes)}.`,
      ]
      const columns = `The limit is ${limit} units of a credential. *Spent*: credentials that were refused units, so that an excess could show. *Over*: credentials that the service charged beyond the limit; *bound*: the declared bound. *Count misses*: the most units of one credential that the ledger did not know in the end.`
      if (alone.size > 0) parts.push('## Faults of one kind', columns, tableOf(alone))
      if (together.size > 0)
        parts.push(
          '## Faults of all kinds',
          'A credential, and a violation of its history, counts under every kind of fault that happened meanwhile.',
          tableOf(together),
        )
      return parts.join('\n\n')
    },
  }
}
