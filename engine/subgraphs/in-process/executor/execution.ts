/**
 * One execution of an operation on a subgraph's schema: its errors, of which so many are made, because each costs a path
 * and a stack, and its bound on what is completed.
 */
import {
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isNonNullType,
  locatedError,
  type OperationDefinitionNode,
  responsePathAsArray,
} from 'graphql'
import type { ErrorBehavior } from '../../../../shared/graphql/error-behavior.ts'
import { mostErrors } from '../../../executor/error-list.ts'
import type { LaterFields } from '../../../executor/later-results.ts'
import { Later } from './later-results.ts'

export type Path = GraphQLResolveInfo['path']

/** The fields of one object; rejects or throws if a field that must not be null is. */
export type ObjectFields = (
  execution: SubgraphExecution,
  source: unknown,
  path: Path | undefined,
) => Record<string, unknown> | Promise<Record<string, unknown>>

/** What is known of the operation before it is executed. */
export interface Program {
  readonly schema: GraphQLSchema
  readonly operation: OperationDefinitionNode
  readonly fragments: GraphQLResolveInfo['fragments']
}

/** One field of one selection. */
export interface ExecutedField {
  readonly program: Program
  readonly key: string
  readonly nodes: readonly FieldNode[]
  readonly parent: GraphQLObjectType
  readonly definition: GraphQLField<unknown, unknown>
  /** By the types that its objects may have. */
  readonly objects: { get(type: GraphQLObjectType): ObjectFields | undefined }
  /** What of it may be answered later. */
  readonly later?: LaterFields | undefined
}

/** Errors of a list and of what stands around it may be made for one that is listed. */
const mostLocated = 4 * mostErrors

export class SubgraphExecution {
  readonly context: object
  readonly variables: Readonly<Record<string, unknown>>
  readonly onError: ErrorBehavior
  readonly errors: GraphQLError[] = []
  /** Whether there were more errors than were made. */
  moreErrors = false
  /** Whether the response became larger than it may be: what is not completed yet is null. */
  tooLarge = false
  /** Where something may be answered after the result. */
  later: Later | undefined
  #located = 0
  #bytesLeft: number
  #nulled: Set<Path | undefined> | undefined

  constructor(
    context: object,
    variables: Readonly<Record<string, unknown>>,
    mostBytes: number,
    onError: ErrorBehavior,
  ) {
    this.context = context
    this.variables = variables
    this.onError = onError
    this.#bytesLeft = mostBytes
  }

  /** From now on lists and fields may be answered after the result. */
  allowLater(): void {
    this.later = new Later(this.errors)
  }

  /** Counts a field and its value as they stand in JSON, or nearly so. */
  count(key: string, value: unknown): void {
    this.#bytesLeft -= key.length + (typeof value === 'string' ? value.length + 6 : 5)
    if (this.#bytesLeft < 0) this.tooLarge = true
  }

  /** Whether another error is to be made. Located errors count, those too that are replaced by one further up. */
  hasRoom(): boolean {
    this.#located += 1
    if (this.#located <= mostLocated) return true
    this.moreErrors = true
    return false
  }

  /** Below what is null already nothing more is reported. */
  add(error: GraphQLError, path: Path | undefined): void {
    if (error === unlisted) return
    this.#nulled ??= new Set()
    for (let at = path; at !== undefined; at = at.prev) if (this.#nulled.has(at)) return
    if (this.#nulled.has(undefined)) return
    this.#nulled.add(path)
    this.errors.push(error)
  }
}

export function infoOf(execution: SubgraphExecution, field: ExecutedField, path: Path): GraphQLResolveInfo {
  const { schema, fragments, operation } = field.program
  return {
    fieldName: field.definition.name,
    fieldNodes: field.nodes,
    returnType: field.definition.type,
    parentType: field.parent,
    path,
    schema,
    fragments,
    rootValue: undefined,
    operation,
    variableValues: execution.variables as Record<string, unknown>,
  } as GraphQLResolveInfo
}

/** Stands for the errors that are not made any more. One object: an error costs its stack. */
export const unlisted = new GraphQLError('There were more errors.')

/** Whether an error goes on to what the value of this type stands in. */
const goesOn = ({ onError }: SubgraphExecution, type: GraphQLOutputType): boolean =>
  onError === 'PROPAGATE' ? isNonNullType(type) : onError === 'HALT'

/** Null with an error; or the error goes on to what the value stands in. */
export function fail(
  execution: SubgraphExecution,
  field: ExecutedField,
  type: GraphQLOutputType,
  path: Path,
  reason: unknown,
): null {
  if (!execution.hasRoom()) {
    if (goesOn(execution, type)) throw unlisted
    return null
  }
  const error = locatedError(reason, field.nodes, responsePathAsArray(path))
  if (goesOn(execution, type)) throw error
  execution.add(error, path)
  return null
}
