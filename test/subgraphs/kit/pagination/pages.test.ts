/** Which pages are read, with which tokens and sizes, and what a connection says about the pages beyond them. */
import { describe, expect, test } from 'vitest'
import { tesseraError } from '../../../../shared/errors.ts'
import { positionOf } from '../../../../subgraphs/kit/pagination/cursor.ts'
import {
  type ConnectionSource,
  connect,
  headEdge,
  type Page,
} from '../../../../subgraphs/kit/pagination/index.ts'

type Call = readonly [token: string | undefined, size: number]

/** A list by its pages, whatever size is asked for. */
function scripted(
  pages: Readonly<Record<string, Page<string>>>,
  more: Partial<ConnectionSource<string>> = {},
) {
  const calls: Call[] = []
  const source: ConnectionSource<string> = {
    list: 'letters',
    pages: { maxPageSize: 10, defaultPageSize: 2 },
    async fetch(token, size) {
      calls.push([token, size])
      const page = pages[token ?? '']
      if (page === undefined) throw new Error(`no page ${token}`)
      return page
    },
    ...more,
  }
  return { source, calls }
}

const three = {
  '': { items: ['a', 'b'], next: 'c' },
  c: { items: ['c', 'd'], next: 'e', previous: '<' },
  '<': { items: ['a', 'b'], next: 'c' },
  e: { items: ['e'], previous: 'c' },
}

describe('what is beyond a connection', () => {
  test('of the whole list is nothing', async () => {
    const { pageInfo } = await connect({ first: 25 }, scripted(three).source)
    expect(pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false })
    expect(positionOf(pageInfo.startCursor ?? '')).toEqual({
      token: undefined,
      size: 10,
      index: 0,
      next: undefined,
      previous: undefined,
    })
    expect(positionOf(pageInfo.endCursor ?? '')).toMatchObject({
      token: 'e',
      size: 10,
      index: 0,
      next: undefined,
      previous: 'c',
    })
  })

  test('of a part of a page is the rest of the page', async () => {
    const { source } = scripted({ '': { items: ['a', 'b', 'c'] } })
    const start = await connect({ first: 1 }, source)
    expect(start.nodes).toEqual(['a'])
    expect(start.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false })
    const middle = await connect({ first: 1, after: start.pageInfo.endCursor }, source)
    expect(middle.nodes).toEqual(['b'])
    expect(middle.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true })
    expect(middle.pageInfo.startCursor).toBe(middle.pageInfo.endCursor)
    const end = await connect({ first: 5, after: middle.pageInfo.endCursor }, source)
    expect(end.nodes).toEqual(['c'])
    expect(end.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true })
  })

  test('of no items is what the arguments say', async () => {
    const { source, calls } = scripted(three)
    const { pageInfo } = await connect({ first: 2 }, source)
    calls.length = 0
    const nothing = { startCursor: null, endCursor: null }
    expect((await connect({ first: 0 }, source)).pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      ...nothing,
    })
    expect((await connect({ first: 0, after: pageInfo.endCursor }, source)).pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: true,
      ...nothing,
    })
    expect((await connect({ last: 0, before: pageInfo.endCursor }, source)).pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      ...nothing,
    })
    expect((await connect({ last: 2, before: pageInfo.startCursor }, source)).pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      ...nothing,
    })
    expect(calls).toEqual([])
  })

  test('of an empty list is nothing, and its total is 0', async () => {
    const connection = await connect({ first: 5 }, scripted({ '': { items: [] } }).source)
    expect(connection.totalCount).toBe(0)
    expect(connection.edges).toEqual([])
    expect(connection.pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: null,
      endCursor: null,
    })
  })

  test('with an empty last page is reached from the last item', async () => {
    const pages: Record<string, Page<string>> = { '': { items: ['a'], next: 'b' }, b: { items: [] } }
    const { source, calls } = scripted(pages)
    const connection = await connect({ first: 12 }, source)
    expect(connection.nodes).toEqual(['a'])
    expect(connection.pageInfo.hasNextPage).toBe(false)
    expect(connection.pageInfo.endCursor).toBe(connection.edges[0]?.cursor)
    // Who looks for new items later reads the page that was empty, and not that of the item once more.
    pages.b = { items: ['b'] }
    calls.length = 0
    expect((await connect({ first: 1, after: connection.pageInfo.endCursor }, source)).nodes).toEqual(['b'])
    expect(calls).toEqual([['b', 1]])
  })

  test('behind an empty page that has a next one is reached from the last item', async () => {
    const { source, calls } = scripted({
      '': { items: ['a'], next: 'b' },
      b: { items: [], next: 'c', previous: 'x' },
      c: { items: ['c'] },
    })
    const connection = await connect({ first: 12 }, source)
    expect(connection.pageInfo.hasNextPage).toBe(true)
    expect(connection.pageInfo.endCursor).toBe(connection.edges[0]!.cursor)
    calls.length = 0
    expect((await connect({ first: 1, after: connection.pageInfo.endCursor }, source)).nodes).toEqual(['c'])
    expect(calls).toEqual([['c', 1]])
  })

  test('before an empty page that has a previous one is reached from that page', async () => {
    const { source, calls } = scripted({
      '': { items: ['a'], next: 'b' },
      b: { items: [], next: 'c', previous: '<' },
      c: { items: ['c'], previous: 'b' },
      '<': { items: ['a'], next: 'b' },
    })
    const { edges } = await connect({ first: 25 }, source)
    const empty = await connect({ last: 1, before: edges[1]!.cursor }, source)
    expect(empty.nodes).toEqual([])
    expect(empty.pageInfo.hasPreviousPage).toBe(true)
    calls.length = 0
    expect((await connect({ last: 1, before: empty.pageInfo.startCursor }, source)).nodes).toEqual(['a'])
    expect(calls).toEqual([['<', 10]])
  })

  test('an empty page at the beginning leaves the first edge its cursor', async () => {
    const { source } = scripted({
      '': { items: [], next: 'b', previous: '<' },
      b: { items: ['b'], previous: '' },
    })
    const { edges, pageInfo } = await connect({ first: 25 }, source)
    expect(pageInfo.startCursor).toBe(edges[0]!.cursor)
  })

  test('is what the service says of the page before, if it is read backward', async () => {
    const { source } = scripted(three)
    const all = await connect({ first: 25 }, source)
    const back = await connect({ last: 3, before: all.pageInfo.endCursor }, source)
    expect(back.nodes).toEqual(['c', 'd'])
    expect(back.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true })
    expect(positionOf(back.pageInfo.startCursor ?? '')).toMatchObject({ token: 'c', index: 0, previous: '<' })
    const first = await connect({ last: 2, before: back.pageInfo.startCursor }, source)
    expect(first.nodes).toEqual(['a', 'b'])
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false })
  })
})

describe('the total', () => {
  test('that the service gives as null is the only page, or unknown', async () => {
    const known = scripted({ '': { items: ['a'], total: null } })
    expect((await connect({ first: 5 }, known.source)).totalCount).toBe(1)
    const unknown = scripted({
      '': { items: ['a'], total: null, next: 'b' },
      b: { items: ['b'], total: null },
    })
    const first = await connect({ first: 1 }, unknown.source)
    expect(first.totalCount).toBeNull()
    const second = await connect({ first: 1, after: first.pageInfo.endCursor }, unknown.source)
    expect(second.nodes).toEqual(['b'])
    expect(second.totalCount).toBeNull()
  })

  test('is unknown if nothing was read', async () => {
    expect((await connect({ first: 0 }, scripted(three).source)).totalCount).toBeNull()
  })
})

describe('the pages that are read', () => {
  test('are no smaller than the service takes', async () => {
    const { source, calls } = scripted(
      { '': { items: ['a', 'b', 'c', 'd', 'e'], next: 'f' } },
      { minPageSize: 5 },
    )
    const connection = await connect({ first: 2 }, source)
    expect(connection.nodes).toEqual(['a', 'b'])
    expect(connection.edges.map(({ node }) => node)).toEqual(['a', 'b'])
    expect(calls).toEqual([[undefined, 5]])
  })

  test('are as many as the items take, also if a page is short', async () => {
    const { source, calls } = scripted(three)
    const connection = await connect({ first: 3 }, source)
    expect(connection.nodes).toEqual(['a', 'b'])
    expect(connection.pageInfo.hasNextPage).toBe(true)
    expect(calls).toEqual([[undefined, 3]])
  })

  test('are those after the end of the page of the cursor', async () => {
    const { source, calls } = scripted(three)
    const { pageInfo } = await connect({ first: 2 }, source)
    calls.length = 0
    expect((await connect({ first: 2, after: pageInfo.endCursor }, source)).nodes).toEqual(['c', 'd'])
    expect(calls).toEqual([['c', 2]])
  })

  test('are that of a cursor within it, in its size, and those after it', async () => {
    const { source, calls } = scripted(three)
    const { edges } = await connect({ first: 2 }, source)
    calls.length = 0
    expect((await connect({ first: 3, after: edges[0]?.cursor }, source)).nodes).toEqual(['b', 'c', 'd'])
    expect(calls).toEqual([
      [undefined, 2],
      ['c', 2],
    ])
  })

  test('end with the page of the cursor if it is the last or has enough', async () => {
    const { source, calls } = scripted({ '': { items: ['a', 'b', 'c'] } })
    const { edges } = await connect({ first: 3 }, source)
    calls.length = 0
    expect((await connect({ first: 9, after: edges[0]?.cursor }, source)).nodes).toEqual(['b', 'c'])
    const more = scripted({ '': { items: ['a', 'b', 'c'], next: 'd' } })
    expect((await connect({ first: 1, after: edges[0]?.cursor }, more.source)).nodes).toEqual(['b'])
    expect([...calls, ...more.calls]).toEqual([
      [undefined, 3],
      [undefined, 3],
    ])
  })

  test('backward are that of a cursor within it and those before it, in its size', async () => {
    const { source, calls } = scripted(three)
    const first = await connect({ first: 2 }, source)
    const second = await connect({ first: 2, after: first.pageInfo.endCursor }, source)
    calls.length = 0
    const back = await connect({ last: 4, before: second.edges[1]?.cursor }, source)
    expect(back.nodes).toEqual(['a', 'b', 'c'])
    expect(calls).toEqual([
      ['c', 2],
      ['<', 2],
    ])
    expect(back.edges.map(({ cursor }) => positionOf(cursor)?.token)).toEqual(['<', '<', 'c'])
  })

  test('hold what is requested if the list has become shorter', async () => {
    const { edges } = await connect({ first: 2 }, scripted(three).source)
    const { source } = scripted({ '': { items: [] } })
    const connection = await connect({ first: 2, after: edges[0]?.cursor }, source)
    expect(connection.nodes).toEqual([])
    expect(connection.edges).toEqual([])
    expect(connection.pageInfo.hasNextPage).toBe(false)
  })
})

describe('a page token with another size than it was given for', () => {
  const refusal = (upstream?: { status: number }) =>
    tesseraError('BAD_USER_INPUT', 'no such token', { upstream })

  /** Reads two items, and then three after them from a service that refuses the token in size 3 with `error`. */
  async function readOn(error: unknown, tokens?: { boundToSize: boolean }): Promise<readonly Call[]> {
    const { source, calls } = scripted(three, tokens === undefined ? {} : { tokens })
    const { pageInfo } = await connect({ first: 2 }, source)
    calls.length = 0
    const refusing: ConnectionSource<string> = {
      ...source,
      async fetch(token, size) {
        const page = await source.fetch(token, size)
        if (size === 3) throw error
        return page
      },
    }
    const connection = await connect({ first: 3, after: pageInfo.endCursor }, refusing)
    expect(connection.nodes).toEqual(['c', 'd'])
    return calls
  }

  test('is sent again in its own size if the service refuses it, which is remembered', async () => {
    const tokens = { boundToSize: false }
    const both = [
      ['c', 3],
      ['c', 2],
    ]
    expect(await readOn(refusal({ status: 400 }), tokens)).toEqual(both)
    expect(tokens.boundToSize).toBe(true)
    expect(await readOn(refusal({ status: 400 }), tokens)).toEqual([['c', 2]])
  })

  test('is sent again without a memory of it as well', async () => {
    expect(await readOn(refusal({ status: 400 }))).toHaveLength(2)
  })

  test.each([
    ['a refusal of ours', refusal()],
    ['another refusal of the service', tesseraError('FORBIDDEN', 'not you', { upstream: { status: 403 } })],
    ['any other error', Object.assign(new Error('away'), refusal({ status: 400 }).toJSON())],
  ])('is not sent again after %s', async (_, error) => {
    const tokens = { boundToSize: false }
    await expect(readOn(error, tokens)).rejects.toBe(error)
    expect(tokens.boundToSize).toBe(false)
  })
})

describe('a service that gives next pages for ever', () => {
  const empty = { '': { items: [], next: 'a' }, a: { items: [], next: 'b' }, b: { items: [], next: 'c' } }

  test('is read once more in the largest size, and then ends', async () => {
    const { source, calls } = scripted(empty, { endsAfterEmptyPages: true })
    const first = await connect({ first: 2 }, source)
    expect(first.pageInfo.hasNextPage).toBe(true)
    const second = await connect({ first: 2, after: first.pageInfo.endCursor }, source)
    expect(second.pageInfo).toMatchObject({ hasNextPage: false, endCursor: null })
    expect(calls).toEqual([
      [undefined, 2],
      ['a', 10],
    ])
  })

  test('ends within one connection that is larger than a page', async () => {
    const { source, calls } = scripted(empty, { endsAfterEmptyPages: true })
    const connection = await connect({ first: 30 }, source)
    expect(connection.pageInfo.hasNextPage).toBe(false)
    expect(calls).toEqual([
      [undefined, 10],
      ['a', 10],
    ])
  })

  test('continues if the page after an empty one has items', async () => {
    const filled = { ...empty, a: { items: ['a'], next: 'b' } }
    const { source } = scripted(filled, { endsAfterEmptyPages: true })
    const first = await connect({ first: 2 }, source)
    const second = await connect({ first: 2, after: first.pageInfo.endCursor }, source)
    expect(second.nodes).toEqual(['a'])
    expect(second.pageInfo.hasNextPage).toBe(true)
  })

  test('is one that is known for it: others are read on in the size that is asked for', async () => {
    const { source, calls } = scripted(empty)
    const first = await connect({ first: 2 }, source)
    const second = await connect({ first: 2, after: first.pageInfo.endCursor }, source)
    expect(second.pageInfo.hasNextPage).toBe(true)
    expect(calls).toEqual([
      [undefined, 2],
      ['a', 2],
    ])
  })
})

test('the edge of an item that was just added is at the beginning of the list', async () => {
  const edge = headEdge('letters', 2, 'a')
  expect(edge.node).toBe('a')
  const { source, calls } = scripted(three)
  expect((await connect({ first: 1, after: edge.cursor }, source)).nodes).toEqual(['b'])
  expect(calls).toEqual([[undefined, 2]])
})

test.each(['', null])('the token %j leads to no page', async (none) => {
  const { source, calls } = scripted({ '': { items: ['a'], next: none as string, previous: none as string } })
  const { nodes, pageInfo } = await connect({ first: 5 }, source)
  expect([nodes, pageInfo.hasNextPage, pageInfo.hasPreviousPage]).toEqual([['a'], false, false])
  expect(calls).toHaveLength(1)
})

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
  'pages of at most %d items are a mistake of the program, and not an empty list',
  async (maxPageSize) => {
    const { source } = scripted(three, { pages: { maxPageSize, defaultPageSize: 2 } })
    await expect(connect({ first: 5 }, source)).rejects.toThrow(
      /^pages need a whole maxPageSize of at least 1/,
    )
  },
)
