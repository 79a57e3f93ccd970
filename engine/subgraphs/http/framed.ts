/**
 * The interface for connections that carry requests in frames instead of HTTP, if the service supports them.
 * `createHttpTransport` receives the function that opens them. Without it, it sends everything by HTTP.
 */
import type { TlsOptions } from '../../../shared/http/client.ts'
import type { HttpResult } from '../../../shared/http/dispatch-request.ts'
import type { GatewayRequest } from '../../request.ts'

/** A document that frames refer to by a number. The same document is the same object. */
export interface FramedDocument {
  readonly text: string
  readonly name: string | undefined
}

/** A connection that carries many requests at a time. */
export interface FramedLink {
  /** Sends one request, with its variables as JSON. Undefined if it does not fit, and must be sent by HTTP. */
  exchange(
    document: FramedDocument,
    variables: string,
    headers: Readonly<Record<string, string>>,
    request: GatewayRequest,
    deadline: number,
  ): Promise<HttpResult> | undefined
}

export interface FramedConnectionsOptions {
  readonly url: URL
  readonly tls?: TlsOptions | undefined
  /** The most time to open a connection. */
  readonly timeoutMs: number
  /** The headers that authenticate the gateway when a connection is opened. */
  readonly headers: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /** The secret that gateway and service share, if there is one. */
  readonly secret: string | undefined
  readonly maxBytes: number
  /** The most connections. */
  readonly connections: number
  /** The longest use of a connection. */
  readonly connectionMs: number
  /** How long an idle connection is kept. */
  readonly keepAliveMs: number
  /** The most time for the service to read the next 16 KiB. */
  readonly writeTimeoutMs: number
}

interface FramedConnections {
  /**
   * The connection for the next request. A promise while the first one is opened. Undefined if the request must be
   * sent by HTTP.
   */
  link(): FramedLink | Promise<FramedLink | undefined> | undefined
  close(): void
}

export type OpenFramedConnections = (options: FramedConnectionsOptions) => FramedConnections
