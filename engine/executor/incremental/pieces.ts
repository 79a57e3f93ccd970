/** What an answer in pieces is made of, whatever form it is written in. */
import type { GraphQLError } from 'graphql'

export type Path = readonly (string | number)[]

/** A deferred fragment or a streamed list of which the client knows that something is still to come. */
export interface Pending {
  /** Unique in the answer. */
  readonly id: string
  readonly kind: 'defer' | 'stream'
  readonly label: string | undefined
  /** Where the fragment's object stands, or the list. */
  readonly path: Path
}

/** Fields of an object that stand at `path`. */
export interface DataPiece {
  readonly kind: 'data'
  /** What it belongs to; where it belongs to several, one that is over with it. */
  readonly of: Pending
  readonly path: Path
  readonly data: Readonly<Record<string, unknown>>
  readonly errors: readonly GraphQLError[]
}

/** Items that go to the end of a list. */
export interface ItemsPiece {
  readonly kind: 'items'
  readonly of: Pending
  /** The place of the first one in its list. */
  readonly index: number
  readonly items: readonly unknown[]
  readonly errors: readonly GraphQLError[]
}

/** What is announced at once. */
export interface Batch {
  readonly pending: readonly Pending[]
  readonly pieces: readonly (DataPiece | ItemsPiece)[]
  /** What nothing more comes of; with errors if it was lost: a null in it must not be. */
  readonly completed: readonly { readonly of: Pending; readonly errors?: readonly GraphQLError[] }[]
  readonly hasNext: boolean
}

export interface Pieces {
  /** What is announced with the first part. */
  readonly pending: readonly Pending[]
  /** The next batch, as soon as there is one; undefined after the last. Each is asked for when the one before is sent. */
  next(): Promise<Batch | undefined>
  /** Resolves when nothing is fetched for it any more; undefined if nothing is. Does not reject. */
  left(): Promise<void> | undefined
}

/** An answer in pieces: the part that comes first, and the others unless there are none. */
export interface AnswerInPieces {
  readonly data: Record<string, unknown> | null
  readonly errors?: readonly GraphQLError[] | undefined
  readonly pieces?: Pieces | undefined
}
