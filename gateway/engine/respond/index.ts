/**
 * The response of an operation, made from the operation as the client wrote it. The data that a plan brings together
 * holds more than was requested and nothing about what was refused; out of it comes exactly the response.
 *
 * `complete` is exact in every case: nulls that propagate, errors, refusals. Two faster ways (`hot/`) know only the
 * case without any of that, and give way to it: `write` makes the JSON text in one pass, `passThrough` does so
 * where responses of subgraphs were left unparsed.
 */
import type { DocumentNode, FieldNode, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import type { ByteString } from '../../../contract/json/byte-string.ts'
import { runsPlainly } from '../../../contract/hot/switch.ts'
import { write } from '../execute/merge.ts'
import type { Execution, JsonObject } from '../execution.ts'
import type { NoteKept } from '../kept.ts'
import * as thresholds from '../thresholds.ts'
import type { Variables } from '../variables.ts'
import {
  Completion,
  complete,
  completePart,
  type Introspect,
  type Later,
  type LaterItems,
  type LaterPart,
} from './complete.ts'
import { type Checker, compileChecker } from './hot/checker.ts'
import { compileWriter, type Writer } from './hot/writer.ts'
import { ownerOf } from './owner.ts'
import type { Refusal } from './refusal.ts'
import { type Position, shapeTree, type ValueShape } from './tree.ts'
import { visiblePath } from './visible.ts'

export type { Later, LaterItems, LaterPart } from './complete.ts'
export type { Refusal } from './refusal.ts'

export interface ResponseShape {
  /** The response's data. Errors that it finds are added to the execution's. */
  complete(execution: Execution): JsonObject | null
  /** The JSON of the response's data; undefined where only `complete` can make it. */
  write(execution: Pick<Execution, 'data' | 'errors' | 'variables'>): ByteString | undefined
  /** Whether this execution should leave responses unparsed, in the expectation that they can be passed through. */
  expectsPassthrough(): boolean
  /** As `write`, with the responses that were left unparsed in their places; undefined where they must be parsed. */
  passThrough(execution: Execution): ByteString | undefined
  /** An error's path without what the client did not ask for. */
  visiblePath(path: readonly (string | number)[]): readonly (string | number)[]
  /** Where the response begins. */
  root(): Position
  /** A part of an object, of an operation that is divided into parts; the root's first part where none is named. */
  completePart(
    part: Omit<LaterPart, 'part'> & { readonly part?: string },
    execution: Execution,
    later: Later,
  ): JsonObject | null
  /** An item of a streamed list; undefined where its null takes the list along. */
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
  readonly refusals: readonly Refusal[]
  /** Answers fields of introspection. */
  readonly introspect: (nodes: readonly FieldNode[], variables: Variables) => unknown
  /** Values of enums that exist and that clients must not see; they become null without an error. */
  readonly isHiddenValue?: ((enumName: string, value: string) => boolean) | undefined
  /** Gets the weight of what is made of the shape. */
  readonly noteKept?: NoteKept | undefined
  /** Uses none of the ways that exist only for speed. */
  readonly plain?: boolean | undefined
  /** The execution from which on bytes are passed through. */
  readonly passedThroughAfter?: number | undefined
}

/** So many responses in a row that had to be parsed after all: then only one execution in so many more tries again. */
const mostParsedInRow = 8
const triedAgainAfter = 64

export function createResponseShape(options: ResponseShapeOptions): ResponseShape {
  const { refusals, plain = false, isHiddenValue = () => false, noteKept = () => {} } = options
  const { passedThroughAfter = thresholds.passedThroughAfter } = options
  let root: Position | undefined
  let writer: Writer | undefined
  let checker: Checker | undefined
  let executions = 0
  let parsedInRow = 0
  const tree = (): Position => {
    root ??= shapeTree(options)
    return root
  }
  const introspect: Introspect = ({ nodes }: ValueShape & { kind: 'introspection' }, { variables }) =>
    options.introspect(nodes, variables)
  const isFaultless = ({ errors }: Pick<Execution, 'errors'>): boolean =>
    errors.isEmpty && refusals.length === 0

  return {
    complete: (execution) => complete(tree(), execution, { introspect, isHiddenValue }, refusals.length > 0),
    write(execution) {
      if (plain || runsPlainly('writer') || !isFaultless(execution) || execution.data === undefined)
        return undefined
      executions += 1
      if (executions < thresholds.writtenAfter) return undefined
      writer ??= compileWriter(tree(), noteKept)
      return writer(execution.data, execution.variables)
    },
    expectsPassthrough() {
      if (plain || runsPlainly('writer') || runsPlainly('checker')) return false
      if (executions < passedThroughAfter || refusals.length > 0) return false
      if (parsedInRow < mostParsedInRow) return true
      parsedInRow += 1
      return parsedInRow % triedAgainAfter === 0
    },
    passThrough(execution) {
      if (!isFaultless(execution) || execution.absent !== undefined) return undefined
      writer ??= compileWriter(tree(), noteKept)
      checker ??= compileChecker(tree(), noteKept)
      const data: JsonObject = { ...execution.data }
      for (const { body } of execution.unparsed ?? []) {
        const fields = checker(body, execution.variables)
        if (fields === undefined) {
          parsedInRow += 1
          return undefined
        }
        for (const [key, value] of fields) write(data, key, value)
      }
      parsedInRow = 0
      return writer(data, execution.variables)
    },
    visiblePath: (path) => visiblePath(tree(), path),
    root: tree,
    completePart: (part, execution, later) =>
      completePart(part, execution, { introspect, isHiddenValue }, refusals.length > 0, later),
    completeItem(items, index, value, execution, later) {
      const path = [...items.path, index]
      return new Completion(execution, { introspect, isHiddenValue }, path, later).item(items, value)
    },
    ownerOf: (path) => ownerOf(tree(), path),
  }
}
