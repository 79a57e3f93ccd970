/**
 * What comes of an operation after its first part: errors are masked as those of the first part are, and when the last
 * piece is made or the client goes away, the operation is over: its price is settled, and it is reported.
 */
import type { GraphQLError } from 'graphql'
import type { Batch, Pieces } from '../../engine/executor/incremental/index.ts'

export interface FollowedBatch extends Batch {
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** Each batch is asked for when the one before is sent. `close` says that no more is asked for. */
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
    // What is spent is known when the last call is over, even if its result is not waited for.
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
