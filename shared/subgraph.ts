/**
 * A subgraph as the gateway and a subgraph service see it: an executable schema, its context for a request, and the
 * state of the service behind it. The kit makes subgraphs, and the engine executes them.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { DocumentNode, GraphQLSchema } from 'graphql'
import type { SubgraphRequest } from './request.ts'
import type { UpstreamState } from './upstream.ts'

/** A PUT to an upload's address, independent of the HTTP server. */
export interface UploadExchange {
  /** The rest of the path after `/upload/`. */
  readonly token: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readable
}

export interface UploadResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON. Undefined: no body. */
  readonly body: unknown
}

/** A subgraph that can be executed in this process, or served over HTTP. */
export interface Subgraph {
  readonly name: string
  readonly typeDefs: DocumentNode
  /** With `_entities` and `_service`. */
  readonly schema: GraphQLSchema
  /** The context for one request: its loaders, and what it knows of the caller. A plain object, which may be copied. */
  createContext(request: SubgraphRequest): object
  /** The state of its service. Undefined if there is none. */
  state?: (() => UpstreamState) | undefined
  /** Handles uploads, if the subgraph has any. Rejects with a `tesseraError`. */
  upload?: ((exchange: UploadExchange, request: SubgraphRequest) => Promise<UploadResponse>) | undefined
  close(): Promise<void>
}
