/**
 * The response of an operation, made from the operation as the client wrote it. The data that a plan brings together
 * holds more than was requested and nothing about what was refused; out of it comes exactly the response.
 *
 * `complete` is exact in every case: nulls that propagate, errors, refusals. `write` makes the JSON text in one pass, if
 * there is a writer for it and the execution had no error; it gives way to `complete`.
 */
import type { DocumentNode, FieldNode, GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import type { ByteString } from '../../shared/json/byte-string.ts'
import type { Execution, JsonObject } from '../executor/execution.ts'
import type { NoteKept } from '../kept-memory.ts'
import type { Variables } from '../operation/variables.ts'
import {
  Completion,
  complete,
  completeGroup,
  type Introspect,
  type Later,
  type LaterGroup,
  type LaterItems,
  refusedRoots,
} from './complete.ts'
import { ownerOf } from './owner.ts'
import type { RefusedField } from './refused-field.ts'
import { type ResponsePosition, shapeTree, type ValueShape } from './shape.ts'
import { visiblePath } from './visible-path.ts'
import { completeAll, type WriteResponse } from './write.ts'

export type { Later, LaterGroup, LaterItems } from './complete.ts'
export type { RefusedField } from './refused-field.ts'
export {
  type FieldShape,
  type ObjectShape,
  type ResponsePosition,
  shapeTree,
  type ValueShape,
} from './shape.ts'
export { completeAll, type WriteResponse } from './write.ts'

export interface ResponseShape {
  /** The response's data. Errors that it finds are added to the execution's. */
  complete(execution: Execution): JsonObject | null
  /** The JSON of the response's data; undefined if only `complete` can make it. */
  write(execution: Pick<Execution, 'data' | 'errors' | 'variables'>): ByteString | undefined
  /** What is refused at the root before anything is fetched. */
  refusedRoots(variables: Variables): readonly GraphQLError[]
  /** An error's path without what the client did not ask for. */
  visiblePath(path: readonly (string | number)[]): readonly (string | number)[]
  /** Where the response begins. */
  root(): ResponsePosition
  /** A part of an object, of an operation that is divided into parts; the root's first part if none is named. */
  completeGroup(
    group: Omit<LaterGroup, 'deliveryGroup'> & { readonly deliveryGroup?: string },
    execution: Execution,
    later: Later,
  ): JsonObject | null
  /** An item of a streamed list; undefined if its null takes the list along. */
  completeItem(items: LaterItems, index: number, value: unknown, execution: Execution, later: Later): unknown
  /** The part or the streamed list that something at this path belongs to; undefined: what comes first. */
  ownerOf(
    path: readonly (string | number)[],
  ): { readonly name: string; readonly path: readonly (string | number)[] } | undefined
}

export interface ResponseShapeOptions {
  readonly schema: GraphQLSchema
  /** As the client sent it. */
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly refusals: readonly RefusedField[]
  /** Answers fields of introspection. */
  readonly introspect: (nodes: readonly FieldNode[], variables: Variables) => unknown
  /** Values of enums that exist and that clients must not see; they become null without an error. */
  readonly isHiddenValue?: ((enumName: string, value: string) => boolean) | undefined
  /** Gets the weight of what is made of the shape. */
  readonly noteKept?: NoteKept | undefined
  /** Makes the JSON of data that came without an error; all of it is completed first by default. */
  readonly writeResponse?: WriteResponse | undefined
}

export function createResponseShape(options: ResponseShapeOptions): ResponseShape {
  const { refusals, isHiddenValue = () => false, noteKept = () => {} } = options
  const { writeResponse = completeAll } = options
  let root: ResponsePosition | undefined
  const tree = (): ResponsePosition => {
    root ??= shapeTree(options)
    return root
  }
  const written = writeResponse(tree, noteKept)
  const introspect: Introspect = ({ nodes }: ValueShape & { kind: 'introspection' }, { variables }) =>
    options.introspect(nodes, variables)
  const isFaultless = ({ errors }: Pick<Execution, 'errors'>): boolean =>
    errors.isEmpty && refusals.length === 0

  return {
    complete: (execution) => complete(tree(), execution, { introspect, isHiddenValue }, refusals.length > 0),
    write: (execution) =>
      isFaultless(execution) && execution.data !== undefined
        ? written(execution.data, execution.variables)
        : undefined,
    refusedRoots: (variables) => (refusals.length === 0 ? [] : refusedRoots(tree(), variables)),
    visiblePath: (path) => visiblePath(tree(), path),
    root: tree,
    completeGroup: (group, execution, later) =>
      completeGroup(group, execution, { introspect, isHiddenValue }, refusals.length > 0, later),
    completeItem(items, index, value, execution, later) {
      const path = [...items.path, index]
      return new Completion(execution, { introspect, isHiddenValue }, path, later).item(items, value)
    },
    ownerOf: (path) => ownerOf(tree(), path),
  }
}
