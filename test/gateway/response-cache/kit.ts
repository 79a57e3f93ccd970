/** A cache around a subgraph that is a function here, with a clock that tests turn. */
import type { IncomingHttpHeaders } from 'node:http'
import { parse } from 'graphql'
import { createGatewayRequest, type GatewayRequest } from '../../../engine/request.ts'
import type {
  CacheValidators,
  SubgraphFetch,
  SubgraphResult,
  Transport,
} from '../../../engine/subgraphs/index.ts'
import { compose } from '../../../engine/supergraph/compose/index.ts'
import { loadSupergraph, type Supergraph } from '../../../engine/supergraph/index.ts'
import {
  createChanges,
  createMemoryStore,
  createResponseCache,
  createSubgraphCaching,
  type ResponseCache,
  type SubgraphRules,
} from '../../../gateway/response-cache/index.ts'
import type { Identity } from '../../../shared/identity.ts'
import { subgraphOperation } from '../../support/subgraph-operation.ts'

export type Variables = Readonly<Record<string, unknown>>

export interface Sent {
  readonly variables: Variables
  readonly request: GatewayRequest
  readonly conditions: CacheValidators | undefined
}

export interface CacheTest {
  readonly cache: ResponseCache
  /** What reached the subgraph. */
  readonly sent: Sent[]
  readonly counts: Record<string, number>
  /** Milliseconds since 1970. */
  now: number
  /** The answer of the subgraph. */
  answer: (sent: Sent) => SubgraphResult | Promise<SubgraphResult>
  prepare(text: string, kind?: 'query' | 'mutation'): SubgraphFetch
  /** How often the subgraph is asked meanwhile. */
  asks(run: () => unknown): Promise<number>
}

export interface CacheTestOptions {
  readonly sdl: string
  readonly rules?: Partial<SubgraphRules>
  /** Names of the caller's headers that the subgraph gets. */
  readonly sends?: readonly string[]
  /** A whole supergraph instead of what is composed of `sdl`. */
  readonly supergraph?: string
  readonly cache?: ResponseCache
}

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: [
  "@key", "@shareable", "@requiresScopes", "@authenticated", "@composeDirective"
])\n`

export function supergraphFrom(sdl: string): Supergraph {
  const composition = compose([{ name: 'products', url: 'http://products', typeDefs: parse(link + sdl) }])
  if (composition.errors !== undefined)
    throw new Error(composition.errors.map(({ message }) => message).join('\n'))
  return loadSupergraph(composition.supergraph)
}

export function createCacheTest(options: CacheTestOptions): CacheTest {
  const { sends, rules = {} } = options
  const supergraph =
    options.supergraph === undefined ? supergraphFrom(options.sdl) : loadSupergraph(options.supergraph)
  const sent: Sent[] = []
  const counts: Record<string, number> = {}
  const now = (): number => self.now
  const cache = options.cache ?? createResponseCache(createMemoryStore(10_000_000, now), createChanges())
  const keep = createSubgraphCaching({
    cache,
    supergraph,
    rulesFor: () => ({ freshMs: undefined, revalidateMs: 0, errorMs: 0, quotaMs: 0, ...rules }),
    addressOf: () => 'http://products',
    timeoutMs: 10_000,
    now,
    count: (_, result, lookUps) => {
      counts[result] = (counts[result] ?? 0) + lookUps
    },
  })
  const transport: Transport = {
    name: 'products',
    callerHeaders: sends ?? [],
    prepare: () => (variables, request, extras) => {
      const one = { variables, request, conditions: extras?.validators }
      sent.push(one)
      return self.answer(one)
    },
    close: () => Promise.resolve(),
  }
  const kept = keep(transport)
  const self: CacheTest = {
    cache,
    sent,
    counts,
    now: Date.UTC(2026, 0, 1),
    answer: () => ({ data: {} }),
    prepare: (text, kind = 'query') => kept.prepare({ ...subgraphOperation(text), kind }),
    async asks(run) {
      const before = sent.length
      await run()
      return sent.length - before
    },
  }
  return self
}

export function requestOf(
  caller: { readonly identity?: Identity | undefined; readonly headers?: Record<string, string> } = {},
): GatewayRequest {
  const { headers = {} } = caller
  return createGatewayRequest({
    id: 'test',
    deadline: performance.now() + 60_000,
    header: (name) => headers[name],
    headers,
    identity: caller.identity,
  })
}

export const answeredWith = (headers: IncomingHttpHeaders, status = 200): SubgraphResult['answered'] => ({
  status,
  headers,
})
