/** The ways to reach a subgraph: over HTTP, and in this process. */
export { createExecutor, type ExecuteSubgraph, executeSubgraph } from './executor/index.ts'
export type {
  FramedConnections,
  FramedConnectionsOptions,
  FramedDocument,
  FramedLink,
  OpenFramedConnections,
} from './framed.ts'
export { createHttpTransport, type HttpTransportOptions, type SubgraphProtocol } from './http.ts'
export { headerPart, mayShare } from './in-flight.ts'
export { createInProcessTransport, type InProcessTransportOptions } from './in-process.ts'
export type { RemoteEventsNote, RemoteEventsSettings } from './remote-events/index.ts'
export { inFrames, type RequestLine } from './request-line.ts'
export type { ErrorRules } from './subgraph-errors.ts'
export type {
  Answered,
  Conditions,
  FetchExtras,
  SourceEvent,
  SubgraphError,
  SubgraphEvents,
  SubgraphFetch,
  SubgraphOperation,
  SubgraphResult,
  Transport,
} from './subgraph-fetch.ts'
