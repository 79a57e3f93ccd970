/** Transports to subgraphs: over HTTP, and in this process. */

export type { RemoteEventsSettings } from './events/connection.ts'
export type {
  FramedConnectionsOptions,
  FramedDocument,
  FramedLink,
  OpenFramedConnections,
} from './http/framed.ts'
export { inFrames, type MakeHeaders, pickHeaders, type RequestLine } from './http/headers.ts'
export { createHttpTransport } from './http/http.ts'
export { headerPart, mayShare } from './http/in-flight.ts'
export type { ErrorRules } from './http/subgraph-errors.ts'
export type { HttpTransportOptions } from './http/transport-options.ts'
export { createExecutor } from './in-process/executor/index.ts'
export { createInProcessTransport, type InProcessTransportOptions } from './in-process/in-process.ts'
export {
  type CacheValidators,
  type FetchExtras,
  type SourceEvent,
  type SubgraphError,
  type SubgraphEvents,
  type SubgraphFetch,
  type SubgraphOperation,
  type SubgraphResult,
  type Transport,
  withFetches,
} from './subgraph-fetch.ts'
