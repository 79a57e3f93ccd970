/**
 * Connections to a subgraph service on which requests go instead of HTTP, if the service knows them. `createHttpTransport`
 * gets what opens them, and sends everything by HTTP without it.
 */
import type { Exchanged } from '../../../shared/http/exchange.ts'
import type { GatewayRequest } from '../../request.ts'

/** A document as it is named by numbers; the same object for the same document. */
export interface FramedDocument {
  readonly text: string
  readonly name: string | undefined
}

/** One connection, which takes many requests at a time. */
export interface FramedLink {
  /** Sends one request, with its variables as JSON. Undefined if it does not fit: then it goes by HTTP. */
  exchange(
    document: FramedDocument,
    variables: string,
    headers: Readonly<Record<string, string>>,
    request: GatewayRequest,
    deadline: number,
  ): Promise<Exchanged> | undefined
}

export interface FramedConnectionsOptions {
  readonly url: URL
  readonly tls?:
    | {
        readonly ca?: string | undefined
        readonly cert?: string | undefined
        readonly key?: string | undefined
      }
    | undefined
  /** How long a connection may take to be opened. */
  readonly timeoutMs: number
  /** What proves the gateway when a connection is opened. */
  readonly headers: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /** What gateway and service share; undefined if they share nothing. */
  readonly secret: string | undefined
  readonly maxBytes: number
  /** The most connections. */
  readonly connections: number
  /** How long a connection is used. */
  readonly connectionMs: number
  /** How long one without requests is kept. */
  readonly keepAliveMs: number
  /** How long the service may take to read the next 16 KiB. */
  readonly writeTimeoutMs: number
}

export interface FramedConnections {
  /**
   * The connection for the next request. A promise while the first one is opened; undefined if the request goes by HTTP.
   */
  link(): FramedLink | Promise<FramedLink | undefined> | undefined
  close(): void
}

export type OpenFramedConnections = (options: FramedConnectionsOptions) => FramedConnections
