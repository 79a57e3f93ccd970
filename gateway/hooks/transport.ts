/** The same transport with the hooks around each fetch. A failing hook fails only that fetch. */
import type { IncomingHttpHeaders } from 'node:http'
import { GraphQLError } from 'graphql'
import type { GatewayRequest } from '../../engine/request.ts'
import type { SubgraphOperation, SubgraphResult, Transport } from '../../engine/subgraphs/index.ts'
import type { HookAnswer, HookHeaders, SubgraphAnswerEvent, SubgraphRequestEvent } from './define.ts'
import { copied, type Hooked } from './hooked.ts'
import { answerOf, HookRefusal, jsonOf, requestHeaders } from './reading.ts'
import type { HookSource } from './run.ts'
import { hookIdentity, type Stages } from './stages.ts'

type Json = Readonly<Record<string, unknown>>

/** The transport itself if no source has hooks for the subgraph. */
export function hookTransport(transport: Transport, stages: Stages): Transport {
  const sources = stages.forSubgraph(transport.name)
  if (sources.length === 0) return transport
  return {
    name: transport.name,
    // What a hook makes of a request is unknown, so nothing of it is shared with another one.
    callerHeaders: undefined,
    get reachable() {
      return transport.reachable
    },
    get guarded() {
      return transport.guarded
    },
    close: () => transport.close(),
    prepare(operation) {
      // A hook sees whole responses.
      const send = transport.prepare({ ...operation, later: undefined })
      return async (variables, request) => {
        const hooked = stages.hookedOf(request)
        if (hooked === undefined) return send(variables, request)
        try {
          return await fetchHooked(
            { stages, sources, hooked, operation, name: transport.name, request },
            variables,
            send,
          )
        } catch (error) {
          if (error instanceof GraphQLError) return failed(transport.name, error)
          throw error
        }
      }
    },
  }
}

interface HookedFetch {
  readonly stages: Stages
  readonly sources: readonly HookSource[]
  readonly hooked: Hooked
  readonly operation: SubgraphOperation
  readonly name: string
  readonly request: GatewayRequest
}

/** What is sent after the hooks, or the answer that one of them gave instead. */
interface AskedFetch {
  readonly variables: Json
  readonly headers: HookHeaders | undefined
  readonly answer: SubgraphResult | undefined
}

async function fetchHooked(
  { stages, sources, hooked, operation, name, request }: HookedFetch,
  given: Json,
  send: ReturnType<Transport['prepare']>,
): Promise<SubgraphResult> {
  const identity = request.identity === undefined ? undefined : hookIdentity(request.identity)
  const about = { subgraph: name, type: operation.kind, text: operation.text }
  const asked = await stages.inTurn<AskedFetch, SubgraphRequestEvent>(
    'subgraphRequest',
    hooked,
    { variables: given, headers: undefined, answer: undefined },
    {
      event({ variables }) {
        const fetch = { ...about, variables: copied(variables) }
        return { ...hooked.event, identity, fetch }
      },
      call: (hooks, event) => hooks.onSubgraphRequest?.(event),
      read(change, before) {
        const headers = requestHeaders(change.headers)
        return {
          variables:
            change.variables === undefined ? before.variables : jsonOf(change.variables, 'variables'),
          headers: headers === undefined ? before.headers : { ...before.headers, ...headers },
          answer: change.answer === undefined ? undefined : resultOf(answerOf(change.answer)),
        }
      },
      isOver: ({ answer }) => answer !== undefined,
    },
    sources,
  )
  if (asked instanceof HookRefusal) return failed(name, asked.error)
  const { variables, headers } = asked
  if (request.cancelled) return send(variables, request)

  const started = performance.now()
  // An object for headers, even an empty one, keeps the fetch from being shared: hooks see each response.
  const result = asked.answer ?? (await send(variables, request, { headers: { ...headers } }))
  const milliseconds = performance.now() - started
  const { answered } = result
  const answerHeaders = textHeaders(answered?.headers ?? {})
  const changed = await stages.inTurn<SubgraphResult, SubgraphAnswerEvent>(
    'subgraphAnswer',
    hooked,
    result,
    {
      event: ({ data, errors }) => ({
        ...hooked.event,
        identity,
        fetch: { ...about, variables: copied(variables) },
        status: answered?.status,
        answerHeaders,
        answer: {
          data: copied(data ?? null),
          ...(errors === undefined
            ? {}
            : { errors: errors.map(({ message, path, extensions }) => ({ message, path, extensions })) }),
        },
        milliseconds,
      }),
      call: (hooks, event) => hooks.onSubgraphAnswer?.(event),
      read: ({ answer }, before) => (answer === undefined ? before : resultOf(answerOf(answer))),
    },
    sources,
  )
  return changed instanceof HookRefusal ? failed(name, changed.error) : changed
}

const textHeaders = (headers: IncomingHttpHeaders): HookHeaders =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  )

/** A copy, because the receiver of a result may change its data. */
function resultOf({ data, errors }: HookAnswer): SubgraphResult {
  return {
    data: data == null ? null : copied(data),
    ...(errors === undefined ? {} : { errors }),
  }
}

function failed(service: string, error: GraphQLError): SubgraphResult {
  return {
    data: null,
    errors: [{ message: error.message, extensions: { service, ...error.extensions }, originalError: error }],
  }
}
