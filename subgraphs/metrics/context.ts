/**
 * The context of one request to the metrics service. It makes the same call once however often it is selected, and
 * collects the errors that came with data.
 */
import type { PartialErrors } from '../../shared/graphql/partial-errors.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import { memoized } from '../kit/memoized.ts'
import type { Pollers } from '../kit/polling/index.ts'
import type { MetricsClient, MetricsResponse, Parameters, QueryCall, QueryResponse } from './client.ts'

/** What all requests share. */
interface SharedParts {
  readonly client: MetricsClient
  readonly live: Pollers
  /** The interval of the service's scrapes and evaluations. No poll is more frequent. */
  readonly intervalMs: number
}

export interface Context extends PartialErrors, SharedParts {
  readonly request: SubgraphRequest
  query(call: QueryCall): Promise<QueryResponse>
  rules(parameters: Parameters): Promise<MetricsResponse<unknown>>
  alerts(): Promise<MetricsResponse<unknown>>
  buildInfo(): Promise<MetricsResponse<unknown>>
}

export function createContexts({ client, live, intervalMs }: SharedParts) {
  return (request: SubgraphRequest): Context => {
    const queries = new Map<string, Promise<QueryResponse>>()
    const others = new Map<string, Promise<MetricsResponse<unknown>>>()

    return {
      partialErrors: [],
      request,
      client,
      live,
      intervalMs,
      query: (call) =>
        memoized(queries, [call.operation.name, call.parameters], () => client.query(call, request)),
      rules: (parameters) => memoized(others, ['rules', parameters], () => client.rules(parameters, request)),
      alerts: () => memoized(others, ['alerts'], () => client.alerts(request)),
      buildInfo: () => memoized(others, ['buildinfo'], () => client.buildInfo(request)),
    }
  }
}
