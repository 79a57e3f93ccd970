/** A prepared operation, and the same as one caller may run it: what preparing makes and pricing and executing use. */
import type { DocumentNode, GraphQLError, OperationDefinitionNode } from 'graphql'
import type { CompiledOperation } from '../../engine/index.ts'
import type { Refusal } from '../../engine/response/index.ts'
import type { Identity } from '../../shared/identity.ts'
import type { OperationRequirements } from './authorize/index.ts'

export interface Operation {
  readonly text: string
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
  readonly name: string | undefined
  /** SHA-256 of the text, in hexadecimal: the name of a persisted operation. */
  readonly hash: string
  readonly requirements: OperationRequirements
  /** How often it was asked for. */
  asked: number
  /** Callers that stand for each grant under which it was compiled: they hold the scopes, and nothing else of anybody. */
  callers(): readonly Identity[]
  /**
   * What this caller may run of it, or the errors that refuse it whole. What is new of it is prepared until the
   * deadline (in the time of `performance.now()`) at most. `context` is for the hook that decides policies.
   */
  grantedTo(identity: Identity, deadline?: number, context?: unknown): Granted | Promise<Granted>
  /** Refuses variables with which it asks for too many values; undefined if none do. */
  readonly checkValues:
    | ((variables: Readonly<Record<string, unknown>>) => GraphQLError | undefined)
    | undefined
}

/** A prepared operation as one caller may run it. */
export interface GrantedOperation {
  readonly operation: Operation
  readonly compiled: CompiledOperation
  /** What of the document is fetched; null is nothing. */
  readonly allowed: DocumentNode | null
  /** What is refused of it. */
  readonly refusals: readonly Refusal[]
  /** Errors to add to a response that is otherwise whole: refusals that are only reported. */
  readonly report: readonly GraphQLError[] | undefined
  /** The same with the root fields of one response key alone. */
  only(responseKey: string): GrantedOperation
}

export type Granted = GrantedOperation | readonly GraphQLError[]

export function isRefused<T>(result: T | readonly GraphQLError[]): result is readonly GraphQLError[] {
  return Array.isArray(result)
}
