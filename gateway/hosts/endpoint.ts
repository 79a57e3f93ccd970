/** A request to the GraphQL endpoint and its response, independent of the server. */
import type { IncomingHttpHeaders } from 'node:http'

export interface EndpointRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Undecoded; empty for GET. */
  readonly body?: string | Buffer | undefined
  readonly signal?: AbortSignal | undefined
}

export interface EndpointResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer<ArrayBuffer>
}
