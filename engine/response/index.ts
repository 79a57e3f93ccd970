/**
 * Makes the response of an operation as the client wrote it. The merged data has more than the client selected, and
 * nothing about refused fields.
 *
 * `complete` handles every case: null propagation, errors and refusals. `write` prints a checked copy if the
 * execution had no error and its data match the schema. Otherwise `complete` is used.
 */
import type { FieldNode, GraphQLError, GraphQLSchema } from 'graphql'
import type { ByteString } from '../../shared/json/byte-string.ts'
import type { NoteBytes } from '../cache-memory.ts'
import type { Execution, JsonObject } from '../executor/execution.ts'
import type { NormalisedOperation } from '../operation/normalised.ts'
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
import { createWriter } from './write.ts'

export type { Later, LaterGroup, LaterItems } from './complete.ts'
export type { RefusedField } from './refused-field.ts'
export {
  type FieldShape,
  type ObjectShape,
  type ResponsePosition,
  shapeTree,
  type ValueShape,
} from './shape.ts'

export interface ResponseShape {
  /** The data of the response. New errors are added to the execution. */
  complete(execution: Execution): JsonObject | null
  /** The data as JSON. Undefined if only `complete` can make it. */
  write(execution: Pick<Execution, 'data' | 'errors' | 'variables'>): ByteString | undefined
  /** The errors of refused root fields, before anything is fetched. */
  refusedRoots(variables: Variables): readonly GraphQLError[]
  /** The path of an error, cut to fields that the client selected. */
  visiblePath(path: readonly (string | number)[]): readonly (string | number)[]
  /** The root of the shape. */
  root(): ResponsePosition
  /** Completes one delivery group of an object; without a name, the root's first one. */
  completeGroup(
    group: Omit<LaterGroup, 'deliveryGroup'> & { readonly deliveryGroup?: string },
    execution: Execution,
    later: Later,
  ): JsonObject | null
  /** Completes an item of a streamed list. Undefined if its null removes the list. */
  completeItem(items: LaterItems, index: number, value: unknown, execution: Execution, later: Later): unknown
  /** The delivery group or streamed list that a path belongs to. Undefined: the first response. */
  ownerOf(
    path: readonly (string | number)[],
  ): { readonly name: string; readonly path: readonly (string | number)[] } | undefined
}

export interface ResponseShapeOptions {
  readonly schema: GraphQLSchema
  /** The document that the client sent. */
  readonly operation: NormalisedOperation
  readonly refusals: readonly RefusedField[]
  /** Answers introspection fields. */
  readonly introspect: (nodes: readonly FieldNode[], variables: Variables) => unknown
  /** Whether an enum has the value, and clients must not see it. Such values become null without an error. */
  readonly isHiddenValue?: ((enumName: string, value: string) => boolean) | undefined
  /** Receives the estimated bytes of the shape. */
  readonly noteBytes?: NoteBytes | undefined
}

export function createResponseShape(options: ResponseShapeOptions): ResponseShape {
  const { refusals, isHiddenValue = () => false } = options
  let root: ResponsePosition | undefined
  const tree = (): ResponsePosition => {
    root ??= shapeTree(options)
    return root
  }
  let writer: ReturnType<typeof createWriter> | undefined
  const introspect: Introspect = ({ nodes }: ValueShape & { kind: 'introspection' }, { variables }) =>
    options.introspect(nodes, variables)
  const isFaultless = ({ errors }: Pick<Execution, 'errors'>): boolean =>
    errors.isEmpty && refusals.length === 0

  return {
    complete: (execution) => complete(tree(), execution, { introspect, isHiddenValue }, refusals.length > 0),
    write(execution) {
      if (!isFaultless(execution) || execution.data === undefined) return undefined
      writer ??= createWriter(tree())
      return writer(execution.data, execution.variables)
    },
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
