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

/** A repeated name has one value (RFC 9110, section 5.3). */
export function headersOf(head: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let at = 0; at + 1 < head.length; at += 2) {
    const [name = '', value = ''] = head.slice(at, at + 2)
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value
  }
  return headers
}
