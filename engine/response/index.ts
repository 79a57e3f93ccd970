/**
 * Makes the response of an operation as the client wrote it. The merged data has more than the client selected, and
 * nothing about refused fields.
 *
 * `complete` handles every case: null propagation, errors and refusals. `write` prints a checked copy if the
 * execution had no error and its data match the schema. Otherwise `complete` is used.
 */
import type { GraphQLError } from 'graphql'
import type { ByteString } from '../../shared/json/byte-string.ts'
import type { Execution, JsonObject } from '../executor/execution.ts'
import type { Variables } from '../operation/variables.ts'
import {
  Completion,
  type Later,
  type LaterGroup,
  type LaterItems,
  type ResponseSource,
  refusedRoots,
} from './complete.ts'
import { type Owner, ownerOf, type Path, visiblePath } from './paths.ts'
import { type ResponsePosition, type ShapeSource, shapeTree } from './shape.ts'
import { createWriter } from './write.ts'

export type { Later, LaterGroup, LaterItems } from './complete.ts'
export type { RefusedField } from './shape.ts'

interface ResponseShapeOptions
  extends ShapeSource,
    Pick<ResponseSource, 'introspect'>,
    Partial<Pick<ResponseSource, 'isHiddenType' | 'isHiddenValue'>> {}

const isNeverHidden = (): boolean => false

type FirstGroup = Omit<LaterGroup, 'deliveryGroup'> & { readonly deliveryGroup?: undefined }

export class ResponseShape {
  readonly #options: ResponseShapeOptions
  readonly #source: ResponseSource
  #tree: ResponsePosition | undefined
  #writer: ReturnType<typeof createWriter> | undefined

  constructor(options: ResponseShapeOptions) {
    this.#options = options
    const { introspect, isHiddenValue = isNeverHidden, isHiddenType = isNeverHidden, refusals } = options
    this.#source = { introspect, isHiddenValue, isHiddenType, hasRefusals: refusals.length > 0 }
  }

  /** The data of the response. New errors are added to the execution. */
  complete(execution: Execution): JsonObject | null {
    return new Completion(execution, this.#source).whole(this.root, execution.data ?? {})
  }

  /** The data as JSON. Undefined if only `complete` can make it. */
  write({
    data,
    errors,
    variables,
  }: Pick<Execution, 'data' | 'errors' | 'variables'>): ByteString | undefined {
    if (!errors.isEmpty || this.#source.hasRefusals || data === undefined) return undefined
    this.#writer ??= createWriter(this.root)
    return this.#writer(data, variables)
  }

  /** The errors of refused root fields, before anything is fetched. */
  refusedRoots(variables: Variables): readonly GraphQLError[] {
    return this.#source.hasRefusals ? refusedRoots(this.root, variables) : []
  }

  /** The path of an error, cut to fields that the client selected. */
  visiblePath(path: Path): Path {
    return visiblePath(this.root, path)
  }

  get root(): ResponsePosition {
    this.#tree ??= shapeTree(this.#options)
    return this.#tree
  }

  /** Completes one delivery group of an object; without a name, the root's first one. */
  completeGroup(
    { position, data, path, deliveryGroup }: FirstGroup | LaterGroup,
    execution: Execution,
    later: Later,
  ): JsonObject | null {
    return new Completion(execution, this.#source, [...path], later).whole(position, data, deliveryGroup)
  }

  /** Completes an item of a streamed list. Undefined if its null removes the list. */
  completeItem(
    items: LaterItems,
    index: number,
    value: unknown,
    execution: Execution,
    later: Later,
  ): unknown {
    return new Completion(execution, this.#source, [...items.path, index], later).item(items, value)
  }

  /** The delivery group or streamed list that a path belongs to. Undefined: the first response. */
  ownerOf(path: Path): Owner | undefined {
    return ownerOf(this.root, path)
  }
}
