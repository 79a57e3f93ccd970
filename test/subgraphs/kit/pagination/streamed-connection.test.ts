/** Connections whose pages are read while the first of them are sent. */
import type { GraphQLResolveInfo } from 'graphql'
import { describe, expect, test } from 'vitest'
import { withStreamedLists } from '../../../../shared/graphql/streamed-list.ts'
import {
  type Connection,
  type ConnectionArgs,
  type ConnectionSource,
  type StreamedConnection,
  connect,
  type Edge,
} from '../../../../subgraphs/kit/pagination/index.ts'

const whole = {} as GraphQLResolveInfo
const streamed = withStreamedLists(whole)

/** Seven numbers, three a page; counts its calls, and fails at one of them. */
function numbers(failsAt?: number) {
  const tokens: (string | undefined)[] = []
  const source: ConnectionSource<number> = {
    list: 'numbers',
    pages: { maxPageSize: 3, defaultPageSize: 3 },
    async fetch(token, size) {
      tokens.push(token)
      if (tokens.length === failsAt) throw new Error(`call ${failsAt} failed`)
      const from = Number(token ?? 0)
      const to = Math.min(from + size, 7)
      return {
        items: Array.from({ length: to - from }, (_, at) => from + at),
        next: to < 7 ? String(to) : undefined,
        previous: from > 0 ? String(Math.max(0, from - size)) : undefined,
        total: 7,
      }
    },
  }
  return { source, tokens }
}

async function continuedOf(
  args: ConnectionArgs,
  source: ConnectionSource<number>,
): Promise<StreamedConnection<number>> {
  const connection = await connect(args, source, streamed)
  if (Array.isArray(connection.nodes)) throw new Error('expected a connection that is read on')
  return connection as StreamedConnection<number>
}

describe('a connection that is streamed', () => {
  test('is there with its first page, and reads each page once, when it is asked for', async () => {
    const { source, tokens } = numbers()
    const connection = await continuedOf({ first: 7 }, source)
    expect(tokens).toEqual([undefined])
    expect(connection.totalCount).toBe(7)
    const nodes = connection.nodes.pages()
    expect((await nodes.next()).value).toEqual([0, 1, 2])
    expect(tokens).toEqual([undefined])
    expect((await nodes.next()).value).toEqual([3, 4, 5])
    expect(tokens).toEqual([undefined, '3'])
    expect((await nodes.next()).value).toEqual([6])
    expect((await nodes.next()).done).toBe(true)
    expect(await connection.nodes.whole()).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(tokens).toEqual([undefined, '3', '6'])
  })

  test('has what the whole connection has', async () => {
    const plain: Connection<number> = await connect({ first: 5 }, numbers().source)
    const { source, tokens } = numbers()
    const connection = await continuedOf({ first: 5 }, source)
    expect(await connection.pageInfo).toEqual(plain.pageInfo)
    expect(await connection.edges.whole()).toEqual(plain.edges)
    expect(await connection.nodes.whole()).toEqual(plain.nodes)
    expect(plain.nodes).toEqual([0, 1, 2, 3, 4])
    expect(tokens).toEqual([undefined, '3'])
  })

  test('begins within a page if its cursor is there', async () => {
    const { edges } = await connect({ first: 3 }, numbers().source)
    const connection = await continuedOf({ first: 3, after: edges[0]?.cursor }, numbers().source)
    const pages = connection.nodes.pages()
    expect((await pages.next()).value).toEqual([1, 2])
    expect((await pages.next()).value).toEqual([3])
    const cursors = (await connection.edges.whole()).map(({ cursor }: Edge<number>) => cursor)
    expect(cursors[0]).toBe(edges[1]?.cursor)
  })

  test('without items is empty, and makes no call', async () => {
    const { source, tokens } = numbers()
    const connection = await continuedOf({ first: 0 }, source)
    expect(await connection.nodes.whole()).toEqual([])
    expect(connection.totalCount).toBeNull()
    expect(await connection.pageInfo).toMatchObject({ hasNextPage: false, startCursor: null })
    expect(tokens).toEqual([])
  })

  test('fails as a whole with its first page', async () => {
    await expect(connect({ first: 7 }, numbers(1).source, streamed)).rejects.toThrow('call 1 failed')
  })

  test('fails for each reader of a later page, which is not asked for again', async () => {
    const { source, tokens } = numbers(2)
    const connection = await continuedOf({ first: 7 }, source)
    await expect(connection.nodes.whole()).rejects.toThrow('call 2 failed')
    await expect(connection.edges.whole()).rejects.toThrow('call 2 failed')
    await expect(connection.pageInfo).rejects.toThrow('call 2 failed')
    expect(tokens).toHaveLength(2)
  })
})

test('a connection is read whole if its lists are not streamed, or if it is read backward', async () => {
  expect(await connect({ first: 7 }, numbers().source, whole)).toMatchObject({ nodes: [0, 1, 2, 3, 4, 5, 6] })
  const { pageInfo } = await connect({ first: 7 }, numbers().source)
  const back = await connect({ last: 3, before: pageInfo.endCursor }, numbers().source, streamed)
  expect(back.nodes).toEqual([5])
})
