/**
 * A prepared operation, and the same as one caller may run it: what preparation makes, and what pricing and execution
 * use.
 */
import type { DocumentNode, GraphQLError } from 'graphql'
import type { CompiledOperation } from '../../engine/index.ts'
import type { NormalisedOperation } from '../../engine/operation/normalised.ts'
import type { RefusedField } from '../../engine/response/index.ts'
import type { Identity } from '../../shared/identity.ts'
import type { OperationRequirements } from './authorize/index.ts'

export interface Operation {
  readonly text: string
  readonly document: DocumentNode
  readonly normalised: NormalisedOperation
  readonly name: string | undefined
  /** SHA-256 of the text, in hexadecimal: the name of a persisted operation. */
  readonly hash: string
  readonly requirements: OperationRequirements
  /** How often it was requested. */
  asked: number
  /** They represent each grant under which it was compiled: they hold the scopes, and no other data of anybody. */
  callers(): readonly Identity[]
  /**
   * What this caller may run of it, or the errors that refuse it as a whole. New work is done until the deadline (in
   * the time of `performance.now()`) at most. `context` is for the hook that decides policies.
   */
  grantedTo(identity: Identity, deadline?: number, context?: unknown): Granted | Promise<Granted>
  /** Refuses variables that request too many values; undefined if they do not. */
  readonly checkValues:
    | ((variables: Readonly<Record<string, unknown>>) => GraphQLError | undefined)
    | undefined
}

/** A prepared operation as one caller may run it. */
export interface GrantedOperation {
  readonly operation: Operation
  readonly compiled: CompiledOperation
  /** The part that is fetched; null if nothing remains. */
  readonly allowed: NormalisedOperation | null
  /** The fields refused to this caller: each is null, with an error. */
  readonly refusals: readonly RefusedField[]
  /** Errors to add to a response that is otherwise complete: refusals that are only reported. */
  readonly report: readonly GraphQLError[] | undefined
  /** The same with only the root fields of one response key. */
  only(responseKey: string): GrantedOperation
}

export type Granted = GrantedOperation | readonly GraphQLError[]

export function isRefused<T>(result: T | readonly GraphQLError[]): result is readonly GraphQLError[] {
  return Array.isArray(result)
}

/**
 * Recognises the errors of the fields that are refused to this caller, by the object in their extensions that says what
 * is missing: a subgraph may refuse fields in the same words.
 */
export function refusalsIn({
  refusals,
  report = [],
}: Pick<GrantedOperation, 'refusals' | 'report'>): (error: GraphQLError) => boolean {
  const own = new Set([...refusals, ...report].map(({ extensions }) => extensions.authorization))
  return ({ extensions: { authorization } }) => authorization !== undefined && own.has(authorization)
}
