/** The payloads of an incremental response, independent of their format. */
import type { GraphQLError } from 'graphql'

export type Path = readonly (string | number)[]

/** An announced fragment or list that is outstanding. */
export interface Pending {
  /** Unique in the response. */
  readonly id: string
  readonly kind: 'defer' | 'stream'
  readonly label: string | undefined
  /** The path of the fragment's object, or of the list. */
  readonly path: Path
}

/** Fields of the object at `path`. */
export interface DataPiece {
  readonly kind: 'data'
  /** The fragment that it belongs to. If it belongs to several, one that it completes. */
  readonly of: Pending
  readonly path: Path
  readonly data: Readonly<Record<string, unknown>>
  readonly errors: readonly GraphQLError[]
}

/** Items to append to a list. */
export interface ItemsPiece {
  readonly kind: 'items'
  readonly of: Pending
  /** The index of the first item. */
  readonly index: number
  readonly items: readonly unknown[]
  readonly errors: readonly GraphQLError[]
}

/** Payloads that are sent together. */
export interface Batch {
  readonly pending: readonly Pending[]
  readonly pieces: readonly (DataPiece | ItemsPiece)[]
  /** The fragments and lists that are complete. With errors if one is lost because of a null in a non-null position. */
  readonly completed: readonly { readonly of: Pending; readonly errors?: readonly GraphQLError[] }[]
  readonly hasNext: boolean
}

export interface Pieces {
  /** The announcements in the first response. */
  readonly pending: readonly Pending[]
  /** The next batch, or undefined after the last. Called again only when the previous one was sent. */
  next(): Promise<Batch | undefined>
  /** Resolves when no fetch is under way; undefined if none is. Does not reject. */
  left(): Promise<void> | undefined
}

/** An incremental response: the first payload, and the later ones if there are any. */
export interface AnswerInPieces {
  readonly data: Record<string, unknown> | null
  readonly errors?: readonly GraphQLError[] | undefined
  readonly pieces?: Pieces | undefined
}
