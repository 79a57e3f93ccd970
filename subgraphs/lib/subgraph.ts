/**
 * An executable subgraph from its name, its SDL file and its resolvers. What a subgraph is, for the
 * gateway and for the server of a single subgraph, is said here and nowhere else.
 */
import { existsSync, readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { type DocumentNode, type GraphQLSchema, parse } from 'graphql'
import type { Credential } from './credential.ts'
import type { SubgraphRequest } from './request.ts'
import { settleLists } from './settled-lists.ts'
import type { UpstreamEvent, UpstreamOptions, UpstreamState, UpstreamTuning } from './upstream.ts'

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

export interface Subgraph {
  readonly name: string
  readonly typeDefs: DocumentNode
  /** With `_entities` and `_service`. */
  readonly schema: GraphQLSchema
  /** What one request holds of this subgraph: its loaders and its view of the caller. A plain object: it may be copied. */
  createContext(request: SubgraphRequest): object
  /** How its service does; undefined where there is none behind it. */
  state?: (() => UpstreamState) | undefined
  /** How a gateway in the same process may execute it faster, with the same results. */
  readonly inProcess?: InProcess | undefined
  /** Takes uploads, where the subgraph has any. Rejects with a `tesseraError`. */
  upload?: ((exchange: UploadExchange, request: SubgraphRequest) => Promise<UploadAnswer>) | undefined
  close(): Promise<void>
}

/** What two of the same process can agree on. A `RawJson` may stand where a list or a scalar belongs. */
export interface InProcess {
  /** The schema, with fields that nobody else knows of. */
  readonly schema: GraphQLSchema
  /** The operation for that schema. */
  rewrite(document: DocumentNode): DocumentNode
}

/** What every subgraph with a service behind it is made from. */
export interface ServiceOptions {
  /** The service's `{base_url}`; a path in it is kept. */
  readonly baseUrl: string
  readonly credential: Credential
  /** Whether look-ups of different requests with the same credential share calls. On unless said. */
  readonly share?: boolean | undefined
  readonly tuning?: UpstreamTuning | undefined
  /** Told of every upstream call. */
  readonly observe?: ((event: UpstreamEvent) => void) | undefined
  /** Headers that carry the trace on, for each call. */
  readonly traceHeaders?: UpstreamOptions['traceHeaders']
  /** Asked before each call that leaves; throws to refuse it. */
  readonly admit?: UpstreamOptions['admit']
  /** Told afterwards of every call that was admitted. */
  readonly settle?: UpstreamOptions['settle']
}

export interface SubgraphParts {
  readonly name: string
  readonly resolvers: ResolverMap
  /** Fields for this process alone, and how operations are put to use them. */
  readonly inProcess?: {
    readonly typeDefs: string
    readonly resolvers: ResolverMap
    rewrite(schema: GraphQLSchema, document: DocumentNode): DocumentNode
  }
  createContext(request: SubgraphRequest): object
  readonly state?: Subgraph['state']
  readonly upload?: Subgraph['upload']
  close(): Promise<void>
}

type ResolverMap = NonNullable<
  Extract<
    Exclude<Parameters<typeof buildSubgraphSchema>[0], DocumentNode>[number],
    { typeDefs: unknown }
  >['resolvers']
>

/** The schema folder lies at the package's root, both in a checkout and beside the built JavaScript. */
export function schemaFileUrl(name: string): URL {
  const inCheckout = new URL('../../schema/', import.meta.url)
  const folder = existsSync(inCheckout) ? inCheckout : new URL('../../../schema/', import.meta.url)
  return new URL(`${name}.graphql`, folder)
}

/** The text of an SDL file in `schema/`, by its name without the ending. */
export function readSchemaFile(name: string): string {
  return readFileSync(schemaFileUrl(name), 'utf8')
}

export function createSubgraph(parts: SubgraphParts): Subgraph {
  const typeDefs = parse(readSchemaFile(parts.name))
  const own = { typeDefs, resolvers: parts.resolvers }
  return {
    name: parts.name,
    typeDefs,
    schema: settleLists(buildSubgraphSchema([own])),
    inProcess: parts.inProcess && inProcessFrom(own, parts.inProcess),
    createContext: parts.createContext,
    state: parts.state,
    upload: parts.upload,
    close: parts.close,
  }
}

function inProcessFrom(
  own: { typeDefs: DocumentNode; resolvers: ResolverMap },
  { typeDefs, resolvers, rewrite }: NonNullable<SubgraphParts['inProcess']>,
): InProcess {
  const schema = settleLists(buildSubgraphSchema([own, { typeDefs: parse(typeDefs), resolvers }]))
  return { schema, rewrite: (document) => rewrite(schema, document) }
}
