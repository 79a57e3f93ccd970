/** Streamed lists of our connections: what the first page of a service brought leaves before the second one is read. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { allScopes, type Graph, startGraph } from '../../support/graph.ts'
import { until } from '../../support/router.ts'
import { type ScriptedService, startScripted } from '../../support/scripted-service.ts'
import { ask, type Payload } from './kit.ts'

const perPage = 50
const total = 120
const v02 = 'multipart/mixed;incrementalSpec=v0.2, application/graphql-response+json'

let service: ScriptedService
let graph: Graph
/** Pages after the first wait for these. */
let gates: Map<string, () => void>
let isHeld: boolean
let failing: string | undefined

beforeAll(async () => {
  service = await startScripted(async ({ query }) => {
    const token = query.pageToken
    if (token !== undefined && isHeld) await new Promise<void>((resolve) => gates.set(token, resolve))
    if (token !== undefined && token === failing) return { status: 404, body: { error: { code: 404 } } }
    const from = Number(token?.slice(1) ?? 0)
    const size = Math.min(Number(query.maxResults ?? perPage), total - from)
    const next = from + size < total ? { nextPageToken: `p${from + size}` } : {}
    const items = Array.from({ length: size }, (_, at) => ({
      kind: 'video',
      id: `video${from + at}`,
      etag: `e${from + at}`,
      snippet: { title: `Title ${from + at}` },
    }))
    return { body: { items, ...next, pageInfo: { totalResults: total } } }
  })
  graph = await startGraph({ urls: { videos: service.url } })
})
afterAll(async () => {
  await graph[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})
beforeEach(() => {
  gates = new Map()
  isHeld = true
  failing = undefined
  service.arrived.length = 0
})

const tokens = (): readonly (string | undefined)[] => service.arrived.map(({ query }) => query.pageToken)

async function open(query: string) {
  const authorization = `Bearer ${await graph.token(allScopes)}`
  return ask(graph.url, query, v02, { headers: { authorization } })
}

async function release(token: string): Promise<void> {
  await until(() => gates.has(token), `page ${token} is asked for`)
  gates.get(token)?.()
}

const idsOf = (edges: readonly { readonly node: { readonly videoId: string } }[]): readonly string[] =>
  edges.map(({ node }) => node.videoId)
const ids = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, at) => `video${from + at}`)
const itemsOf = (payload: Payload) => payload.incremental.flatMap((each: Payload) => each.items ?? [])

/** As relay-compiler writes `@stream_connection`: the list is streamed, what is known at its end is deferred. */
const paged = `{
  chartVideos(chart: MOST_POPULAR, first: ${total}) {
    totalCount
    edges @stream(label: "edges", initialCount: 2) { cursor node { videoId snippet { title } } }
    ... @defer(label: "pageInfo") { pageInfo { hasNextPage endCursor } }
  }
}`

test('each page leaves before the next one is there, and what is known at the end comes last', async () => {
  await using answer = await open(paged)
  const first = await answer.next()
  expect(idsOf(first.data.chartVideos.edges)).toEqual(ids(0, 2))
  expect(first.data.chartVideos.totalCount).toBe(total)
  expect(first.data.chartVideos.pageInfo).toBeUndefined()
  const rest = await answer.next()
  expect(idsOf(itemsOf(rest))).toEqual(ids(2, perPage))
  expect(rest.hasNext).toBe(true)
  // Nothing but the first page was answered.
  await until(() => gates.size === 1, 'the second page is asked for')
  expect(tokens()).toEqual([undefined, 'p50'])
  await release('p50')
  const second = await answer.next()
  expect(idsOf(itemsOf(second))).toEqual(ids(50, 100))
  await release('p100')
  const last = await answer.rest()
  expect(last.flatMap(itemsOf).filter((each: Payload) => each.node !== undefined)).toHaveLength(20)
  const page = last.flatMap((each) => each.incremental ?? []).find((each: Payload) => each.data !== undefined)
  expect(last.at(-1)?.hasNext).toBe(false)
  expect(tokens()).toEqual([undefined, 'p50', 'p100'])

  isHeld = false
  const plain = await graph.ask(paged)
  expect(page.data).toEqual({ pageInfo: plain.data.chartVideos.pageInfo })
  const edges = [first.data.chartVideos.edges, ...[rest, second, ...last].map(itemsOf)].flat()
  expect(edges).toEqual(plain.data.chartVideos.edges)
})

test('nodes, with what the first part needs of a second page', async () => {
  const opening = open(
    `{ chartVideos(chart: MOST_POPULAR, first: ${total}) { nodes @stream(initialCount: 60) { videoId } } }`,
  )
  await release('p50')
  await using answer = await opening
  const first = await answer.next()
  expect(first.data.chartVideos.nodes).toHaveLength(60)
  const rest = await answer.next()
  expect(itemsOf(rest)).toHaveLength(40)
  await release('p100')
  const last = await answer.rest()
  expect(last.flatMap(itemsOf).map(({ videoId }: Payload) => videoId)).toEqual(ids(100, total))
})

test('what is asked of the end in the first part has it wait for all pages', async () => {
  const opening = open(
    `{ chartVideos(chart: MOST_POPULAR, first: 60) { nodes @stream { videoId } pageInfo { hasNextPage } } }`,
  )
  await release('p50')
  await using answer = await opening
  const first = await answer.next()
  expect(first.data.chartVideos).toEqual({ nodes: [], pageInfo: { hasNextPage: true } })
  expect((await answer.rest()).flatMap(itemsOf)).toHaveLength(60)
})

test('a page that fails ends its list, and takes nothing along that was sent', async () => {
  failing = 'p50'
  await using answer = await open(paged)
  const first = await answer.next()
  const rest = await answer.next()
  expect(itemsOf(rest)).toHaveLength(48)
  await release('p50')
  const last = await answer.rest()
  const completed = last.flatMap((each) => each.completed ?? [])
  const stream = first.pending.find(({ label }: Payload) => label === 'edges')
  const lost = completed.find(({ id }: Payload) => id === stream.id)
  expect(lost.errors).toHaveLength(1)
  expect(lost.errors[0].path.slice(0, 2)).toEqual(['chartVideos', 'edges'])
  expect(last.at(-1)?.hasNext).toBe(false)
  expect(completed).toHaveLength(2)
})

test('no page is asked for after the client has gone', async () => {
  {
    await using answer = await open(paged)
    await answer.next()
    await until(() => gates.has('p50'), 'the second page is asked for')
  }
  await until(() => service.arrived.some(({ givenUp }) => givenUp), 'the gateway gives the second page up')
  gates.get('p50')?.()
  isHeld = false
  // Another whole answer later, the third page was not asked for by the one that was left.
  const before = tokens().filter((token) => token === 'p100').length
  await graph.ask('{ chartVideos(chart: MOST_POPULAR, first: 10) { nodes { videoId } } }')
  expect(tokens().filter((token) => token === 'p100').length).toBe(before)
})
