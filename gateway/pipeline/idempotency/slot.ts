/** One idempotency key as one request holds it: what earlier requests left under it, and what this one leaves. */
import { randomUUID } from 'node:crypto'
import type { GatewayRequest } from '../../../engine/request.ts'
import { pause } from '../../../shared/http/cancellation.ts'
import { type Entry, type Outcome, readEntry, writeEntry } from './entry.ts'
import type { OutcomeKey } from './memory.ts'
import { refused } from './refused.ts'
import type { OutcomeStore } from './store.ts'

export type Slot = ReturnType<typeof createSlot>

/** A gateway that ended is not waited for longer than this beyond its request's deadline. */
const graceMs = 2000
const firstWaitMs = 25
const longestWaitMs = 500

interface SlotRequest {
  readonly key: OutcomeKey
  /** A hash of what is asked for under the key. */
  readonly request: string
  /** The root fields that the key is for. */
  readonly fields: readonly string[]
  readonly by: GatewayRequest
}

/**
 * Takes the key for this request; waits while another request with it runs. Throws if the key stands for another
 * request, and if the other one runs for too long.
 */
export async function openSlot(
  store: OutcomeStore,
  keptMs: number,
  { key, request, fields, by }: SlotRequest,
): Promise<Slot> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    const now = await store.now()
    const own: Entry = {
      request,
      until: now + Math.max(0, by.deadline - performance.now()) + graceMs,
      attempt: randomUUID(),
      outcomes: Object.fromEntries(fields.map((field) => [field, { kind: 'unknown', since: now }])),
    }
    const text = writeEntry(own)
    const before = await store.swap(key, undefined, text, keptMs)
    if (before === undefined) return createSlot(store, key, text, own, {}, keptMs, now)
    const known = readEntry(before)
    if (known === undefined || known.request !== request) throw refused('IDEMPOTENCY_KEY_REUSED')
    if (known.until <= now) {
      const { outcomes } = known
      if (fields.every((field) => outcomes[field]?.kind === 'done'))
        return createSlot(store, key, before, known, outcomes, keptMs, now)
      const again = { ...own, outcomes: { ...own.outcomes, ...outcomes } }
      const written = writeEntry(again)
      if ((await store.swap(key, before, written, keptMs)) === before)
        return createSlot(store, key, written, again, outcomes, keptMs, now)
    }
    if (by.cancelled || performance.now() + waitMs >= by.deadline) throw refused('IDEMPOTENCY_KEY_IN_USE')
    try {
      await pause(waitMs, by)
    } catch {
      // Cancelled, or out of time.
      throw refused('IDEMPOTENCY_KEY_IN_USE')
    }
  }
}

function createSlot(
  store: OutcomeStore,
  key: OutcomeKey,
  text: string,
  entry: Entry,
  earlier: Readonly<Record<string, Outcome>>,
  keptMs: number,
  since: number,
) {
  let now = entry
  let written = text
  const begun = new Set(Object.keys(earlier))
  const openedAt = performance.now()
  const put = async (next: Entry): Promise<void> => {
    const left = Object.keys(next.outcomes).length > 0 || next.until > 0
    const wanted = left ? writeEntry(next) : undefined
    if (wanted === written) return
    let before: string | undefined
    try {
      before = await store.swap(key, written, wanted, keptMs)
    } catch {
      // The outcome stays unknown under the key, and a repeat finds it out; this request has its answer.
      return
    }
    // Another request took the key over after our time had passed. Its outcome counts.
    if (before !== written) return
    now = next
    written = wanted ?? ''
  }
  return {
    /** When this request took the key, by the clock of the store. */
    since,
    /** The time by that clock, which is not asked again: it may have gone away between two fields. */
    now: (): number => since + performance.now() - openedAt,
    /** What an earlier request left of the field. */
    earlier: (field: string): Outcome | undefined =>
      Object.hasOwn(earlier, field) ? earlier[field] : undefined,
    /** The field is executed from now on: whatever ends it, its outcome is unknown until it is saved. */
    begin: (field: string) => void begun.add(field),
    /** Keeps the outcome; undefined if nothing was changed. */
    async save(field: string, outcome: Outcome | undefined): Promise<void> {
      const { [field]: _, ...others } = now.outcomes
      const outcomes = outcome === undefined ? others : { ...others, [field]: outcome }
      if (outcome === undefined) begun.delete(field)
      await put({ ...now, outcomes })
    },
    /** The request has ended: what it has not begun changed nothing. */
    async end(): Promise<void> {
      if (now.until === 0) return
      const outcomes = Object.fromEntries(Object.entries(now.outcomes).filter(([field]) => begun.has(field)))
      await put({ ...now, until: 0, outcomes })
    },
  }
}
