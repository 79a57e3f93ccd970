/**
 * A subgraph in this process: its schema is executed directly, with nothing printed, parsed or put into JSON on
 * the way. `graphql` executes an operation at first; one that comes again is compiled, outside of any request.
 */
import { type ExecutionResult, execute, type GraphQLError } from 'graphql'
import { takePartialErrors } from '../../subgraphs/lib/partial-errors.ts'
import type { Subgraph } from '../../subgraphs/lib/subgraph.ts'
import { asError } from '../../subgraphs/lib/thrown.ts'
import type { GatewayRequest } from '../request.ts'
import type {
  SubgraphError,
  SubgraphFetch,
  SubgraphOperation,
  SubgraphResult,
  Transport,
} from '../transport.ts'
import { type Compiled, compileOperation } from './compiled.ts'

export interface InProcessTransportOptions {
  /** After how many executions an operation is compiled; Infinity never. */
  readonly hotAfter?: number | undefined
}

type Variables = Readonly<Record<string, unknown>>

type Execute = (variables: Variables, context: object) => ExecutionResult | Promise<ExecutionResult>

const usualHotAfter = 3

export function createInProcessTransport(
  subgraph: Subgraph,
  options: InProcessTransportOptions = {},
): Transport {
  const { hotAfter = usualHotAfter } = options
  return {
    name: subgraph.name,
    prepare(operation): SubgraphFetch {
      const run = prepareExecution(subgraph, operation, hotAfter)
      return (variables, request) => {
        let context: object
        try {
          context = contextFor(subgraph, request)
          const result = run(variables, context)
          if (!('partialErrors' in context)) return result as SubgraphResult | Promise<SubgraphResult>
          // Neither `graphql` nor what is compiled ever rejects.
          return result instanceof Promise
            ? result.then((late) => withPartialErrors(late, context))
            : withPartialErrors(result, context)
        } catch (error) {
          return thrown(error)
        }
      }
    },
    close: () => Promise.resolve(),
  }
}

/**
 * The subgraph's context of this request. Where it collects errors that come along with data, each fetch gets a
 * list of its own: their paths are those of its operation. A copy, not an object that inherits: what becomes a
 * prototype gets a hidden class of its own, which keeps everything of the request until the next full collection.
 */
function contextFor(subgraph: Subgraph, request: GatewayRequest): object {
  const context = request.contextOf(subgraph)
  if (!('partialErrors' in context)) return context
  return { ...context, partialErrors: [] }
}

function withPartialErrors(result: ExecutionResult, context: object): SubgraphResult {
  const partial: readonly GraphQLError[] = takePartialErrors(context)
  if (partial.length === 0) return result as SubgraphResult
  return { ...(result as SubgraphResult), errors: [...(result.errors ?? []), ...partial] }
}

/** What is thrown past the executor is a fault of the subgraph's code. */
function thrown(error: unknown): SubgraphResult {
  const originalError = asError(error)
  const failure: SubgraphError = { message: originalError.message, originalError }
  return { data: null, errors: [failure] }
}

function prepareExecution(subgraph: Subgraph, operation: SubgraphOperation, hotAfter: number): Execute {
  const { name } = operation
  const { schema } = subgraph.inProcess ?? subgraph
  const document = subgraph.inProcess?.rewrite(operation.document) ?? operation.document
  let compiled: Compiled | undefined
  let executions = 0
  const compile = (): void => {
    try {
      compiled = compileOperation(schema, document, name)
    } catch {
      // Outside of any request: it would end the process, where `graphql` may as well go on.
    }
  }
  return (variables, context) => {
    if (compiled !== undefined) return compiled(context, variables)
    executions += 1
    if (executions === hotAfter) setImmediate(compile)
    return execute({
      schema,
      document,
      contextValue: context,
      variableValues: variables,
      operationName: name,
    }) as ExecutionResult | Promise<ExecutionResult>
  }
}
