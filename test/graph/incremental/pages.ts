/** A gateway before a video service whose chart stands on several pages. Pages after the first come when a test lets them. */
import { allScopes, type Graph, startGraph } from '../../support/graph.ts'
import { until } from '../../support/router.ts'
import { type ScriptedService, startScripted } from '../../support/scripted-service.ts'
import { ask, type RawAnswer } from './kit.ts'

export const perPage = 50
export const total = 120

export interface Pages extends AsyncDisposable {
  readonly service: ScriptedService
  readonly graph: Graph
  /** Whether pages after the first are held. */
  isHeld: boolean
  /** How long titles are, if they are to be long. */
  titleBytes: number
  /** The token of a page that the service does not know. */
  failing: string | undefined
  /** The pages that were asked for, by their tokens. */
  tokens(): readonly (string | undefined)[]
  /** Asks for an incremental response of the current form. */
  open(query: string): Promise<RawAnswer>
  isAsked(token: string): boolean
  /** Waits until a page is asked for, and lets it go. */
  release(token: string): Promise<void>
  reset(): void
}

export async function startPages(env: Readonly<Record<string, string>> = {}): Promise<Pages> {
  const gates = new Map<string, () => void>()
  const service = await startScripted(async ({ query }) => {
    const token = query.pageToken
    if (token !== undefined && pages.isHeld) await new Promise<void>((resolve) => gates.set(token, resolve))
    if (token !== undefined && token === pages.failing) return { status: 404, body: { error: { code: 404 } } }
    const from = Number(token?.slice(1) ?? 0)
    const size = Math.min(Number(query.maxResults ?? perPage), total - from)
    const next = from + size < total ? { nextPageToken: `p${from + size}` } : {}
    const items = Array.from({ length: size }, (_, at) => ({
      kind: 'video',
      id: `video${from + at}`,
      etag: `e${from + at}`,
      snippet: { title: `Title ${from + at}`.padEnd(pages.titleBytes) },
    }))
    return { body: { items, ...next, pageInfo: { totalResults: total } } }
  })
  const graph = await startGraph({ env, urls: { videos: service.url } })
  const pages: Pages = {
    service,
    graph,
    isHeld: true,
    titleBytes: 0,
    failing: undefined,
    tokens: () => service.arrived.map(({ query }) => query.pageToken),
    async open(query) {
      const authorization = `Bearer ${await graph.token(allScopes)}`
      const accept = 'multipart/mixed;incrementalSpec=v0.2, application/graphql-response+json'
      return ask(graph.url, query, accept, { headers: { authorization } })
    },
    isAsked: (token) => gates.has(token),
    async release(token) {
      await until(() => gates.has(token), `page ${token} is asked for`)
      gates.get(token)?.()
    },
    reset() {
      for (const go of gates.values()) go()
      gates.clear()
      pages.isHeld = true
      pages.failing = undefined
      pages.titleBytes = 0
      service.arrived.length = 0
    },
    async [Symbol.asyncDispose]() {
      pages.reset()
      await graph[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
    },
  }
  return pages
}

/** As relay-compiler writes `@stream_connection`: the list is streamed, what is known at its end is deferred. */
export const paged = `query Paged {
  chartVideos(chart: MOST_POPULAR, first: ${total}) {
    totalCount
    edges @stream(label: "edges", initialCount: 2) { cursor node { videoId snippet { title } } }
    ... @defer(label: "pageInfo") { pageInfo { hasNextPage endCursor } }
  }
}`
