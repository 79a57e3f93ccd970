/**
 * What a stand-in is: a service's name and its routes. A stand-in knows its service's public contract and
 * nothing of the product; the kit (server.ts) knows HTTP and nothing of any service.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

export interface StandInRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** Of the route's `:name` segments, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** The whole body; empty for a route that reads it itself. */
  readonly body: string
  /** The request itself, for a route that reads the body as a stream. */
  readonly raw: IncomingMessage
  /** The body as JSON; undefined where it is none. */
  json(): unknown
  /** A list parameter: joined by commas, repeated, or both. */
  list(name: string): string[]
  /** What the provider charges for this call; said once, before the answer. */
  charge(units: number): void
  /** Puts into the journal what a streamed route read of its body. */
  keep(body: string): void
  /** A write that was done; tests compare them with what was acknowledged. */
  wrote(key: string): void
}

export interface StandInAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A string or buffer as it is; anything else as JSON. */
  readonly body?: unknown
}

export interface Route {
  readonly method: string
  /** `/2/users/:id/likes`; a segment may end with a verb (`:session:detectIntent`); `*` at the end takes the rest. */
  readonly path: string
  /** `videos.list`, `agents.getAgent`. */
  readonly operation: string
  /** Whether the handler reads the body itself. */
  readonly streamed?: boolean
  handler(request: StandInRequest): StandInAnswer | Promise<StandInAnswer>
}

export interface StandIn {
  readonly service: string
  readonly routes: readonly Route[]
  /** Sample data as at the start. */
  reset(): void
}

/** Who calls, as far as a stand-in can tell. */
export interface Caller {
  readonly anonymous: boolean
  has(scope: string): boolean
}

/**
 * Reads a caller from its bearer token: `scopes:a+b` carries exactly these scopes, any other token all of
 * them. Nobody in particular is the demo user with every scope, unless authorization is required.
 */
export function callerFrom(headers: IncomingHttpHeaders, requireAuth: boolean): Caller {
  const { authorization } = headers
  if (authorization === undefined || !/^bearer /i.test(authorization)) {
    return { anonymous: true, has: () => !requireAuth }
  }
  const token = authorization.slice(7)
  if (!token.startsWith('scopes:')) return { anonymous: false, has: () => true }
  const scopes = new Set(token.slice('scopes:'.length).split('+'))
  return { anonymous: false, has: (scope) => scopes.has(scope) }
}
