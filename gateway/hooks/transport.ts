/** The same transport with the hooks around each fetch. A failing hook fails only that fetch. */
import { GraphQLError } from 'graphql'
import type { GatewayRequest } from '../../engine/request.ts'
import type {
  FetchExtras,
  SubgraphOperation,
  SubgraphResult,
  Transport,
} from '../../engine/subgraphs/index.ts'
import { copied } from './copied.ts'
import type { HookAnswer, HookFetch, HookHeaders } from './define.ts'
import type { Hooked } from './hooked.ts'
import { answerOf, changeOf, HookRefusal, recordOf, requestHeaders } from './reading.ts'
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

async function fetchHooked(
  { stages, sources, hooked, operation, name, request }: HookedFetch,
  given: Json,
  send: ReturnType<Transport['prepare']>,
): Promise<SubgraphResult> {
  const id = hooked.id
  const identity = request.identity === undefined ? undefined : hookIdentity(request.identity)
  const { kind: type, text } = operation
  let variables = given
  let headers: HookHeaders | undefined
  let answered: HookAnswer | undefined
  const fetchNow = (): HookFetch => ({ subgraph: name, type, text, variables: copied(variables) })

  for (const source of sources) {
    const { onSubgraphRequest } = source.hooks
    if (onSubgraphRequest === undefined || answered !== undefined) continue
    const change = await stages.run({
      stage: 'subgraphRequest',
      source,
      id,
      run: () => onSubgraphRequest({ ...hooked.event, identity, fetch: fetchNow() }),
      read(returned) {
        const found = changeOf(returned)
        if (found === undefined || found instanceof HookRefusal) return found
        return {
          headers: requestHeaders(found.headers),
          variables: found.variables === undefined ? undefined : recordOf(found.variables, 'variables'),
          answer: found.answer === undefined ? undefined : answerOf(found.answer),
        }
      },
    })
    if (change instanceof HookRefusal) return failed(name, change.error)
    if (change === undefined) continue
    variables = change.variables ?? variables
    if (change.headers !== undefined) headers = { ...headers, ...change.headers }
    answered = change.answer
  }
  if (request.cancelled) return send(variables, request)

  const started = performance.now()
  let status: number | undefined
  let answerHeaders: HookHeaders = {}
  const extras: FetchExtras = {
    headers,
    answered(httpStatus, httpHeaders) {
      status = httpStatus
      answerHeaders = Object.fromEntries(
        Object.entries(httpHeaders).flatMap(([key, value]) =>
          typeof value === 'string' ? [[key, value]] : [],
        ),
      )
    },
  }
  let result: SubgraphResult =
    answered === undefined ? await send(variables, request, extras) : resultOf(answered)
  const milliseconds = performance.now() - started

  for (const source of sources) {
    const { onSubgraphAnswer } = source.hooks
    if (onSubgraphAnswer === undefined) continue
    const { data, errors } = result
    const answer: HookAnswer = {
      data: copied(data ?? null),
      ...(errors === undefined
        ? {}
        : { errors: errors.map(({ message, path, extensions }) => ({ message, path, extensions })) }),
    }
    const change = await stages.run({
      stage: 'subgraphAnswer',
      source,
      id,
      run: () =>
        onSubgraphAnswer({
          ...hooked.event,
          identity,
          fetch: fetchNow(),
          status,
          answerHeaders,
          answer,
          milliseconds,
        }),
      read(returned) {
        const found = changeOf(returned)
        if (found === undefined || found instanceof HookRefusal) return found
        return { answer: found.answer === undefined ? undefined : answerOf(found.answer) }
      },
    })
    if (change instanceof HookRefusal) return failed(name, change.error)
    if (change?.answer !== undefined) result = resultOf(change.answer)
  }
  return result
}

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
