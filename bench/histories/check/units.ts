/**
 * Checks the units of each credential: what the service charged against the limit and against the ledger, what the
 * ledger said meanwhile, and what refusals say. Nothing is charged after the service itself has said that nothing
 * is left.
 */
import type { Attempt, FaultRecord, History } from '../record.ts'
import type { CounterInput } from './linearizable.ts'
import { counter, isLinearizable, type Operation } from './linearizable.ts'
import { grouped } from './writes.ts'

export interface CredentialUnits {
  readonly credential: string
  readonly charged: number
  readonly overdraw: number
  /** By how many units the ledger, including reservations, is below the service. */
  readonly missing: number
  /** The kinds of faults while the credential was used. */
  readonly faults: readonly FaultRecord[]
}

/**
 * How long after a fault of Redis a gateway may still be without it, in milliseconds. It leaves a primary that has
 * become a replica at its next write, which is its announcement after at most 10 s, and tries again after at most 3
 * s.
 */
export const redisOutlastsMs = 13_000

export function unitsOf(history: History): readonly CredentialUnits[] {
  const { attempts, charges, faults, books, limit } = history
  const charged = new Map<string, number>()
  for (const { credential, units } of charges) charged.set(credential, (charged.get(credential) ?? 0) + units)
  return [...grouped(attempts, ({ credential }) => credential)].map(([credential, own]) => {
    const from = Math.min(...own.map(({ invoked }) => invoked))
    const to = Math.max(
      ...own.map(({ invoked, completed }) => (Number.isFinite(completed) ? completed : invoked)),
    )
    const units = charged.get(credential) ?? 0
    const book = books.get(credential)
    const promised = book === undefined ? 0 : limit - book.remaining
    return {
      credential,
      charged: units,
      overdraw: Math.max(0, units - limit),
      missing: book === undefined ? 0 : Math.max(0, units - Math.max(promised, book.used)),
      faults: faults.filter(
        ({ began, ended, ofRedis }) => began <= to && ended + (ofRedis ? redisOutlastsMs : 0) >= from,
      ),
    }
  })
}

/** `bound` is the declared bound for gateways that are without Redis for a while. */
export function* wrongUnits(units: readonly CredentialUnits[], bound: number): Generator<string> {
  for (const { credential, charged, overdraw, missing, faults } of units) {
    const withoutRedis = faults.some(({ ofRedis }) => ofRedis)
    const met = [...new Set(faults.map(({ kind }) => kind))].join(', ') || 'none'
    if (overdraw > (withoutRedis ? bound : 0))
      yield `${credential}: ${charged} units were charged, ${overdraw} over the limit (faults: ${met})`
    // A gateway that dies takes what it spent without Redis with it, if it had not reported it yet.
    const mayMiss = withoutRedis && faults.some(({ kind }) => kind === 'kill-gateway')
    if (missing > 0 && !mayMiss)
      yield `${credential}: the ledger misses ${missing} of ${charged} units (faults: ${met})`
  }
}

/** How soon after the service's own refusal every gateway must know it, in milliseconds. */
export const shutWithinMs = 1500

export function* openTaps({ charges, shuts }: History, units: readonly CredentialUnits[]): Generator<string> {
  for (const { credential, place } of shuts) {
    if (units.find((each) => each.credential === credential)?.faults.some(({ ofRedis }) => ofRedis)) continue
    const later = charges.filter((charge) => charge.credential === credential && charge.place > place)
    if (later.length > 0)
      yield `${credential}: ${later.length} calls were charged although the service had said that nothing is left`
  }
}

export function* wrongRefusals({ attempts, limit }: History): Generator<string> {
  const ends = new Set<unknown>()
  for (const { codes, refusal, effect } of attempts) {
    if (!codes.includes('QUOTA_EXCEEDED')) continue
    const { estimated, maximum, remaining, resetsAt } = refusal ?? {}
    const hasNumbers =
      typeof estimated === 'number' &&
      (typeof maximum === 'number' || maximum === null) &&
      typeof remaining === 'number' &&
      typeof resetsAt === 'string'
    if (!hasNumbers) yield `${effect}: a refusal has not all numbers: ${JSON.stringify(refusal)}`
    else if (remaining < 0 || remaining > limit || (remaining >= estimated && remaining > 0))
      yield `${effect}: a refusal of ${estimated} units says that ${remaining} are left`
    if (resetsAt !== undefined) ends.add(resetsAt)
  }
  if (ends.size > 1) yield `refusals name ${ends.size} ends of the day: ${[...ends].join(', ')}`
}

export interface LedgerVerdicts {
  readonly checked: number
  readonly undecided: number
  readonly impossible: readonly string[]
}

/** Whether the ledger behaved like one counter, for credentials during which every gateway had Redis. */
export function counterVerdicts(history: History, units: readonly CredentialUnits[]): LedgerVerdicts {
  let checked = 0
  let undecided = 0
  const impossible: string[] = []
  const byCredential = grouped(history.attempts, ({ credential }) => credential)
  for (const { credential, faults } of units) {
    if (faults.some(({ ofRedis }) => ofRedis)) continue
    const operations = (byCredential.get(credential) ?? []).flatMap(operationOf)
    const verdict = isLinearizable(operations, counter)
    checked += 1
    if (verdict === 'undecided') undecided += 1
    if (verdict === 'impossible') impossible.push(`${credential}: what the ledger said was never so`)
  }
  return { checked, undecided, impossible }
}

function operationOf({ invoked, completed, spent, most, ledger }: Attempt): Operation<CounterInput>[] {
  if (ledger !== undefined) return [{ input: { read: ledger.used }, invoked, completed }]
  if (spent !== undefined) return spent === 0 ? [] : [{ input: { add: [spent, spent] }, invoked, completed }]
  return most === 0 ? [] : [{ input: { add: [0, most] }, invoked, completed: Number.POSITIVE_INFINITY }]
}
