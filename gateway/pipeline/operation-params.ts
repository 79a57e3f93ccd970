/** The GraphQL parameters of a request, the same for HTTP, WebSockets, frames and MCP. */

import type { ErrorBehavior } from '../../shared/graphql/error-behavior.ts'

export type MediaType = 'application/graphql-response+json' | 'application/json'

export interface OperationParams {
  /** Undefined only if a hash in `extensions.persistedQuery` stands for it. */
  readonly query: string | undefined
  readonly operationName: string | undefined
  readonly variables: Record<string, unknown> | undefined
  readonly extensions: Record<string, unknown> | undefined
  /** What becomes of the answer if a field fails; the default of the configuration by default. */
  readonly onError?: ErrorBehavior | undefined
}
