/** The updates of an incremental response, independent of their format. */
import type { GraphQLError } from 'graphql'

export type Path = readonly (string | number)[]

/** An announced fragment or list that is outstanding. */
export interface PendingResult {
  /** Unique in the response. */
  readonly id: string
  readonly kind: 'defer' | 'stream'
  readonly label: string | undefined
  /** The path of the fragment's object, or of the list. */
  readonly path: Path
}

/** Fields of the object at `path`. */
interface IncrementalObjectResult {
  readonly kind: 'data'
  /** The fragment that it belongs to. If it belongs to several, one that it completes. */
  readonly of: PendingResult
  readonly path: Path
  readonly data: Readonly<Record<string, unknown>>
  readonly errors: readonly GraphQLError[]
}

/** Items to append to a list. */
interface IncrementalListResult {
  readonly kind: 'items'
  readonly of: PendingResult
  /** The index of the first item. */
  readonly index: number
  readonly items: readonly unknown[]
  readonly errors: readonly GraphQLError[]
}

export type IncrementalResult = IncrementalObjectResult | IncrementalListResult

/** One payload after the first: what is announced, delivered and completed together. */
export interface ExecutionUpdate {
  readonly pending: readonly PendingResult[]
  readonly incremental: readonly IncrementalResult[]
  /** The fragments and lists that are complete. With errors if one is lost because of a null in a non-null position. */
  readonly completed: readonly { readonly of: PendingResult; readonly errors?: readonly GraphQLError[] }[]
  readonly hasNext: boolean
}

export interface ExecutionUpdates {
  /** The announcements in the first response. */
  readonly pending: readonly PendingResult[]
  /** The next update, or undefined after the last. Called again only when the previous one was sent. */
  next(): Promise<ExecutionUpdate | undefined>
  /** Resolves when no fetch is under way; undefined if none is. Does not reject. */
  whenIdle(): Promise<void> | undefined
}

/** An incremental response: the first payload, and the later ones if there are any. */
export interface IncrementalExecutionResult {
  readonly data?: Record<string, unknown> | null | undefined
  readonly errors?: readonly GraphQLError[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
  readonly updates?: ExecutionUpdates | undefined
}
