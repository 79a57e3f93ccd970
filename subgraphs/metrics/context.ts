/**
 * The context of one request to the metrics service. It makes the same call once however often it is selected, and
 * collects the errors that came with data.
 */
import type { GraphQLError } from 'graphql'
import type { SubgraphRequest } from '../../shared/request.ts'
import { memoized } from '../kit/memoized.ts'
import type { Pollers } from '../kit/polling/index.ts'
import type { MetricsClient, MetricsResponse, Parameters, QueryCall, QueryResponse } from './client.ts'

interface SharedParts {
  readonly client: MetricsClient
  readonly live: Pollers
  /** The interval of the service's scrapes and evaluations. No poll is more frequent. */
  readonly intervalMs: number
}

export type Context = ReturnType<ReturnType<typeof createContexts>>

export function createContexts(shared: SharedParts) {
  const { client } = shared
  return (request: SubgraphRequest) => {
    const queries = new Map<string, Promise<QueryResponse>>()
    const others = new Map<string, Promise<MetricsResponse<unknown>>>()

    return {
      ...shared,
      partialErrors: [] as GraphQLError[],
      request,
      query: (call: QueryCall) =>
        memoized(queries, [call.operation.name, call.parameters], () => client.query(call, request)),
      rules: (parameters: Parameters) =>
        memoized(others, ['rules', parameters], () => client.rules(parameters, request)),
      alerts: () => memoized(others, ['alerts'], () => client.alerts(request)),
      buildInfo: () => memoized(others, ['buildinfo'], () => client.buildInfo(request)),
    }
  }
}
