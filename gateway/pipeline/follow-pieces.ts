/**
 * Follows an operation after its first part. Errors in later pieces are masked like those of the first. The operation is
 * settled and reported when its last piece is made or the client has gone.
 */
import type { GraphQLError } from 'graphql'
import type { Batch, Pieces } from '../../engine/executor/incremental/index.ts'

export interface FollowedBatch extends Batch {
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** The next batch is requested when the one before it is sent. `close` ends the requests. */
export interface FollowedPieces {
  readonly pending: Pieces['pending']
  next(): Promise<FollowedBatch | undefined>
  close(): void
}

export interface FollowOptions {
  /** Gets each batch before it is sent. */
  took(batch: Batch): void
  mask(error: GraphQLError): GraphQLError
  /** Ends what is still fetched when no more is asked for. */
  cancel(): void
  /** Called once, when nothing is fetched any more, with the errors in all pieces; resolves with extensions of the last batch. */
  over(errors: readonly GraphQLError[]): Promise<Readonly<Record<string, unknown>> | undefined>
}

export function followPieces(pieces: Pieces, { took, mask, cancel, over }: FollowOptions): FollowedPieces {
  const errors: GraphQLError[] = []
  let isOver = false
  const end = async (): Promise<Readonly<Record<string, unknown>> | undefined> => {
    if (isOver) return undefined
    isOver = true
    // The units are known when the last call has ended, even if nobody waits for its result.
    const left = pieces.left()
    if (left !== undefined) {
      cancel()
      await left
    }
    return over(errors)
  }
  const masked = (some: readonly GraphQLError[]): readonly GraphQLError[] => {
    if (some.length === 0) return some
    const all = some.map(mask)
    errors.push(...all)
    return all
  }
  return {
    pending: pieces.pending,
    async next() {
      const batch = isOver ? undefined : await pieces.next()
      if (batch === undefined || isOver) {
        await end()
        return undefined
      }
      took(batch)
      const followed: Batch = {
        ...batch,
        pieces: batch.pieces.map((piece) => ({ ...piece, errors: masked(piece.errors) })),
        completed: batch.completed.map((each) =>
          each.errors === undefined ? each : { of: each.of, errors: masked(each.errors) },
        ),
      }
      if (batch.hasNext) return followed
      const extensions = await end()
      return extensions === undefined ? followed : { ...followed, extensions }
    },
    close() {
      void end()
    },
  }
}
