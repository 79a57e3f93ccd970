/**
 * A subgraph in this process: its operations are executed directly, with no printing, parsing or JSON
 * between. graphql-js runs what is cold; what is asked again is compiled by graphql-jit, off the request's
 * path, and an operation that it cannot compile, or might get wrong, stays with graphql-js.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  visit,
} from 'graphql'
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit'
import { takePartialErrors } from '../../subgraphs/lib/partial-errors.ts'
import type { Subgraph } from '../../subgraphs/lib/subgraph.ts'
import type { SubgraphOperation, SubgraphResult, Transport } from '../transport.ts'

export interface InProcessTransportOptions {
  /** How often an operation runs before it is compiled. 2. */
  readonly hotAfter?: number | undefined
}

/** Response keys that graphql-jit's generated code would not treat as plain keys. */
const jitUnsafeKeys: ReadonlySet<string> = new Set(['__proto__'])

function isFitForJit(document: DocumentNode): boolean {
  let fit = true
  visit(document, {
    Field(node) {
      if (jitUnsafeKeys.has(node.alias?.value ?? node.name.value)) fit = false
    },
  })
  return fit
}

function compile(schema: GraphQLSchema, operation: SubgraphOperation): CompiledQuery['query'] | undefined {
  if (!isFitForJit(operation.document)) return undefined
  try {
    const compiled = compileQuery(schema, operation.document, operation.name ?? '')
    return isCompiledQuery(compiled) ? compiled.query : undefined
  } catch {
    return undefined
  }
}

export function createInProcessTransport(
  subgraph: Subgraph,
  { hotAfter = 2 }: InProcessTransportOptions = {},
): Transport {
  const { name, schema } = subgraph

  const failed = (error: unknown): SubgraphResult => ({
    errors: [error instanceof GraphQLError ? error : new GraphQLError('', { originalError: asError(error) })],
  })

  return {
    name,
    trusted: true,
    prepare(operation) {
      const { document, name: operationName } = operation
      let runs = 0
      let compiled: CompiledQuery['query'] | undefined

      const run = (
        variables: Record<string, unknown>,
        context: object,
      ): ExecutionResult | Promise<ExecutionResult> => {
        if (compiled !== undefined) return compiled(undefined, context, variables)
        runs += 1
        if (runs === hotAfter) {
          setImmediate(() => {
            compiled = compile(schema, operation)
          })
        }
        return execute({
          schema,
          document,
          variableValues: variables,
          contextValue: context,
          operationName: operationName ?? null,
        }) as ExecutionResult | Promise<ExecutionResult>
      }

      return (variables, request) => {
        const context = request.contextOf(subgraph)
        const finish = (result: ExecutionResult): SubgraphResult => {
          const partial = takePartialErrors(context)
          if (partial.length === 0) return result as SubgraphResult
          return { ...(result as SubgraphResult), errors: [...(result.errors ?? []), ...partial] }
        }
        try {
          const result = run(variables, context)
          return result instanceof Promise ? result.then(finish, failed) : finish(result)
        } catch (error) {
          return failed(error)
        }
      }
    },
    async close() {},
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
