/**
 * Payloads that were made and not sent yet. They leave in batches, each when the client has the previous one.
 * Payloads that are made in one turn of the event loop leave together.
 */
import type { GraphQLError } from 'graphql'
import type { Batch, DataPiece, ItemsPiece, Path, Pending, Pieces } from './pieces.ts'

interface OpenBatch {
  readonly pending: Pending[]
  readonly pieces: (DataPiece | ItemsPiece)[]
  readonly completed: { readonly of: Pending; readonly errors?: readonly GraphQLError[] }[]
}

const emptyBatch = (): OpenBatch => ({ pending: [], pieces: [], completed: [] })
const isEmpty = ({ pending, pieces, completed }: OpenBatch): boolean =>
  pending.length + pieces.length + completed.length === 0

export class Outbox {
  readonly #rest: () => readonly GraphQLError[]
  #ids = 0
  /** The announced fragments and lists that are not complete. */
  #open = 0
  #batch = emptyBatch()
  #waiting: ((batch: Batch | undefined) => void) | undefined
  #isFlushing = false
  #isEnded = false

  /** `rest` returns the errors that no payload has, for the last one. */
  constructor(rest: () => readonly GraphQLError[]) {
    this.#rest = rest
  }

  /** Announces an outstanding fragment or list. */
  announce(kind: Pending['kind'], label: string | undefined, path: Path): Pending {
    const pending: Pending = { id: String(this.#ids++), kind, label, path }
    this.#open += 1
    this.#batch.pending.push(pending)
    return pending
  }

  send(piece: DataPiece | ItemsPiece): void {
    this.#batch.pieces.push(piece)
  }

  /** Completes it; with errors if it is lost. */
  complete(of: Pending, errors?: readonly GraphQLError[]): void {
    this.#open -= 1
    this.#batch.completed.push(errors === undefined ? { of } : { of, errors })
  }

  /** Passes the batch to a waiting client at the end of this turn of the event loop. */
  flushSoon(): void {
    if (this.#isFlushing) return
    this.#isFlushing = true
    setImmediate(() => {
      this.#isFlushing = false
      const give = this.#waiting
      if (give === undefined || isEmpty(this.#batch)) return
      this.#waiting = undefined
      give(this.#take())
    })
  }

  /** Whether everything that was announced is complete. */
  get isOver(): boolean {
    return this.#open === 0
  }

  /** Takes the announcements for the first response. Everything else goes into batches. */
  begin(): Pick<Pieces, 'pending' | 'next'> {
    const { pending, pieces, completed } = this.#batch
    // Payloads that are ready already are announced as well, and sent next.
    this.#batch = { pending: [], pieces, completed }
    return { pending, next: () => this.#next() }
  }

  #next(): Promise<Batch | undefined> {
    if (this.#isEnded) return Promise.resolve(undefined)
    if (!isEmpty(this.#batch) && !this.#isFlushing) return Promise.resolve(this.#take())
    return new Promise((resolve) => {
      this.#waiting = resolve
      if (!isEmpty(this.#batch)) this.flushSoon()
    })
  }

  #take(): Batch {
    const hasNext = this.#open > 0
    if (!hasNext) {
      this.#isEnded = true
      addRest(this.#batch, this.#rest())
    }
    const whole: Batch = { ...this.#batch, hasNext }
    this.#batch = emptyBatch()
    return whole
  }
}

/** Adds the remaining errors to the last payload, or to a completion with errors. */
function addRest({ pieces, completed }: OpenBatch, left: readonly GraphQLError[]): void {
  if (left.length === 0) return
  const last = pieces.pop()
  if (last !== undefined) {
    pieces.push({ ...last, errors: [...last.errors, ...left] })
    return
  }
  const lostAt = completed.findIndex(({ errors }) => errors !== undefined)
  const at = Math.max(0, lostAt)
  const found = completed[at]
  if (found === undefined) return
  const { of, errors } = found
  if (errors !== undefined || of.kind === 'stream')
    completed[at] = { of, errors: [...(errors ?? []), ...left] }
  else pieces.push({ kind: 'data', of, path: of.path, data: {}, errors: left })
}
