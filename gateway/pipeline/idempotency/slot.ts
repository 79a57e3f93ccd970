/** One idempotency key while a request uses it: the outcomes of earlier requests, and those of this one. */
import { randomUUID } from 'node:crypto'
import type { GatewayRequest } from '../../../engine/request.ts'
import { pause } from '../../../shared/http/cancellation.ts'
import { type Entry, type Outcome, readEntry, writeEntry } from './entry.ts'
import { idempotencyError } from './errors.ts'
import type { OutcomeKey } from './memory.ts'
import type { OutcomeStore } from './store.ts'

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
    if (before === undefined)
      return new Slot(store, keptMs, { key, since: now, entry: own, text, earlier: {} })
    const known = readEntry(before)
    if (known === undefined || known.request !== request) throw idempotencyError('IDEMPOTENCY_KEY_REUSED')
    if (known.until <= now) {
      const earlier = known.outcomes
      if (fields.every((field) => earlier[field]?.kind === 'done'))
        return new Slot(store, keptMs, { key, since: now, entry: known, text: before, earlier })
      const entry = { ...own, outcomes: { ...own.outcomes, ...earlier } }
      const written = writeEntry(entry)
      if ((await store.swap(key, before, written, keptMs)) === before)
        return new Slot(store, keptMs, { key, since: now, entry, text: written, earlier })
    }
    if (by.cancelled || performance.now() + waitMs >= by.deadline)
      throw idempotencyError('IDEMPOTENCY_KEY_IN_USE')
    try {
      await pause(waitMs, by)
    } catch {
      // Cancelled, or out of time.
      throw idempotencyError('IDEMPOTENCY_KEY_IN_USE')
    }
  }
}

/** A key that this request has taken. */
interface TakenKey {
  readonly key: OutcomeKey
  /** When it was taken, by the clock of the store. */
  readonly since: number
  /** What the store has under the key since then, and its text. */
  readonly entry: Entry
  readonly text: string
  /** What earlier requests left, by root field. */
  readonly earlier: Readonly<Record<string, Outcome>>
}

export class Slot {
  readonly #store: OutcomeStore
  readonly #keptMs: number
  readonly #taken: TakenKey
  readonly #begun: Set<string>
  readonly #openedAt = performance.now()
  #entry: Entry
  /** The text of the entry; undefined after it was removed. */
  #written: string | undefined

  constructor(store: OutcomeStore, keptMs: number, taken: TakenKey) {
    this.#store = store
    this.#keptMs = keptMs
    this.#taken = taken
    this.#begun = new Set(Object.keys(taken.earlier))
    this.#entry = taken.entry
    this.#written = taken.text
  }

  /** When this request took the key, by the clock of the store. */
  get since(): number {
    return this.#taken.since
  }

  /** The time by that clock, which is not asked again: it may have gone away between two fields. */
  now(): number {
    return this.since + performance.now() - this.#openedAt
  }

  /** What an earlier request left of the field. */
  earlier(field: string): Outcome | undefined {
    const { earlier } = this.#taken
    return Object.hasOwn(earlier, field) ? earlier[field] : undefined
  }

  /** The field is executed from now on: whatever ends it, its outcome is unknown until it is saved. */
  begin(field: string): void {
    this.#begun.add(field)
  }

  /** Keeps the outcome; undefined if nothing was changed. */
  async save(field: string, outcome: Outcome | undefined): Promise<void> {
    const { [field]: _, ...others } = this.#entry.outcomes
    const outcomes = outcome === undefined ? others : { ...others, [field]: outcome }
    if (outcome === undefined) this.#begun.delete(field)
    await this.#put({ ...this.#entry, outcomes })
  }

  /** The request has ended: what it has not begun changed nothing. */
  async end(): Promise<void> {
    const { until, outcomes: all } = this.#entry
    if (until === 0) return
    const outcomes = Object.fromEntries(Object.entries(all).filter(([field]) => this.#begun.has(field)))
    await this.#put({ ...this.#entry, until: 0, outcomes })
  }

  async #put(next: Entry): Promise<void> {
    const isLeft = Object.keys(next.outcomes).length > 0 || next.until > 0
    const wanted = isLeft ? writeEntry(next) : undefined
    if (wanted === this.#written) return
    let before: string | undefined
    try {
      before = await this.#store.swap(this.#taken.key, this.#written, wanted, this.#keptMs)
    } catch {
      // The outcome stays unknown under the key, and a repeat finds it out; this request has its answer.
      return
    }
    // Another request took the key over after our time had passed. Its outcome counts.
    if (before !== this.#written) return
    this.#entry = next
    this.#written = wanted
  }
}
