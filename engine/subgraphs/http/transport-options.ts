/** The options of a subgraph over HTTP. */
import type { IncomingHttpHeaders } from 'node:http'
import type { TlsOptions } from '../../../shared/http/client.ts'
import type { GatewayRequest } from '../../request.ts'
import type { RemoteEventsNote, RemoteEventsSettings } from '../events/connection.ts'
import type { Transport } from '../subgraph-fetch.ts'
import type { OpenFramedConnections } from './framed.ts'
import type { GuardOptions } from './guard.ts'
import type { MakeHeaders } from './headers.ts'
import type { ErrorRules } from './subgraph-errors.ts'

/** How a subgraph is called over HTTP. Times are in milliseconds. */
export interface HttpTransportOptions {
  /** The subgraph's name, for errors. */
  readonly name: string
  /** An http or https address, with its path. */
  readonly url: string
  /** Makes the headers of each request. By default only those of the protocol are sent. */
  readonly headers?: MakeHeaders | undefined
  /**
   * The caller's headers that `headers` reads and on which responses can depend, in lower case. If it is absent and
   * `headers` is given, they are unknown, and requests share nothing.
   */
  readonly callerHeaders?: readonly string[] | undefined
  /** The caller's headers as they are sent to the subgraph, for caches. By default as `callerHeaders`. */
  readonly callerPart?: Transport['callerPart']
  /** Whether equal concurrent queries with equal `callerHeaders` are sent once. Off by default. */
  readonly share?: { readonly joined?: (() => void) | undefined } | undefined
  /** Receives the headers of each response, for each request that it answers. */
  readonly answered?: ((request: GatewayRequest, headers: IncomingHttpHeaders) => void) | undefined
  /** The timeout of one fetch, in addition to the request's deadline. 30,000 by default. */
  readonly timeoutMs?: number | undefined
  /** Whether clients see the messages and extensions of its errors. Otherwise they see only codes. */
  readonly passErrors?: boolean | ErrorRules | undefined
  /**
   * Whether it accepts the SHA-256 of a document instead of the document (`extensions.persistedQuery`), as our
   * services do. Then a query is sent with its document once, and again if its hash is unknown. Off by default.
   */
  readonly hashes?: boolean | undefined
  /** Whether it accepts the request parameter `onError`. Without it each subgraph uses its own default. */
  readonly takesOnError?: boolean | undefined
  /** Connections for frames to one of our services. Without it everything is sent by HTTP. */
  readonly frames?:
    | {
        readonly open: OpenFramedConnections
        readonly secret: string | undefined
        readonly writeTimeoutMs?: number | undefined
      }
    | undefined
  /** Called for each request with its protocol. */
  readonly sent?: ((protocol: SubgraphProtocol) => void) | undefined
  /** The most bytes of a response, decompressed. 64 MiB by default. */
  readonly maxResponseBytes?: number | undefined
  /** The most connections. 64 by default. */
  readonly connections?: number | undefined
  /** How long a connection is used. A new one may lead to a new replica. */
  readonly connectionMs?: number | undefined
  /** How long an idle connection is kept. */
  readonly keepAliveMs?: number | undefined
  /** Whether to use HTTP/2, with many requests on one connection. TLS negotiates it; without TLS it is assumed. */
  readonly http2?: boolean | undefined
  /** The authorities for the server's certificate, and our own certificate. PEM. */
  readonly tls?: TlsOptions | undefined
  /** Whether to request compressed responses. */
  readonly compressed?: boolean | undefined
  /** Retries, circuit breaker and concurrency limit. None by default. */
  readonly guard?: GuardOptions | undefined
  /** Whether to send queries by GET with the hash of their document, and the document only on request. */
  readonly persisted?: boolean | undefined
  /**
   * Differs if `headers` or `tls` are made of other settings. A subscription that began with those does not continue,
   * because it would connect again with what may no longer be valid.
   */
  readonly credentials?: string | undefined
  /** Settings for subscriptions. */
  readonly events?: RemoteEventsSettings | undefined
  /** Whether extensions of its events are passed to clients, as those of our own services are. Off by default. */
  readonly passExtensions?: boolean | undefined
  /** Receives the events of subscriptions, for metrics. */
  readonly noted?: ((what: RemoteEventsNote) => void) | undefined
  /** The interval at which `{ __typename }` is queried, so that health knows a subgraph without requests. */
  readonly probeMs?: number | undefined
}

type SubgraphProtocol = 'http' | 'frames'
