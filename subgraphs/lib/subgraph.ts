/**
 * An executable subgraph from its name, its SDL file and its resolvers. What a subgraph is, for the
 * gateway and for the server of a single subgraph, is said here and nowhere else.
 */
import { existsSync, readFileSync } from 'node:fs'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { type DocumentNode, type GraphQLSchema, parse } from 'graphql'
import type { Credential } from './credential.ts'
import type { SubgraphRequest } from './request.ts'
import { settleLists } from './settled-lists.ts'
import type { UpstreamEvent, UpstreamTuning } from './upstream.ts'

export interface Subgraph {
  readonly name: string
  readonly typeDefs: DocumentNode
  /** With `_entities` and `_service`. */
  readonly schema: GraphQLSchema
  /** What one request holds of this subgraph: its loaders and its view of the caller. */
  createContext(request: SubgraphRequest): object
  close(): Promise<void>
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
}

export interface SubgraphParts {
  readonly name: string
  readonly resolvers: ResolverMap
  createContext(request: SubgraphRequest): object
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
  return {
    name: parts.name,
    typeDefs,
    schema: settleLists(buildSubgraphSchema([{ typeDefs, resolvers: parts.resolvers }])),
    createContext: parts.createContext,
    close: parts.close,
  }
}
