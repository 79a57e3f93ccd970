/**
 * Caches variants of an operation that depend on the variables or labels of a request. A variant is made when a request
 * needs it. It takes its turn like a new operation, because clients choose the values. The last few are kept.
 */
import { LRUCache } from 'lru-cache'
import { tesseraError } from '../../shared/errors.ts'
import { createWeight, type NoteBytes, type Weight } from '../cache-memory.ts'
import { PlanBoundError, type Planning } from '../planner/index.ts'

/**
 * Makes a function that prepares an operation during a request, immediately or in its turn. Equal work, by key, is
 * done once for all requests that wait for it. It throws or rejects if the work would begin after the deadline, in
 * milliseconds of `performance.now()`.
 */
export type Prepare = <Made>() => (
  key: string,
  deadline: number,
  work: () => Planning<Made>,
) => Made | Promise<Made>

interface Kept<Made> {
  /** The variant, or the error if it cannot be made. */
  readonly made: { readonly variant: Made } | { readonly failure: unknown }
  readonly weight: Weight
}

/** The most variants of an operation that are kept. */
const mostVariants = 16

export class VariantCache<Made> {
  readonly #prepareOnce
  readonly #noteBytes: NoteBytes
  readonly #kept = new LRUCache<string, Kept<Made>>({
    max: mostVariants,
    dispose: ({ weight }) => weight.release(),
  })

  constructor(prepare: Prepare, noteBytes: NoteBytes) {
    this.#prepareOnce = prepare<Kept<Made>>()
    this.#noteBytes = noteBytes
  }

  /** The variant with this key. `make` gets the function that receives the bytes of what it keeps. */
  async get(key: string, deadline: number, make: (noteBytes: NoteBytes) => Planning<Made>): Promise<Made> {
    try {
      const kept = this.#kept.get(key)
      const { made } = kept ?? (await this.#prepareOnce(key, deadline, () => this.#keep(key, make)))
      if ('failure' in made) throw made.failure
      return made.variant
    } catch (error) {
      throw asRefusal(error)
    }
  }

  /** An error is kept as well, because a second attempt would take as long. */
  *#keep(key: string, make: (noteBytes: NoteBytes) => Planning<Made>): Planning<Kept<Made>> {
    // Another request may have made it meanwhile.
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const weight = createWeight(this.#noteBytes)
    let made: Kept<Made>['made']
    try {
      made = { variant: yield* make(weight.note) }
    } catch (failure) {
      weight.release()
      if (isLate(failure)) throw failure
      made = { failure }
    }
    const kept = { made, weight }
    this.#kept.set(key, kept)
    return kept
  }
}

/** Whether planning ended for lack of time. Another request may have more. */
export const isLate = (error: unknown): boolean => error instanceof PlanBoundError && error.ofTime

/** The error for a request whose operation cannot be planned within the bounds. Other errors are returned unchanged. */
export function asRefusal(error: unknown): unknown {
  return error instanceof PlanBoundError
    ? tesseraError('OPERATION_TOO_LARGE', error.message, { cause: error })
    : error
}
