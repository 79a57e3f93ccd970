/**
 * The context of one request to the metrics service. It makes the same call once however often it is selected, and
 * collects the errors that came with data.
 */
import type { GraphQLError } from 'graphql'
import type { PartialErrors } from '../../shared/graphql/partial-errors.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import type { MetricsClient, MetricsResponse, Parameters, QueryCall, QueryResponse } from './client.ts'
import type { MetricsLive } from './live/index.ts'

export interface Context extends PartialErrors {
  readonly request: SubgraphRequest
  readonly live: MetricsLive
  query(call: QueryCall): Promise<QueryResponse>
  rules(parameters: Parameters): Promise<MetricsResponse<unknown>>
  alerts(): Promise<MetricsResponse<unknown>>
  buildInfo(): Promise<MetricsResponse<unknown>>
}

export function createContexts(
  client: MetricsClient,
  live: MetricsLive,
): (request: SubgraphRequest) => Context {
  return (request) => contextOf(client, live, request)
}

function contextOf(client: MetricsClient, live: MetricsLive, request: SubgraphRequest): Context {
  const queries = new Map<string, Promise<QueryResponse>>()
  const others = new Map<string, Promise<MetricsResponse<unknown>>>()
  const partialErrors: GraphQLError[] = []

  function once<T>(memory: Map<string, Promise<T>>, key: unknown, call: () => Promise<T>): Promise<T> {
    const text = JSON.stringify(key)
    let response = memory.get(text)
    if (response === undefined) {
      response = call()
      memory.set(text, response)
    }
    return response
  }

  return {
    request,
    live,
    partialErrors,
    query: (call) => once(queries, [call.operation.name, call.parameters], () => client.query(call, request)),
    rules: (parameters) => once(others, ['rules', parameters], () => client.rules(parameters, request)),
    alerts: () => once(others, ['alerts'], () => client.alerts(request)),
    buildInfo: () => once(others, ['buildinfo'], () => client.buildInfo(request)),
  }
}
