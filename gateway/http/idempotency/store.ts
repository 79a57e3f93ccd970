/** Where the outcomes of mutations are kept: in this process, or in Redis for several gateways. */
import { tesseraError } from '../../../contract/errors.ts'

export interface OutcomeStore {
  /**
   * Puts `next` in the place of `expected` for `forMs` milliseconds, if that is what is there, in one step; undefined
   * is nothing. Resolves to what was there before. Rejects with a `tesseraError` where the store cannot be reached or
   * takes no more.
   */
  swap(
    key: OutcomeKey,
    expected: string | undefined,
    next: string | undefined,
    forMs: number,
  ): Promise<string | undefined>
  /** The clock of all that use the store, in milliseconds since 1970; rejects where the store cannot be reached. */
  now(): Promise<number> | number
  close(): void
}

/** An idempotency key belongs to the caller who chose it. */
export interface OutcomeKey {
  /** A short text that stands for the caller. */
  readonly caller: string
  readonly key: string
}

export interface MemoryStoreOptions {
  /** The most characters of all that is kept. */
  readonly mostCharacters: number
  /** The most keys of one caller; beyond it those that were kept first and are finished are forgotten. 1,000. */
  readonly mostOfCaller?: number | undefined
}

interface Kept {
  readonly value: string
  readonly until: number
}

/** What an entry costs beside its texts. */
const entryCharacters = 200

export function createMemoryStore({ mostCharacters, mostOfCaller = 1000 }: MemoryStoreOptions): OutcomeStore {
  const callers = new Map<string, Map<string, Kept>>()
  let characters = 0
  /** Nothing ends before, so that a full store is not searched at each new key. */
  let firstEnd = Number.POSITIVE_INFINITY
  // Of this process alone, and setting the machine's clock changes nothing.
  const clock = (): number => Math.round(performance.timeOrigin + performance.now())

  const weight = (key: string, { value }: Kept): number => key.length + value.length + entryCharacters
  const remove = (caller: string, key: string): void => {
    const own = callers.get(caller)
    const known = own?.get(key)
    if (own === undefined || known === undefined) return
    own.delete(key)
    characters -= weight(key, known)
    if (own.size === 0) callers.delete(caller)
  }
  const removeEnded = (now: number): void => {
    if (now < firstEnd) return
    firstEnd = Number.POSITIVE_INFINITY
    for (const [caller, own] of callers)
      for (const [key, { until }] of own) {
        if (until <= now) remove(caller, key)
        else firstEnd = Math.min(firstEnd, until)
      }
  }
  /** Forgets the caller's oldest finished keys; what runs or is unknown is not forgotten before its time. */
  const makeRoom = (caller: string): void => {
    const own = callers.get(caller)
    if (own === undefined || own.size < mostOfCaller) return
    for (const [key, { value }] of own) {
      if (own.size < mostOfCaller) return
      if (isFinished(value)) remove(caller, key)
    }
    if (own.size >= mostOfCaller) throw full()
  }

  return {
    // Async so that both stores fail alike.
    async swap({ caller, key }, expected, next, forMs) {
      const now = clock()
      const known = callers.get(caller)?.get(key)
      const before = known === undefined || known.until <= now ? undefined : known.value
      if (before !== expected) return before
      remove(caller, key)
      if (next === undefined) return before
      const kept = { value: next, until: now + forMs }
      // Finishing is always possible: its room was taken when it began.
      if (before === undefined) {
        makeRoom(caller)
        if (characters + weight(key, kept) > mostCharacters) removeEnded(now)
        if (characters + weight(key, kept) > mostCharacters) throw full()
      }
      let own = callers.get(caller)
      if (own === undefined) {
        own = new Map()
        callers.set(caller, own)
      }
      own.set(key, kept)
      firstEnd = Math.min(firstEnd, kept.until)
      characters += weight(key, kept)
      return before
    },
    now: clock,
    close() {
      callers.clear()
      characters = 0
    },
  }
}

const isFinished = (value: string): boolean => !value.includes('"unknown"')

/** More keys than are kept, of which none is finished. */
export const full = () =>
  tesseraError('IDEMPOTENCY_UNAVAILABLE', 'Too many idempotency keys are kept; nothing was done.', {
    retryAfter: 60,
  })

/** For one of several processes that have no store together: what another one has executed is not known here. */
export function createNoOutcomes(): OutcomeStore {
  const unavailable = (): Promise<never> =>
    Promise.reject(
      tesseraError(
        'IDEMPOTENCY_UNAVAILABLE',
        'Idempotency keys need Redis if there are several workers; nothing was done.',
      ),
    )
  return { swap: unavailable, now: unavailable, close() {} }
}
