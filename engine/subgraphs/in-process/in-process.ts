/** A subgraph in this process: its schema is executed directly, without serialization. */
import { getOperationAST } from 'graphql'
import { takePartialErrors } from '../../../shared/graphql/partial-errors.ts'
import { whenReady } from '../../../shared/runtime/is-promise.ts'
import { asError } from '../../../shared/runtime/thrown.ts'
import type { Subgraph } from '../../../shared/subgraph.ts'
import { estimatedBytes, syntaxCharacters } from '../../cache-memory.ts'
import { mostErrors } from '../../executor/error-list.ts'
import { mapFailures } from '../../executor/later-results.ts'
import type { GatewayRequest } from '../../request.ts'
import type {
  SourceEvent,
  SubgraphError,
  SubgraphEvents,
  SubgraphFetch,
  SubgraphOperation,
  SubgraphResult,
  Transport,
} from '../subgraph-fetch.ts'
import { createEventSource } from './events.ts'
import { createExecutor, type Execute } from './executor/index.ts'

/** What is known about a subgraph in this process. */
export interface InProcessTransportOptions {
  /** The caller's headers on which responses can depend, in lower case. Unknown by default. */
  readonly callerHeaders?: readonly string[] | undefined
}

/** Makes a transport to a subgraph in this process, such as one of `createSubgraph`. Closing it leaves the subgraph open. */
export function createInProcessTransport(
  subgraph: Subgraph,
  options: InProcessTransportOptions = {},
): Transport {
  return {
    name: subgraph.name,
    callerHeaders: options.callerHeaders,
    prepare(operation): SubgraphFetch {
      const run = prepareExecution(subgraph, operation)
      return (variables, request) => execute(subgraph, run, variables, request, undefined)
    },
    subscribe(operation): SubgraphEvents {
      const run = prepareExecution(subgraph, operation)
      return {
        ...createEventSource(subgraph.schema, operation, (request) => contextFor(subgraph, request)),
        outlivesTransport: true,
        result: (event, variables, request) => execute(subgraph, run, variables, request, event),
      }
    },
    close: () => Promise.resolve(),
  }
}

function execute(
  subgraph: Subgraph,
  run: Execute,
  variables: Readonly<Record<string, unknown>>,
  request: GatewayRequest,
  event: SourceEvent | undefined,
): SubgraphResult | Promise<SubgraphResult> {
  try {
    const context = contextFor(subgraph, request)
    const result = run(context, variables, undefined, event?.payload, request.onError)
    if (!('partialErrors' in context)) return result
    // Executors never reject.
    return whenReady(result, (received) => withPartialErrors(received, context))
  } catch (error) {
    return thrown(error)
  }
}

/**
 * The subgraph's context for this request. If it collects partial errors, each fetch gets its own list, because paths
 * are those of its operation. The context is copied instead of inherited from: an object that becomes a prototype
 * gets its own hidden class, which retains everything of the request until the next full garbage collection.
 */
function contextFor(subgraph: Subgraph, request: GatewayRequest): object {
  const context = request.contextOf(subgraph)
  if (!('partialErrors' in context)) return context
  return { ...context, partialErrors: [] }
}

function withPartialErrors(result: SubgraphResult, context: object): SubgraphResult {
  const partial = takePartialErrors(context)
  const { later } = result
  if (later !== undefined) {
    const errors = [...(result.errors ?? []), ...partial]
    const withPartial = (late: readonly SubgraphError[]) => [...late, ...takePartialErrors(context)]
    return { ...result, ...(errors.length === 0 ? {} : { errors }), later: mapFailures(later, withPartial) }
  }
  if (partial.length === 0) return result
  const errors = [...(result.errors ?? []), ...partial.slice(0, mostErrors)]
  return { ...result, errors, moreErrors: result.moreErrors === true || partial.length > mostErrors }
}

/** An exception outside of the executor is an error in the subgraph's code. */
function thrown(error: unknown): SubgraphResult {
  const originalError = asError(error)
  const failure: SubgraphError = { message: originalError.message, originalError }
  return { data: null, errors: [failure] }
}

function prepareExecution(
  subgraph: Subgraph,
  { name, document, text, noteBytes, later }: SubgraphOperation,
): Execute {
  const { schema } = subgraph
  const operation = getOperationAST(document, name)
  if (operation == null) throw new Error(`The document for the subgraph ${subgraph.name} has no operation.`)
  // Resolvers cache what they read of the selection.
  noteBytes?.(syntaxCharacters(text) * (estimatedBytes.executedField / 10))
  return createExecutor(schema, document, operation, later)
}
