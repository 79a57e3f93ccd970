/** The outcomes of mutations in the memory of one process, by caller. */
import { processClock } from '../../stores/index.ts'
import { withoutAnswers } from './entry.ts'

/** An idempotency key belongs to the caller who chose it. */
export interface OutcomeKey {
  /** A short text that stands for the caller. */
  readonly caller: string
  readonly key: string
}

export interface OutcomeBounds {
  /** The most characters that one process stores; in Redis, the most bytes of one caller. */
  readonly mostCharacters: number
  /** The most characters of one caller; a quarter of `mostCharacters` by default. */
  readonly mostOfCaller?: number | undefined
  /** The most keys of one caller in Redis; beyond it new ones are refused. 100,000 by default. */
  readonly mostKeys?: number | undefined
}

export interface Swap extends OutcomeKey, OutcomeBounds {
  readonly expected: string | undefined
  readonly next: string | undefined
  readonly forMs: number
}

export interface Swapped {
  readonly before: string | undefined
  /** Nothing was stored, because the bound of the caller or of all callers is reached. */
  readonly isFull: boolean
}

interface Kept {
  readonly value: string
  readonly until: number
}

/** The outcomes of one caller, oldest first. */
class Share {
  readonly kept = new Map<string, Kept>()
  /** Keys of outcomes whose answers can be dropped. */
  readonly answers = new Set<string>()
  characters = 0
}

/** The characters that an entry counts in addition to its texts. */
const entryCharacters = 200

export type OutcomeMemory = ReturnType<typeof createOutcomeMemory>

export function createOutcomeMemory({
  mostCharacters,
  mostOfCaller = Math.ceil(mostCharacters / 4),
}: OutcomeBounds) {
  const shares = new Map<string, Share>()
  let characters = 0
  /** The earliest end of any outcome, so that a full store is not searched for each new key. */
  let firstEnd = Number.POSITIVE_INFINITY

  const weight = (key: string, { value }: Kept): number => key.length + value.length + entryCharacters
  const add = (share: Share, by: number): void => {
    share.characters += by
    characters += by
  }
  const remove = (caller: string, key: string): void => {
    const share = shares.get(caller)
    const known = share?.kept.get(key)
    if (share === undefined || known === undefined) return
    share.kept.delete(key)
    share.answers.delete(key)
    add(share, -weight(key, known))
    if (share.kept.size === 0) shares.delete(caller)
  }
  const removeEnded = (now: number): void => {
    if (now < firstEnd) return
    firstEnd = Number.POSITIVE_INFINITY
    for (const [caller, { kept }] of shares)
      for (const [key, { until }] of kept) {
        if (until <= now) remove(caller, key)
        else firstEnd = Math.min(firstEnd, until)
      }
  }
  /** Drops the oldest answers of a caller until `fits` returns true. */
  const dropAnswers = (share: Share, fits: () => boolean): void => {
    for (const key of share.answers) {
      if (fits()) return
      share.answers.delete(key)
      const known = share.kept.get(key)
      const value = known && withoutAnswers(known.value)
      if (known === undefined || value === undefined) continue
      add(share, value.length - known.value.length)
      share.kept.set(key, { ...known, value })
    }
  }
  const heaviest = (): Share | undefined => {
    let found: Share | undefined
    for (const share of shares.values())
      if (share.answers.size > 0 && share.characters > (found?.characters ?? 0)) found = share
    return found
  }
  const makeRoom = (share: Share, more: number, now: number): boolean => {
    const fitsShare = (): boolean => share.characters + more <= mostOfCaller
    const fits = (): boolean => characters + more <= mostCharacters
    if (!fitsShare() || !fits()) removeEnded(now)
    dropAnswers(share, fitsShare)
    for (let other = heaviest(); !fits() && other !== undefined; other = heaviest()) dropAnswers(other, fits)
    return fitsShare() && fits()
  }

  return {
    swap({ caller, key, expected, next, forMs }: Swap): Swapped {
      const now = processClock()
      const known = shares.get(caller)?.kept.get(key)
      const before = known === undefined || known.until <= now ? undefined : known.value
      if (before !== expected) return { before, isFull: false }
      remove(caller, key)
      if (next === undefined) return { before, isFull: false }
      const kept = { value: next, until: now + forMs }
      const share = shares.get(caller) ?? new Share()
      // A mutation that has begun can always be finished, if necessary without its answer.
      if (!makeRoom(share, weight(key, kept), now) && before === undefined) return { before, isFull: true }
      shares.set(caller, share)
      share.kept.set(key, kept)
      add(share, weight(key, kept))
      if (withoutAnswers(next) !== undefined) share.answers.add(key)
      dropAnswers(share, () => share.characters <= mostOfCaller && characters <= mostCharacters)
      firstEnd = Math.min(firstEnd, kept.until)
      return { before, isFull: false }
    },
  }
}
