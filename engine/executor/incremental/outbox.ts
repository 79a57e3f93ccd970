/**
 * What was made and not taken yet: pieces leave in batches, each as soon as the client has the one before. What is made
 * in one turn of the event loop leaves together.
 */
import type { GraphQLError } from 'graphql'
import type { Batch, DataPiece, ItemsPiece, Path, Pending, Pieces } from './pieces.ts'

export interface Outbox {
  /** Tells that something is still to come. */
  announce(kind: Pending['kind'], label: string | undefined, path: Path): Pending
  send(piece: DataPiece | ItemsPiece): void
  /** Nothing more comes of it; with errors if it is lost. */
  complete(of: Pending, errors?: readonly GraphQLError[]): void
  /** Gives what there is to the client when this turn of the event loop is over, if it waits. */
  flushSoon(): void
  /** Whether nothing that was announced is still to come. */
  readonly isOver: boolean
  /** What was announced so far goes with the first part, everything else into batches. */
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

/** `rest` gives the errors that no piece has carried, for the last one. */
export function createOutbox(rest: () => readonly GraphQLError[]): Outbox {
  let ids = 0
  /** Of what was announced, how much is not over. */
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
      // What is there at once is announced all the same, and comes next.
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

/** Errors of what was never made come with the last piece, or with what was lost. */
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
