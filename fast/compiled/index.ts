/**
 * Compiles operations that come again. The plain executor finds out on every execution which fields and resolvers
 * there are and what type each value must have. The code knows that from the start. Results and errors are the
 * same.
 *
 * The plain executor keeps operations with conditions (`@skip`, `@include`; the planner has decided most of them),
 * introspection, a field under the key `__proto__`, and fields that may come later. It also keeps operations that
 * are so large that generating their code would delay requests.
 */
import { type DocumentNode, type GraphQLSchema, getOperationAST } from 'graphql'
import type { NoteBytes } from '../../engine/index.ts'
import {
  type Execute,
  type ExecuteSubgraph,
  executeRoots,
  executeSubgraph,
  programOf,
} from '../../engine/subgraphs/in-process/executor/index.ts'
import { hasConditions } from '../../shared/graphql/conditions.ts'
import { writeProgram } from './code.ts'

/** Operations are compiled when they are executed for the third time. */
const usuallyAfter = 3

/** Operations are first executed plainly. After `after` executions they are compiled between two requests. */
export function createCompiledExecutor({ after = usuallyAfter } = {}): ExecuteSubgraph {
  return (operation) => {
    const { schema, document, operation: definition, later, noteBytes } = operation
    let execute = executeSubgraph(operation)
    if (later !== undefined) return execute
    let executions = 0
    const compile = (): void => {
      try {
        const compiled = compileOperation(schema, document, definition.name?.value, noteBytes)
        if (compiled !== undefined) execute = compiled
      } catch {
        // An error here would end the process, because it belongs to no request. The plain executor can continue
        // instead.
      }
    }
    return (context, variables, mostBytes, rootValue, onError) => {
      executions += 1
      if (executions === after) setImmediate(compile)
      return execute(context, variables, mostBytes, rootValue, onError)
    }
  }
}

/** The compiled operation; undefined if the plain executor has to execute it. */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  noteBytes?: NoteBytes,
): Execute | undefined {
  const operation = getOperationAST(document, operationName)
  const root = operation == null ? undefined : schema.getRootType(operation.operation)
  if (operation == null || root == null || hasConditions(document)) return undefined
  const program = programOf(schema, document, operation)
  const roots = writeProgram(program, root, operation.operation === 'mutation', noteBytes)
  return roots === undefined ? undefined : executeRoots(program, () => roots)
}
