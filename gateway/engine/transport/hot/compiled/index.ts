/**
 * Operations that come again, as code made for them: what the executor finds out on every execution (which fields,
 * which resolvers, what type each value must have) is found out once.
 *
 * The plain way is `../../executor`, which also executes whatever is not compiled; the result is the same, error by
 * error. Without it Q1 took half as much CPU time again, Q4 a fifth and Q2 a tenth (November 2026, under load).
 * `npm run bench -- --only ceiling,tessera`; test/gateway/engine/transport/hot/compiled.test.ts compares both ways.
 *
 * Not compiled is what would need the operation's conditions (`@skip`, `@include`: the planner has decided most
 * of them), introspection, a field under the key `__proto__`, and what is too large for its code to be written
 * between two requests.
 */
import { type DocumentNode, type GraphQLSchema, getOperationAST } from 'graphql'
import { hasConditions } from '../../../../../contract/graphql/conditions.ts'
import type { NoteKept } from '../../../kept.ts'
import { type Execute, executeParts, programOf } from '../../executor/index.ts'
import { writeProgram } from './code.ts'

/** The compiled operation; undefined where the plain executor has to execute it. */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  noteKept?: NoteKept,
): Execute | undefined {
  const operation = getOperationAST(document, operationName)
  const root = operation == null ? undefined : schema.getRootType(operation.operation)
  if (operation == null || root == null || hasConditions(document)) return undefined
  const program = programOf(schema, document, operation)
  const parts = writeProgram(program, root, operation.operation === 'mutation', noteKept)
  return parts === undefined ? undefined : executeParts(program, () => parts)
}
