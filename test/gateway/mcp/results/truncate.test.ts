/** Cutting answers: within the bound, between items of lists, nothing lost, pages that can be gone on with. */
import fc from 'fast-check'
import { buildSchema, GraphQLError, parse } from 'graphql'
import { expect, test } from 'vitest'
import { createRemainderStore, type RemainderStore } from '../../../../gateway/mcp/results/remainder-store.ts'
import { withCursors } from '../../../../gateway/mcp/results/shape.ts'
import { ToolResults } from '../../../../gateway/mcp/results/tool-results.ts'
import { type IsUntrusted, untrustedInAnyGraph } from '../../../../gateway/mcp/results/untrusted-fields.ts'
import { createRedisStores, memoryStores } from '../../../../gateway/stores/index.ts'
import { createLogger } from '../../../../gateway/telemetry/log.ts'
import { startRedis, withRedis } from '../../../support/redis.ts'

const schema = buildSchema(`
  type Query { shops: ShopConnection }
  type ShopConnection { edges: [ShopEdge!]! nodes: [Shop!]! pageInfo: PageInfo! }
  type ShopEdge { cursor: String! node: Shop! }
  type Shop { id: ID! tags: [Int!]! items: ItemConnection }
  type ItemConnection { edges: [ItemEdge!]! nodes: [Item!]! pageInfo: PageInfo! }
  type ItemEdge { cursor: String! node: Item! }
  type Item { id: ID! text: String }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
`)
const query = withCursors(
  schema,
  parse(
    '{ shops { nodes { id tags items { nodes { id text } pageInfo { hasNextPage endCursor } } } pageInfo { hasNextPage endCursor } } }',
  ),
)

const answersOver = (
  over = schema,
  {
    rest = createRemainderStore(memoryStores),
    isUntrusted = untrustedInAnyGraph,
  }: { rest?: RemainderStore; isUntrusted?: IsUntrusted } = {},
) => new ToolResults({ schema: over, isUntrusted, remainders: rest, structured: false })

const me = { caller: 'me', scopes: new Set(['read']) }
const asked = (maxTokens: number, text = query) =>
  ({ ...me, maxTokens, query: text, operationName: undefined }) as const

interface ShopSeed {
  readonly tags: readonly number[]
  readonly texts: readonly string[]
}

/** The data that a graph would answer: hidden cursors included. */
function dataOf(shops: readonly ShopSeed[]): object {
  const connection = (prefix: string, nodes: readonly object[]): object => ({
    nodes,
    pageInfo: { hasNextPage: false, endCursor: `${prefix}${nodes.length - 1}` },
    tesseraEdges: nodes.map((_, at) => ({ tesseraCursor: `${prefix}${at}` })),
  })
  return {
    shops: connection(
      's',
      shops.map(({ tags, texts }, shop) => ({
        id: `shop${shop}`,
        tags,
        items: connection(
          `s${shop}i`,
          texts.map((text, item) => ({ id: `item${shop}-${item}`, text })),
        ),
      })),
    ),
  }
}

const seeds = fc.array(
  fc.record({
    tags: fc.array(fc.nat(9), { maxLength: 5 }),
    texts: fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 12 }),
  }),
  { maxLength: 12 },
)

const failures = fc.array(
  fc.string({ unit: 'binary', maxLength: 700 }).map((message) => new GraphQLError(message)),
  { maxLength: 3 },
)

const bounds = fc.integer({ min: 300, max: 1200 })

const idsIn = (text: string): string[] =>
  [...text.matchAll(/"id":"((?:shop|item)[\d-]+)"/g)].map(([, id]) => id ?? '')

test('an answer and all that more() gives have each item once, and none is over its bound', async () => {
  await fc.assert(
    fc.asyncProperty(seeds, failures, bounds, async (shops, errors, maxTokens) => {
      const answers = answersOver()
      const data = dataOf(shops)
      let answer = await answers.ofResult({ data, errors }, asked(maxTokens))
      const ids: string[] = []
      for (let round = 0; round < 200; round += 1) {
        expect(answer.isError).not.toBe(true)
        expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(maxTokens * 4)
        expect(answer.text).not.toContain('tesseraEdges')
        ids.push(...idsIn(answer.text))
        const { more } = JSON.parse(answer.text) as { more?: { handle: string } }
        if (more === undefined) break
        const next = await answers.ofRest(more.handle, me, maxTokens)
        expect(next).toBeDefined()
        if (next !== undefined) answer = next
      }
      const all = shops.flatMap(({ texts }, shop) => [
        `shop${shop}`,
        ...texts.map((_, item) => `item${shop}-${item}`),
      ])
      expect(ids.sort()).toEqual(all.sort())
    }),
    { numRuns: 60 },
  )
})

test('a cut page ends with its last item, so that plain paging continues from there', async () => {
  const answers = answersOver()
  const data = dataOf([{ tags: [], texts: Array.from({ length: 40 }, (_, n) => `text number ${n}`) }])
  const { text } = await answers.ofResult({ data, errors: [] }, asked(400))
  const { items } = JSON.parse(text).data.shops.nodes[0]
  expect(items.nodes.length).toBeGreaterThan(0)
  expect(items.nodes.length).toBeLessThan(40)
  expect(items.pageInfo).toMatchObject({ hasNextPage: true })
  expect(items.pageInfo.endCursor).toContain(`s0i${items.nodes.length - 1}`)
  expect(JSON.parse(text).data.shops.pageInfo.hasNextPage).toBe(false)
})

test('an answer that cannot be cut to fit is an error with a message, within the bound', async () => {
  const answers = answersOver()
  const data = dataOf([{ tags: [], texts: ['x'.repeat(20_000)] }])
  let answer = await answers.ofResult({ data, errors: [] }, asked(300))
  const { more } = JSON.parse(answer.text)
  answer = (await answers.ofRest(more.handle, me, 300)) ?? answer
  expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(1_200)
  expect(JSON.parse(answer.text).tooLarge).toBe('/shops/nodes/0/items/nodes/0')
})

const series = buildSchema('type Query { series: [Series!]! } type Series { name: String! values: [Int!]! }')
const ofSeries = '{ series { name values } }'

/** An answer that is longer than its bound, with the handle of its rest. */
async function cutSeries() {
  const answers = answersOver(series)
  const data = { series: [{ name: 'a', values: Array.from({ length: 2_000 }, (_, n) => n) }] }
  const { text } = await answers.ofResult({ data, errors: [] }, asked(300, ofSeries))
  return { answers, handle: JSON.parse(text).more.handle as string }
}

const paged = buildSchema(`
  type Query { items(after: String): ItemConnection! }
  type ItemConnection { edges: [Edge!]! pageInfo: PageInfo! }
  type Edge { cursor: String! node: String! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
`)

/** Reads an answer to its end, as a model does; each request comes twice, as after a lost answer. */
async function expectWhole(rest: RemainderStore): Promise<void> {
  const answers = answersOver(series, { rest })
  const values = (): number[] => Array.from({ length: 3_000 }, (_, n) => 1_000_000 + n)
  const data = { series: ['a', 'b', 'c', 'd'].map((name) => ({ name, values: values() })) }
  let read = 0
  let { text } = await answers.ofResult({ data, errors: [] }, asked(1_000, ofSeries))
  for (;;) {
    const answer = JSON.parse(text)
    read += [...text.matchAll(/\b1\d{6}\b/g)].length
    if (answer.more === undefined) break
    expect(answer.more.handle).toEqual(expect.any(String))
    const [once, again] = await Promise.all([1, 2].map(() => answers.ofRest(answer.more.handle, me, 1_000)))
    expect(again).toEqual(once)
    text = once?.text ?? ''
  }
  expect(read).toBe(12_000)
}

/** The answer fits into them once. */
const limits = { ofCaller: 150_000 }

test('a large answer is read to its end', () => expectWhole(createRemainderStore(memoryStores, limits)))

test.runIf(withRedis('large answers'))('a large answer is read to its end from Redis', async () => {
  await using redis = await startRedis()
  const stores = createRedisStores({ url: redis.url, log: createLogger({ level: 'silent' }) })
  const rest = createRemainderStore(stores, limits)
  await expectWhole(rest)
  rest.close()
})

test('a page of which nothing is kept goes on from the cursor that it was asked for with', async () => {
  const answers = answersOver(paged, { isUntrusted: () => false })
  const items = Array.from({ length: 3 }, (_, n) => ({ cursor: `c${n}`, node: 'x'.repeat(3_000) }))
  const data = { items: { edges: items, pageInfo: { hasNextPage: false, endCursor: 'c2' } } }
  const document =
    'query ($after: String) { items(after: $after) { edges { cursor node } pageInfo { hasNextPage endCursor } } }'
  for (const [variables, endCursor] of [
    [{ after: 'b9' }, 'b9'],
    [{}, null],
  ] as const) {
    const { text } = await answers.ofResult({ data, errors: [] }, { ...asked(400, document), variables })
    expect(JSON.parse(text).data.items).toEqual({ edges: [], pageInfo: { hasNextPage: true, endCursor } })
  }
})

test('a rest is shown to no token that lacks a scope with which it was read', async () => {
  const { answers, handle } = await cutSeries()
  expect(await answers.ofRest(handle, { ...me, scopes: new Set() }, 300)).toBeUndefined()
  expect(await answers.ofRest(handle, { ...me, scopes: new Set(['read', 'write']) }, 300)).toBeDefined()
})

test.each([
  ...['', '.', '.0', '.9.0', '.0.999999', '.-1.0', '.0.0.100', '.0.0.1.0', '.0.0.0.0.0', '.x.0', '.1e3.0'],
  '.0'.repeat(40),
])('a handle that ends with %j gives at most what is kept', async (place) => {
  const { answers, handle } = await cutSeries()
  const found = await answers.ofRest(`${handle}${place}`, me, 300)
  expect(found === undefined || Buffer.byteLength(found.text) <= 1_200).toBe(true)
})
