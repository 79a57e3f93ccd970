/**
 * Payloads that were made and not sent yet. They leave in batches, each when the client has the previous one.
 * Payloads that are made in one turn of the event loop leave together.
 */
import type { GraphQLError } from 'graphql'
import type { Batch, DataPiece, ItemsPiece, Path, Pending, Pieces } from './pieces.ts'

export interface Outbox {
  /** Announces an outstanding fragment or list. */
  announce(kind: Pending['kind'], label: string | undefined, path: Path): Pending
  send(piece: DataPiece | ItemsPiece): void
  /** Completes it; with errors if it is lost. */
  complete(of: Pending, errors?: readonly GraphQLError[]): void
  /** Passes the batch to a waiting client at the end of this turn of the event loop. */
  flushSoon(): void
  /** Whether everything that was announced is complete. */
  readonly isOver: boolean
  /** Takes the announcements for the first response. Everything else goes into batches. */
  begin(): Pick<Pieces, 'pending' | 'next'>
}

interface OpenBatch {
  readonly pending: Pending[]
  readonly pieces: (DataPiece | ItemsPiece)[]
  readonly completed: { readonly of: Pending; readonly errors?: readonly GraphQLError[] }[]
}

const emptyBatch = (): OpenBatch => ({ pending: [], pieces: [], completed: [] })
const isEmpty = ({ pending, pieces, completed }: OpenBatch): boolean =>
  pending.length + pieces.length + completed.length === 0

/** `rest` returns the errors that no payload has, for the last one. */
export function createOutbox(rest: () => readonly GraphQLError[]): Outbox {
  let ids = 0
  /** The announced fragments and lists that are not complete. */
  let open = 0
  let batch = emptyBatch()
  let waiting: ((batch: Batch | undefined) => void) | undefined
  let isFlushing = false
  let isEnded = false

  function takeBatch(): Batch {
    const hasNext = open > 0
    if (!hasNext) {
      isEnded = true
      addRest(batch, rest())
    }
    const whole: Batch = { ...batch, hasNext }
    batch = emptyBatch()
    return whole
  }

  function flushSoon(): void {
    if (isFlushing) return
    isFlushing = true
    setImmediate(() => {
      isFlushing = false
      if (waiting === undefined || isEmpty(batch)) return
      const give = waiting
      waiting = undefined
      give(takeBatch())
    })
  }

  return {
    announce(kind, label, path) {
      const pending: Pending = { id: String(ids++), kind, label, path }
      open += 1
      batch.pending.push(pending)
      return pending
    },
    send(piece) {
      batch.pieces.push(piece)
    },
    complete(of, errors) {
      open -= 1
      batch.completed.push(errors === undefined ? { of } : { of, errors })
    },
    flushSoon,
    get isOver() {
      return open === 0
    },
    begin() {
      const { pending } = batch
      // Payloads that are ready already are announced as well, and sent next.
      batch = { ...emptyBatch(), pieces: batch.pieces, completed: batch.completed }
      return {
        pending,
        next() {
          if (isEnded) return Promise.resolve(undefined)
          if (!isEmpty(batch) && !isFlushing) return Promise.resolve(takeBatch())
          return new Promise((resolve) => {
            waiting = resolve
            if (!isEmpty(batch)) flushSoon()
          })
        },
      }
    },
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
