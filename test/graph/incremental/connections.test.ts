/** Streamed lists of our connections: the items of the first page are sent before the second page is read. */
import { beforeEach, expect, test } from 'vitest'
import { keepForFile } from '../../support/keep.ts'
import { until } from '../../support/router.ts'
import type { Payload } from './kit.ts'
import { paged, perPage, startPages, total } from './pages.ts'

const pages = keepForFile(await startPages())
beforeEach(() => pages.reset())

const idsOf = (edges: readonly { readonly node: { readonly videoId: string } }[]): readonly string[] =>
  edges.map(({ node }) => node.videoId)
const ids = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, at) => `video${from + at}`)
const itemsOf = (payload: Payload) => payload.incremental.flatMap((each: Payload) => each.items ?? [])

test('each page leaves before the next one is there, and what is known at the end comes last', async () => {
  await using answer = await pages.open(paged)
  const first = await answer.next()
  expect(idsOf(first.data.chartVideos.edges)).toEqual(ids(0, 2))
  expect(first.data.chartVideos.totalCount).toBe(total)
  expect(first.data.chartVideos.pageInfo).toBeUndefined()
  const rest = await answer.next()
  expect(idsOf(itemsOf(rest))).toEqual(ids(2, perPage))
  expect(rest.hasNext).toBe(true)
  // Nothing but the first page was answered.
  await until(() => pages.isAsked('p50'), 'the second page is asked for')
  expect(pages.tokens()).toEqual([undefined, 'p50'])
  await pages.release('p50')
  const second = await answer.next()
  expect(idsOf(itemsOf(second))).toEqual(ids(50, 100))
  await pages.release('p100')
  const last = await answer.rest()
  expect(last.flatMap(itemsOf).filter((each: Payload) => each.node !== undefined)).toHaveLength(20)
  const page = last.flatMap((each) => each.incremental ?? []).find((each: Payload) => each.data !== undefined)
  expect(last.at(-1)?.hasNext).toBe(false)
  expect(pages.tokens()).toEqual([undefined, 'p50', 'p100'])

  pages.isHeld = false
  const plain = await pages.graph.ask(paged)
  expect(page.data).toEqual({ pageInfo: plain.data.chartVideos.pageInfo })
  const edges = [first.data.chartVideos.edges, ...[rest, second, ...last].map(itemsOf)].flat()
  expect(edges).toEqual(plain.data.chartVideos.edges)
})

test('nodes, with what the first part needs of a second page', async () => {
  const opening = pages.open(
    `{ chartVideos(chart: MOST_POPULAR, first: ${total}) { nodes @stream(initialCount: 60) { videoId } } }`,
  )
  await pages.release('p50')
  await using answer = await opening
  const first = await answer.next()
  expect(first.data.chartVideos.nodes).toHaveLength(60)
  const rest = await answer.next()
  expect(itemsOf(rest)).toHaveLength(40)
  await pages.release('p100')
  const last = await answer.rest()
  expect(last.flatMap(itemsOf).map(({ videoId }: Payload) => videoId)).toEqual(ids(100, total))
})

test('what a deferred fragment around the list asks for of its items comes with each page', async () => {
  await using answer = await pages.open(
    `{ chartVideos(chart: MOST_POPULAR, first: ${total}) { edges @stream(initialCount: 2) { cursor } }
      ... @defer(label: "titles") { chartVideos(chart: MOST_POPULAR, first: ${total}) {
        edges @stream(initialCount: 2) { node { videoId snippet { title } } } } } }`,
  )
  const first = await answer.next()
  await pages.release('p50')
  await pages.release('p100')
  const { edges } = first.data.chartVideos
  const labels = new Set<unknown>()
  for (const { pending = [], incremental = [] } of [first, ...(await answer.rest())]) {
    for (const { label } of pending) labels.add(label)
    for (const { items, subPath = [], data } of incremental) {
      const index = subPath.at(-1)
      if (items !== undefined) edges.push(...items)
      else if (typeof index === 'number') Object.assign(edges[index], data)
      else for (const [at, edge] of data.chartVideos.edges.entries()) Object.assign(edges[at], edge)
    }
  }
  expect(labels).toContain('titles')
  expect(idsOf(edges)).toEqual(ids(0, total))
  expect(edges.every(({ cursor }: Payload) => typeof cursor === 'string')).toBe(true)
})

test('a request for the end in the first part makes it wait for all pages', async () => {
  const opening = pages.open(
    `{ chartVideos(chart: MOST_POPULAR, first: 60) { nodes @stream { videoId } pageInfo { hasNextPage } } }`,
  )
  await pages.release('p50')
  await using answer = await opening
  const first = await answer.next()
  expect(first.data.chartVideos).toEqual({ nodes: [], pageInfo: { hasNextPage: true } })
  expect((await answer.rest()).flatMap(itemsOf)).toHaveLength(60)
})

test('a page that fails ends its list, and takes nothing along that was sent', async () => {
  pages.failing = 'p50'
  await using answer = await pages.open(paged)
  const first = await answer.next()
  const rest = await answer.next()
  expect(itemsOf(rest)).toHaveLength(48)
  await pages.release('p50')
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
    await using answer = await pages.open(paged)
    await answer.next()
    await until(() => pages.isAsked('p50'), 'the second page is asked for')
  }
  await until(
    () => pages.service.arrived.some(({ givenUp }) => givenUp),
    'the gateway gives the second page up',
  )
  await pages.release('p50')
  pages.isHeld = false
  // Another whole answer later, the third page was not asked for by the one that was left.
  const before = pages.tokens().filter((token) => token === 'p100').length
  await pages.graph.ask('{ chartVideos(chart: MOST_POPULAR, first: 10) { nodes { videoId } } }')
  expect(pages.tokens().filter((token) => token === 'p100').length).toBe(before)
})

test('a streamed list and the same list in whole read each page once', async () => {
  pages.isHeld = false
  const list = `chartVideos(chart: MOST_POPULAR, first: ${total})`
  await using answer = await pages.open(
    `{ streamed: ${list} { nodes @stream(initialCount: 1) { videoId } } whole: ${list} { nodes { videoId } } }`,
  )
  const first = await answer.next()
  const later = (await answer.rest()).flatMap(itemsOf)
  expect([...first.data.streamed.nodes, ...later]).toEqual(first.data.whole.nodes)
  expect(first.data.whole.nodes.map(({ videoId }: Payload) => videoId)).toEqual(ids(0, total))
  expect(pages.tokens()).toEqual([undefined, 'p50', 'p100'])
})
