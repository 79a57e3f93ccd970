/**
 * An engine for one subgraph: it plans nothing. The in-process transport executes every operation whole, including
 * entities and the subgraph's own SDL. Apollo Server executes requests that ask for Apollo's kind of trace, and is
 * loaded then.
 */
import { GraphQLError, type GraphQLSchema, getOperationAST, print } from 'graphql'
import { ErrorList } from '../../engine/executor/error-list.ts'
import type { CompiledOperation, Engine, JsonResult, OperationResult } from '../../engine/index.ts'
import { normaliseOver } from '../../engine/operation/normalised.ts'
import { compileVariables, type Variables } from '../../engine/operation/variables.ts'
import type { Plan } from '../../engine/planner/index.ts'
import type { GatewayRequest } from '../../engine/request.ts'
import { ResponseShape } from '../../engine/response/index.ts'
import {
  createInProcessTransport,
  type SourceEvent,
  type SubgraphError,
  type SubgraphResult,
  type Transport,
} from '../../engine/subgraphs/index.ts'
import { haltedBy } from '../../shared/graphql/error-behavior.ts'
import { gatherRaw, stringifyRaw } from '../../shared/json/raw.ts'
import { earlierAttemptHeader, readEarlierAttempt } from '../../shared/request.ts'
import type { Subgraph } from '../../shared/subgraph.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Apollo } from './apollo.ts'

/** Requests Apollo's kind of trace. */
const traceHeader = 'apollo-federation-include-trace'
const noErrors = new ErrorList()

export function createSubgraphEngine(subgraph: Subgraph, log: Logger) {
  const { schema, name: service } = subgraph
  const transport = createInProcessTransport(subgraph)
  let apollo: Promise<Apollo> | undefined
  const traced: Apollo['execute'] = async (asked, request) => {
    apollo ??= import('./apollo.ts').then(({ startApollo }) => startApollo(subgraph, log))
    return (await apollo).execute(asked, request)
  }

  const parts: CompileParts = { schema, service, transport, traced }
  return {
    compile: (asked: Parameters<Engine['compile']>[0]) => compile(parts, asked),
    async close(): Promise<void> {
      await transport.close()
      await (await apollo)?.stop()
    },
  }
}

/** What all operations of one subgraph are compiled with. */
interface CompileParts {
  readonly schema: GraphQLSchema
  readonly service: string
  readonly transport: Transport
  readonly traced: Apollo['execute']
}

function compile(
  { schema, service, transport, traced }: CompileParts,
  { document, operationName, normalised: given, noteBytes }: Parameters<Engine['compile']>[0],
): CompiledOperation {
  const definition = getOperationAST(document, operationName)
  if (definition == null) throw new Error('The document has no such operation.')
  const { operation: kind } = definition
  const text = print(document)
  const name = definition.name?.value
  const variableNames = (definition.variableDefinitions ?? []).map(({ variable }) => variable.name.value)
  const operation = { text, document, name, kind, variableNames, noteBytes }
  const events = kind === 'subscription' ? transport.subscribe?.(operation) : undefined
  const fetch = kind === 'subscription' ? undefined : transport.prepare(operation)
  const coerce = compileVariables(schema, definition.variableDefinitions)
  const normalised = given ?? normaliseOver(schema, document, definition)
  const shape = new ResponseShape({
    ...{
      schema,
      operation: normalised,
      refusals: [],
      noteBytes,
    },
    // Introspection is executed like any other operation, and the writer leaves its data unchanged.
    introspect: () => undefined,
  })
  const plan: Plan = {
    kind: 'fetch',
    operation: { service, kind, text, name, variableNames },
    ...{ renames: [], path: undefined, when: undefined },
  }

  function run<Made>(
    given: Variables,
    request: GatewayRequest,
    event: SourceEvent | undefined,
    finish: (result: OperationResult, variables: Variables) => Made,
  ): Made | Pick<OperationResult, 'errors'> | Promise<Made> {
    const { variables, errors } = coerce(given)
    if (errors !== undefined) return { errors }
    const end = (result: SubgraphResult): Made =>
      finish(haltedBy(request.onError, resultFrom(result, event)), variables)
    // The gateway says so; a direct request has no other way to know.
    request.earlierAttempt = readEarlierAttempt(request.header(earlierAttemptHeader))
    let result: SubgraphResult | Promise<SubgraphResult> | undefined
    if (event !== undefined) result = events?.result(event, variables, request)
    else if (request.header(traceHeader) === 'ftv1')
      // They are coerced there once more.
      result = traced({ query: text, operationName: name, variables: given }, request)
    else result = fetch?.(variables, request)
    if (result === undefined) throw new Error('A subscription is executed only for its events.')
    return result instanceof Promise ? result.then(end) : end(result)
  }

  const compiled: CompiledOperation = {
    plan: () => plan,
    *planning() {},
    execute: (given, request, event) => run(given, request, event, (result) => result),
    executeToJson: (given, request, event) =>
      run(given, request, event, (result, variables): JsonResult => {
        const { data, ...others } = result
        if (data == null) return { ...others, data }
        const text =
          result.errors === undefined
            ? gatherRaw(() => shape.write({ data, errors: noErrors, variables }))
            : undefined
        return { ...others, data: text ?? stringifyRaw(data) }
      }),
    events(given) {
      const { variables, errors } = coerce(given)
      if (errors !== undefined) return { errors }
      return {
        // Equal subscriptions of clients are already one here.
        key: undefined,
        service,
        outlivesEngine: true,
        open(request) {
          if (events === undefined) throw new Error('Only subscriptions have events.')
          return events.open(variables, request)
        },
      }
    },
  }
  return compiled
}

/** The receiver of an event replaces an earlier one by its key, and learns whether later subscribers may share it. */
function resultFrom(
  { data, errors, extensions }: SubgraphResult,
  event: SourceEvent | undefined,
): OperationResult {
  const own =
    event?.key === undefined && event?.own !== true
      ? extensions
      : { ...extensions, eventKey: event.key, ...(event.own === true ? { eventOwn: true } : {}) }
  return {
    ...(data === undefined ? {} : { data }),
    ...(errors === undefined ? {} : { errors: errors.map(exactly) }),
    ...(own === undefined ? {} : { extensions: own }),
  }
}

function exactly(error: SubgraphError): GraphQLError {
  if (error instanceof GraphQLError) return error
  const { message, path, extensions, originalError } = error
  return new GraphQLError(message, { path, extensions, originalError })
}
