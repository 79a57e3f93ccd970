/** Lists whose page tokens form a loop: reading ends with an error, and the items so far stay. */
import { hash } from 'node:crypto'
import fc from 'fast-check'
import type { GraphQLResolveInfo } from 'graphql'
import { describe, expect, test } from 'vitest'
import { withStreamedLists } from '../../../../shared/graphql/streamed-list.ts'
import type { PartialErrors } from '../../../../shared/graphql/partial-errors.ts'
import {
  type ConnectionSource,
  type StreamedConnection,
  connect,
  type Page,
  visitPages,
} from '../../../../subgraphs/kit/pagination/index.ts'
import { VisitedPages } from '../../../../subgraphs/kit/pagination/visited-pages.ts'

const info = {
  path: { prev: undefined, key: 'letters', typename: 'Query' },
  fieldNodes: [],
} as unknown as GraphQLResolveInfo

/** Pages by their tokens; counts the calls. */
function listOf(pageAt: (token: string | undefined, size: number) => Page<string>, maxPageSize = 10) {
  const calls: (string | undefined)[] = []
  const source: ConnectionSource<string> = {
    list: 'letters',
    service: 'letters',
    keyOf: (item) => item,
    pages: { maxPageSize, defaultPageSize: 2 },
    async fetch(token, size) {
      calls.push(token)
      return pageAt(token, size)
    },
  }
  return { source, calls }
}

/** All items of a walk with pages of so many, as a client makes it, and the errors that came along. */
async function walk(source: ConnectionSource<string>, first: number, mostRequests = 1000) {
  const items: string[] = []
  const context: PartialErrors = { partialErrors: [] }
  let after: string | null = null
  let requests = 0
  do {
    requests += 1
    if (requests > mostRequests) throw new Error(`no end after ${mostRequests} requests`)
    const { nodes, pageInfo } = (await connect({ first, after }, source, info, context)) as {
      nodes: readonly string[]
      pageInfo: { hasNextPage: boolean; endCursor: string | null }
    }
    items.push(...nodes)
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null
  } while (after !== null)
  return { items, requests, reasons: context.partialErrors.map(reasonOf) }
}

const reasonOf = ({ extensions }: { extensions: Record<string, unknown> }) =>
  `${extensions.code} ${(extensions.upstream as { reason: string }).reason}`

const letters = (from: number, size: number) => Array.from({ length: size }, (_, at) => `item ${from + at}`)

describe('a service that', () => {
  test.each([1, 2, 7, 25])('ignores the token gives its items once, read %i at a time', async (first) => {
    const { source, calls } = listOf((_, size) => ({ items: letters(0, size), next: 'more' }))
    const { items, reasons } = await walk(source, first)
    expect(new Set(items).size).toBe(items.length)
    expect(items.length).toBe(Math.min(first, 10))
    expect(reasons).toEqual(['UPSTREAM_BAD_RESPONSE pagesRepeat'])
    expect(calls).toEqual([undefined, 'more'])
  })

  test('ignores the token, and always hands out another one, gives its items once', async () => {
    let tokens = 0
    const { source, calls } = listOf((_, size) => ({ items: letters(0, size), next: `t${tokens++}` }))
    const { items, reasons } = await walk(source, 4)
    expect(items).toEqual(letters(0, 4))
    expect(reasons).toEqual(['UPSTREAM_BAD_RESPONSE pagesRepeat'])
    expect(calls).toHaveLength(2)
  })

  test('returns the token that was sent keeps the page that came with it', async () => {
    const { source, calls } = listOf((token) =>
      token === undefined ? { items: ['a', 'b'], next: 'c' } : { items: ['c', 'd'], next: token },
    )
    const { items, reasons } = await walk(source, 25)
    expect(items).toEqual(['a', 'b', 'c', 'd'])
    expect(reasons).toEqual(['UPSTREAM_BAD_RESPONSE pagesRepeat'])
    expect(calls).toEqual([undefined, 'c'])
  })

  test('moves one item to the next page while it is read is followed', async () => {
    const { source } = listOf(
      (token) =>
        token === undefined
          ? { items: ['a'], next: '1' }
          : token === '1'
            ? { items: ['a'], next: '2' }
            : { items: ['b'] },
      1,
    )
    expect(await walk(source, 1)).toMatchObject({ items: ['a', 'a', 'b'], reasons: [] })
  })

  test('goes in a circle is left when it is read backward as well', async () => {
    const { source, calls } = listOf((token) => {
      const at = Number(token ?? 2)
      return { items: [`item ${at}`], next: `${at + 1}`, previous: `${(at + 2) % 3}` }
    }, 1)
    const start = await connect({ first: 1 }, source)
    calls.length = 0
    const context: PartialErrors = { partialErrors: [] }
    const { nodes } = await connect({ last: 50, before: start.pageInfo.endCursor }, source, info, context)
    expect(nodes).toEqual(['item 2', 'item 0', 'item 1'])
    expect(calls).toEqual(['1', '0', '2'])
    expect(context.partialErrors.map(reasonOf)).toEqual(['UPSTREAM_BAD_RESPONSE pagesRepeat'])
  })
})

test('a walk of any list of pages ends, in so many calls, with each item of a page once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 90 }),
      fc.nat(),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 30 }),
      fc.boolean(),
      async (pages, back, pageSize, first, isWhole) => {
        const target = back % pages
        const { source, calls } = listOf((token) => {
          const at = token === undefined ? 0 : Number(token.slice(1))
          const next = at + 1 < pages ? at + 1 : isWhole ? undefined : target
          return {
            items: letters(at * pageSize, pageSize),
            next: next === undefined ? undefined : `p${next}`,
          }
        }, pageSize)
        const { items, requests, reasons } = await walk(source, first)
        const all = letters(0, pages * pageSize)
        expect(items.slice(0, all.length)).toEqual(all)
        expect(reasons).toEqual(isWhole ? [] : ['UPSTREAM_BAD_RESPONSE pagesRepeat'])
        // A page is read once more for each request that begins within it.
        expect(calls.length).toBeLessThanOrEqual(3 * pages + 2 + requests)
        const circle = pages - target
        // The first page has no token: a circle that begins there passes it once more by its token.
        if (isWhole || (circle <= 32 && target > 0)) expect(items).toEqual(all)
      },
    ),
    { numRuns: 300 },
  )
})

test('a streamed list ends with the error, after the items that came', async () => {
  const { source, calls } = listOf((token) =>
    token === undefined ? { items: ['a', 'b'], next: 'c' } : { items: ['c', 'd'], next: token },
  )
  const streamed = (await connect(
    { first: 25 },
    source,
    withStreamedLists(info),
  )) as StreamedConnection<string>
  const pages = streamed.nodes.pages()
  expect((await pages.next()).value).toEqual(['a', 'b'])
  expect((await pages.next()).value).toEqual(['c', 'd'])
  const end = await pages.next()
  expect(end.done).toBe(true)
  expect(reasonOf(end.value as never)).toBe('UPSTREAM_BAD_RESPONSE pagesRepeat')
  expect(await streamed.pageInfo).toMatchObject({ hasNextPage: false })
  expect(calls).toEqual([undefined, 'c'])
})

test('what seeks in a list ends at a token that came before, and at its bound', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.nat({ max: 12 }), { nil: undefined }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 15 }),
      async (nexts, mostPages) => {
        const tokens: (number | undefined)[] = []
        const broken = await visitPages({
          service: 'letters',
          mostPages,
          async fetch(token) {
            const at = token === undefined ? undefined : Number(token)
            tokens.push(at)
            const next = nexts[(at ?? 0) % nexts.length]
            return { next: next === undefined ? undefined : String(next) }
          },
          visit: () => false,
        })
        expect(new Set(tokens).size).toBe(tokens.length)
        expect(tokens.length).toBeLessThanOrEqual(mostPages)
        const last = tokens.at(-1)
        const named = nexts[(last ?? 0) % nexts.length]
        expect(broken === undefined).toBe(named === undefined)
        if (broken !== undefined)
          expect(reasonOf(broken)).toBe(
            `UPSTREAM_BAD_RESPONSE ${tokens.includes(named) ? 'pagesRepeat' : 'tooManyPages'}`,
          )
      },
    ),
  )
})

test('two tokens whose short digests are equal are two pages of one request', () => {
  const short = (token: string): string => hash('sha256', token, 'base64url').slice(0, 5)
  const known = new Map<string, string>()
  let pair: [string, string] | undefined
  for (let i = 0; pair === undefined; i++) {
    const token = `t${i}`
    const other = known.get(short(token))
    if (other !== undefined) pair = [other, token]
    known.set(short(token), token)
  }
  const visited = new VisitedPages('forward', undefined)
  // The digest of every page whose number is a power of two is compared too.
  for (const token of ['x', 'y', pair[0]]) visited.enter(token)
  expect(visited.refuses(pair[0])).toBe('circle')
  expect(visited.refuses(pair[1])).toBeUndefined()
})
