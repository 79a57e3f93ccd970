/**
 * A subgraph as the gateway and the server of a single subgraph see it: an executable schema, what one request
 * holds of it, and the state of the service behind it. The kit makes subgraphs; the engine executes them.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { DocumentNode, GraphQLSchema } from 'graphql'
import type { SubgraphRequest } from './request.ts'
import type { UpstreamState } from './upstream.ts'

/** A PUT to an upload's address, without the HTTP server around it. */
export interface UploadExchange {
  /** What stands behind `/upload/`. */
  readonly token: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readable
}

export interface UploadAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON; undefined is no body. */
  readonly body: unknown
}

/** A subgraph that can be executed in this process, or served over HTTP. */
export interface Subgraph {
  readonly name: string
  readonly typeDefs: DocumentNode
  /** With `_entities` and `_service`. */
  readonly schema: GraphQLSchema
  /** What one request holds of this subgraph: its loaders and its view of the caller. A plain object: it may be copied. */
  createContext(request: SubgraphRequest): object
  /** How its service does; undefined if there is none behind it. */
  state?: (() => UpstreamState) | undefined
  /** Takes uploads, if the subgraph has any. Rejects with a `tesseraError`. */
  upload?: ((exchange: UploadExchange, request: SubgraphRequest) => Promise<UploadAnswer>) | undefined
  close(): Promise<void>
}
