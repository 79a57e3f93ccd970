/** What a handler takes and gives: one operation, or a request to the GraphQL endpoint and its response. */
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { GraphQLError, GraphQLSchema } from 'graphql'
import { bytesOfJson } from '../../shared/json/raw.ts'
import type { Awaitable } from '../../shared/runtime/is-promise.ts'
import type { GraphqlOverHttp } from '../graphql-http/graphql-over-http.ts'

/** One operation, as a client sends it. */
export interface GraphRequest {
  readonly query: string
  readonly operationName?: string | undefined
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  /**
   * The effect of a failing field: a null in a non-null position removes its parent (`PROPAGATE`), the null stays at
   * the error (`NULL`), or the first error ends the operation (`HALT`). The configuration's default if not given.
   */
  readonly onError?: 'NULL' | 'PROPAGATE' | 'HALT' | undefined
  /** The caller's headers, with lower-case names; `authorization` decides what it may see. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The address of the client, by which callers without a token are told apart. */
  readonly address?: string | undefined
  /** Cancels the operation and its calls. */
  readonly signal?: AbortSignal | undefined
}

/** The result of one operation. `data` is absent if nothing was executed. */
export interface GraphResult {
  readonly data?: Readonly<Record<string, unknown>> | null | undefined
  readonly errors?: readonly GraphQLError[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** A graph as functions. All of them check tokens, scopes, limits and budgets. */
export interface GraphHandler {
  /** The API schema. */
  readonly schema: GraphQLSchema
  /** Runs one operation. Never rejects: failures are in `errors`, each with a code. */
  execute(request: GraphRequest): Promise<GraphResult>
  /** GraphQL over HTTP: negotiates the media type and the status. Never rejects. */
  respond(request: EndpointRequest): Promise<EndpointResponse>
  /** The same for the web's `Request` and `Response`: for Hono, a route of Next.js, Deno, Bun. Never rejects. */
  fetch(request: Request): Promise<Response>
  /** The same as a listener of `node:http`, and a handler of Express. It needs no body parser before it. */
  listener(request: IncomingMessage, response: ServerResponse): void
  /** Ends connections and timers. */
  close(): Promise<void>
}

/** A request to the GraphQL endpoint, with its whole body. */
export interface EndpointRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Without its content coding: `Content-Encoding` is not read. Empty for GET. */
  readonly body?: string | Buffer | undefined
  /** The address of the client, by which callers without a token are told apart. */
  readonly address?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** The response to it, not compressed. */
export interface EndpointResponse {
  readonly status: number
  /** Names are in lower case. `set-cookie` is a list. */
  readonly headers: EndpointHeaders
  readonly body: Buffer<ArrayBuffer>
}

type EndpointHeaders = Readonly<Record<string, string | string[]>>

/** A repeated name has one value, except `set-cookie` (RFC 9110, section 5.3). */
export function headersOf(head: readonly string[]): EndpointHeaders {
  const headers: Record<string, string> = {}
  const cookies: string[] = []
  for (let at = 0; at + 1 < head.length; at += 2) {
    const [name = '', value = ''] = head.slice(at, at + 2)
    if (name === 'set-cookie') cookies.push(value)
    else headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value
  }
  return cookies.length === 0 ? headers : { ...headers, 'set-cookie': cookies }
}

/** The same from whole requests to whole responses. */
export function endpointOver(respond: GraphqlOverHttp): GraphHandler['respond'] {
  return async ({ method, url, headers, body = '', address, signal }) => {
    const http = { id: randomUUID(), method, url, headers, body, address }
    const { status, head, body: json } = await cancelledBy(signal, (watch) => respond(http, watch))
    return { status, headers: headersOf(head), body: bytesOfJson(json) }
  }
}

/**
 * Does the work, and cancels what it watches when the signal says so. Nothing listens to the signal afterwards, because
 * it may outlive many requests.
 */
export async function cancelledBy<Made>(
  signal: AbortSignal | undefined,
  work: (watch: (running: { cancel(): void }) => void) => Awaitable<Made>,
): Promise<Made> {
  if (signal === undefined) return work(() => undefined)
  const running: { cancel(): void }[] = []
  const cancel = (): void => {
    for (const each of running) each.cancel()
  }
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await work((each) => {
      running.push(each)
      if (signal.aborted) each.cancel()
    })
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
