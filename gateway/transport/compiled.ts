/**
 * Operations that come again, as code made for them: what `graphql` finds out on every execution (which fields,
 * which resolvers, what type each value must have) is found out once. The result is the very same, error by
 * error; what is not compiled, `graphql` executes.
 *
 * Not compiled is what would need the operation's conditions (`@skip`, `@include`: the planner has seen to most
 * of them), introspection, a field under the key `__proto__`, and what is too large for its code to be written
 * between two requests.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  visit,
} from 'graphql'
import { compileVariables } from '../engine/variables.ts'
import { writeProgram } from './compiled/code.ts'
import { type ObjectFields, Run } from './compiled/run.ts'

export type Compiled = (
  context: object,
  variables: Readonly<Record<string, unknown>>,
) => ExecutionResult | Promise<ExecutionResult>

/** The compiled operation; undefined where `graphql` has to execute it. */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): Compiled | undefined {
  const operation = getOperationAST(document, operationName)
  const root = operation == null ? undefined : schema.getRootType(operation.operation)
  if (operation == null || root == null || isConditional(document)) return undefined
  const program = { schema, operation, fragments: fragmentsOf(document) }
  const parts = writeProgram(program, root, operation.operation === 'mutation')
  if (parts === undefined) return undefined
  const coerce = compileVariables(schema, operation, (fault) => fault)
  const [only] = parts
  const execute: ObjectFields =
    parts.length === 1 && only !== undefined ? only : (run) => oneAfterTheOther(parts, run)

  return (context, given) => {
    const { variables, errors } = coerce(given)
    if (errors !== undefined) return { errors }
    const run = new Run(context, variables)
    const failed = (error: unknown): ExecutionResult => {
      run.add(error as GraphQLError, undefined)
      return response(run, null)
    }
    try {
      const data = execute(run, undefined, undefined)
      return data instanceof Promise ? data.then((late) => response(run, late), failed) : response(run, data)
    } catch (error) {
      return failed(error)
    }
  }
}

function response({ errors }: Run, data: Record<string, unknown> | null): ExecutionResult {
  return errors.length === 0 ? { data } : { errors, data }
}

/** The fields of a mutation: each begins when the one before has ended. */
function oneAfterTheOther(parts: readonly ObjectFields[], run: Run): ReturnType<ObjectFields> {
  const data: Record<string, unknown> = {}
  const from = (start: number): ReturnType<ObjectFields> => {
    for (let at = start; at < parts.length; at++) {
      const part = parts[at]?.(run, undefined, undefined)
      if (part instanceof Promise) {
        return part.then((late) => {
          Object.assign(data, late)
          return from(at + 1)
        })
      }
      Object.assign(data, part)
    }
    return data
  }
  return from(0)
}

function fragmentsOf(document: DocumentNode): Record<string, FragmentDefinitionNode> {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null)
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition
  return fragments
}

function isConditional(document: DocumentNode): boolean {
  let conditional = false
  visit(document, {
    Directive({ name }) {
      if (name.value === 'skip' || name.value === 'include') conditional = true
    },
  })
  return conditional
}
