/**
 * The interface of a stand-in: the name of a service, and its routes. A stand-in knows the public contract of its
 * service and nothing of the product. The server knows HTTP and nothing of any service. A stand-in begins with the
 * sample data, which it makes when they are first used. To restore them, the server makes new stand-ins.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

export interface StandInRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** The decoded values of the route's `:name` segments. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** The whole body; empty if the route reads it as a stream. */
  readonly body: string
  /** The request itself, for routes that read the body as a stream. */
  readonly raw: IncomingMessage
  /** The body as JSON; undefined if it is not JSON. */
  json(): unknown
  /** The values of a list parameter: separated by commas, repeated, or both. */
  list(name: string): string[]
  /** Records what the service charges for this call. It is called once, before the response. */
  charge(units: number): void
  /** Sets the body in the journal, for routes that read it as a stream. */
  recordBody(body: string): void
  /** Records a write that was performed. Tests compare these records with the responses that clients received. */
  recordWrite(key: string): void
  recordUpload(upload: ReceivedUpload): void
}

export interface ReceivedUpload {
  readonly videoId: string
  readonly bytes: number
  readonly sha256: string
  readonly contentType: string
}

export interface StandInAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A string, a buffer or a `SerializedJson` is sent unchanged, and anything else as JSON. */
  readonly body?: unknown
}

export interface Route {
  readonly method: string
  /**
   * Such as `/2/users/:id/likes`. A segment may end with a verb (`:session:detectIntent`), and a final `*` takes
   * the rest.
   */
  readonly path: string
  /** Such as `videos.list` or `agents.getAgent`. */
  readonly operation: string
  /** Whether the handler reads the body as a stream. */
  readonly streamed?: boolean
  handler(request: StandInRequest): StandInAnswer | Promise<StandInAnswer>
}

export interface StandIn {
  readonly service: string
  readonly routes: readonly Route[]
  /** Changes data as time or other people would. Each service documents what it accepts, and throws otherwise. */
  change?(change: Readonly<Record<string, unknown>>): void
}
