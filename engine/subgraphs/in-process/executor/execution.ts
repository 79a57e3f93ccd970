/**
 * One execution of an operation on a subgraph's schema, with its limit on errors, each of which costs a path and a
 * stack, and its bound on completed data.
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

/** Completes the fields of one object. Throws or rejects if a non-null field is null. */
export type ObjectFields = (
  execution: SubgraphExecution,
  source: unknown,
  path: Path | undefined,
) => Record<string, unknown> | Promise<Record<string, unknown>>

/** The operation, independent of an execution. */
export interface Program {
  readonly schema: GraphQLSchema
  readonly operation: OperationDefinitionNode
  readonly fragments: GraphQLResolveInfo['fragments']
  /** The service behind the schema, if there is one. */
  readonly service: string | undefined
}

export interface ExecutedField {
  readonly program: Program
  readonly key: string
  readonly nodes: readonly FieldNode[]
  readonly parent: GraphQLObjectType
  readonly definition: GraphQLField<unknown, unknown>
  /** Whether its value is that of the property with its name: it has no resolver and no arguments. */
  readonly isProperty: boolean
  readonly isNullable: boolean
  /** Reads the arguments for the variables of an execution. Throws BAD_USER_INPUT if a value is invalid. */
  readonly readArguments: (variables: Readonly<Record<string, unknown>>) => Record<string, unknown>
  /** Whether a value is its own result, as most leaf values are. Undefined if no value is. */
  readonly isResult: ((value: unknown) => boolean) | undefined
  readonly objects: { get(type: GraphQLObjectType): ObjectFields | undefined }
  /** The fields below that may be delivered later. */
  readonly later?: LaterFields | undefined
}

/** Errors that are created although one further up may replace them. */
const mostLocated = 4 * mostErrors

export class SubgraphExecution {
  readonly context: object
  readonly variables: Readonly<Record<string, unknown>>
  readonly onError: ErrorBehavior
  readonly errors: GraphQLError[] = []
  moreErrors = false
  /** Whether the data exceeded its bound. Fields that are not completed yet become null. */
  tooLarge = false
  readonly later: Later | undefined
  #located = 0
  #bytesLeft: number
  #nulled: Set<Path | undefined> | undefined

  constructor(
    context: object,
    variables: Readonly<Record<string, unknown>>,
    mostBytes: number,
    onError: ErrorBehavior,
    hasLater: boolean,
  ) {
    this.context = context
    this.variables = variables
    this.onError = onError
    this.#bytesLeft = mostBytes
    this.later = hasLater ? new Later(this.errors) : undefined
  }

  /** Counts the approximate JSON size of a field and its value. */
  count(key: string, value: unknown): void {
    this.#bytesLeft -= key.length + (typeof value === 'string' ? value.length + 6 : 5)
    if (this.#bytesLeft < 0) this.tooLarge = true
  }

  /** Whether another error may be created. Errors that one further up replaces count as well. */
  hasRoom(): boolean {
    this.#located += 1
    if (this.#located <= mostLocated) return true
    this.moreErrors = true
    return false
  }

  /** Adds an error, unless a null further up has one already. */
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

/** Represents all omitted errors. One object, because each error costs a stack. */
export const unlisted = new GraphQLError('There were more errors.')

/** Whether an error propagates to the parent of a value of this type. */
const propagates = ({ onError }: SubgraphExecution, type: GraphQLOutputType): boolean =>
  onError === 'PROPAGATE' ? isNonNullType(type) : onError === 'HALT'

/** Returns null and reports the error, or throws it to propagate. */
export function fail(
  execution: SubgraphExecution,
  field: ExecutedField,
  type: GraphQLOutputType,
  path: Path,
  reason: unknown,
): null {
  if (!execution.hasRoom()) {
    if (propagates(execution, type)) throw unlisted
    return null
  }
  const error = locatedError(reason, field.nodes, responsePathAsArray(path))
  if (propagates(execution, type)) throw error
  execution.add(error, path)
  return null
}
