/**
 * What the response of an operation looks like, made from the operation as the client wrote it. The data that
 * a plan brings together holds more than was asked for and says nothing of what was refused; out of it comes
 * exactly the response.
 *
 * Three ways lead there. `complete` is exact in every case: nulls that travel up, errors, refusals. `write` makes
 * the JSON text of a response without any of that in one pass, and gives up where it meets some. `passOn` does the
 * same where answers of subgraphs were left unread.
 */
import type { DocumentNode, FieldNode, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import type { WireText } from '../subgraphs/lib/wire-text.ts'
import { type JsonObject, write } from './execute/merge.ts'
import type { Run } from './execute.ts'
import { type Checker, compileChecker } from './shape/checker.ts'
import { complete, type Introspect } from './shape/complete.ts'
import { type Position, shapeTree, type ValueShape } from './shape/tree.ts'
import { visiblePath } from './shape/visible.ts'
import { compileWriter, type Writer } from './shape/writer.ts'

/** A field of the original document that this caller may not see: it is null, with an error where it stands. */
export interface Refusal {
  /** The very node of the original document. */
  readonly field: FieldNode
  /** The object type on which it is refused; `*` is every one that can stand there. */
  readonly parentType: string
  readonly message: string
  readonly extensions: Readonly<Record<string, unknown>>
  /**
   * Where the refused field lies below `field`, as response keys. Given where nothing of `field` was left to
   * ask for: it is null as well, and the error's path goes on with these keys.
   */
  readonly below?: readonly string[]
}

export interface Shape {
  /** The response's data. Errors that it finds are added to the run's. */
  complete(run: Run): JsonObject | null
  /** The JSON of the response's data; undefined where only `complete` can tell. */
  write(run: Run): WireText | undefined
  /** Whether this execution should leave answers unread: one that has to be read after all was looked at in vain. */
  passes(): boolean
  /** The same with the answers that were left unread in their places; undefined where they have to be read. */
  passOn(run: Run): WireText | undefined
  /** An error's path without what the client did not ask for. */
  visiblePath(path: readonly (string | number)[]): readonly (string | number)[]
}

export interface ShapeOptions {
  readonly schema: GraphQLSchema
  /** As the client sent it. */
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly refusals: readonly Refusal[]
  /** Answers fields of introspection. */
  readonly introspect: (nodes: readonly FieldNode[], variables: Run['variables']) => unknown
  /** From this execution on it is worth code that looks answers over; 16 unless given. */
  readonly passedAfter?: number | undefined
}

/** From this execution on an operation is worth generated code. */
const writtenAfter = 2
const usuallyPassedAfter = 16

/** So many answers in a row that had to be read after all: then only one execution in so many more tries again. */
const patience = 8
const triedAgainAfter = 64

export function createShape(options: ShapeOptions): Shape {
  const { refusals, passedAfter = usuallyPassedAfter } = options
  let root: Position | undefined
  let writer: Writer | undefined
  let checker: Checker | undefined
  let executions = 0
  let readInRow = 0
  const tree = (): Position => {
    root ??= shapeTree(options)
    return root
  }
  const introspect: Introspect = ({ nodes }: ValueShape & { kind: 'introspection' }, run) =>
    options.introspect(nodes, run.variables)
  const isPlain = ({ errors }: Run): boolean => errors.length === 0 && refusals.length === 0

  return {
    complete: (run) => complete(tree(), run, introspect, refusals.length > 0),
    write(run) {
      if (!isPlain(run) || run.data === undefined) return undefined
      executions += 1
      if (executions < writtenAfter) return undefined
      writer ??= compileWriter(tree())
      return writer(run.data, run.variables)
    },
    passes() {
      if (executions < passedAfter || refusals.length > 0) return false
      if (readInRow < patience) return true
      readInRow += 1
      return readInRow % triedAgainAfter === 0
    },
    passOn(run) {
      if (!isPlain(run) || run.absent !== undefined) return undefined
      writer ??= compileWriter(tree())
      checker ??= compileChecker(tree())
      const data: JsonObject = { ...run.data }
      for (const { body } of run.unread ?? []) {
        const fields = checker(body, run.variables)
        if (fields === undefined) {
          readInRow += 1
          return undefined
        }
        for (const [key, value] of fields) write(data, key, value)
      }
      readInRow = 0
      return writer(data, run.variables)
    },
    visiblePath: (path) => visiblePath(tree(), path),
  }
}
