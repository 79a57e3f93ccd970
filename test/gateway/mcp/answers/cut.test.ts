/** Cutting answers: within the bound, between items of lists, nothing lost, pages that can be gone on with. */
import fc from 'fast-check'
import { buildSchema, parse } from 'graphql'
import { expect, test } from 'vitest'
import { createAnswers } from '../../../../gateway/mcp/answers/answer.ts'
import { createRestStore } from '../../../../gateway/mcp/answers/rest.ts'
import { withCursors } from '../../../../gateway/mcp/answers/shape.ts'
import { ofAnyGraph } from '../../../../gateway/mcp/answers/strangers.ts'
import { memoryStores } from '../../../../gateway/stores/index.ts'

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

const idsIn = (text: string): string[] =>
  [...text.matchAll(/"id":"((?:shop|item)[\d-]+)"/g)].map(([, id]) => id ?? '')

test('an answer and all that more() gives have each item once, and none is over its bound', async () => {
  await fc.assert(
    fc.asyncProperty(seeds, fc.integer({ min: 300, max: 1200 }), async (shops, maxTokens) => {
      const answers = createAnswers({
        schema,
        isStranger: ofAnyGraph,
        rest: createRestStore(memoryStores),
        structured: false,
      })
      const data = dataOf(shops)
      const parts = { caller: 'me', maxTokens, query, operationName: undefined }
      let answer = await answers.ofResult({ data, errors: [] }, parts)
      const ids: string[] = []
      for (let round = 0; round < 200; round += 1) {
        expect(answer.isError).not.toBe(true)
        expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(maxTokens * 4)
        expect(answer.text).not.toContain('tesseraEdges')
        ids.push(...idsIn(answer.text))
        const { more } = JSON.parse(answer.text) as { more?: { handle: string } }
        if (more === undefined) break
        const next = await answers.ofRest(more.handle, 'me', maxTokens)
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
  const answers = createAnswers({
    schema,
    isStranger: ofAnyGraph,
    rest: createRestStore(memoryStores),
    structured: false,
  })
  const data = dataOf([{ tags: [], texts: Array.from({ length: 40 }, (_, n) => `text number ${n}`) }])
  const parts = { caller: 'me', maxTokens: 400, query, operationName: undefined }
  const { text } = await answers.ofResult({ data, errors: [] }, parts)
  const { items } = JSON.parse(text).data.shops.nodes[0]
  expect(items.nodes.length).toBeGreaterThan(0)
  expect(items.nodes.length).toBeLessThan(40)
  expect(items.pageInfo).toMatchObject({ hasNextPage: true })
  expect(items.pageInfo.endCursor).toContain(`s0i${items.nodes.length - 1}`)
  expect(JSON.parse(text).data.shops.pageInfo.hasNextPage).toBe(false)
})

test('a handle belongs to its caller, and there are sixteen of each', async () => {
  const rest = createRestStore(memoryStores)
  const first = (await rest.put('me', 'one')) ?? ''
  expect(await rest.get('me', first)).toBe('one')
  expect(await rest.get('you', first)).toBeUndefined()
  expect(await rest.get('me', `${first.slice(0, -1)}?`)).toBeUndefined()
  for (let n = 0; n < 16; n += 1) await rest.put('me', `later ${n}`)
  expect(await rest.get('me', first)).toBeUndefined()
  expect(await rest.put('me', 'x'.repeat(5_000_000))).toBeUndefined()
})

test('an answer that cannot be cut to fit is an error with a message, within the bound', async () => {
  const answers = createAnswers({
    schema,
    isStranger: ofAnyGraph,
    rest: createRestStore(memoryStores),
    structured: false,
  })
  const data = dataOf([{ tags: [], texts: ['x'.repeat(20_000)] }])
  const parts = { caller: 'me', maxTokens: 300, query, operationName: undefined }
  let answer = await answers.ofResult({ data, errors: [] }, parts)
  const { more } = JSON.parse(answer.text)
  answer = (await answers.ofRest(more.handle, 'me', 300)) ?? answer
  expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(1_200)
  expect(JSON.parse(answer.text).tooLarge).toBe('/shops/nodes/0/items/nodes/0')
})
