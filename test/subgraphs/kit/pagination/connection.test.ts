import fc from 'fast-check'
import { GraphQLError, type GraphQLResolveInfo } from 'graphql'
import { describe, expect, test } from 'vitest'
import { tesseraError } from '../../../../shared/errors.ts'
import type { PartialErrors } from '../../../../shared/graphql/partial-errors.ts'
import {
  type Connection,
  type ConnectionSource,
  connect,
  connectionBounds,
  type Edge,
} from '../../../../subgraphs/kit/pagination/index.ts'

const fieldInfo = {
  path: { prev: undefined, key: 'numbers', typename: 'Query' },
  fieldNodes: [],
} as unknown as GraphQLResolveInfo

interface List extends ConnectionSource<number> {
  calls: { token: string | undefined; size: number }[]
}

/** A list of N numbers behind offset tokens; `holes` are pages that come back empty, with a next one. */
function listOf(length: number, options: { max?: number; backward?: boolean; name?: string } = {}): List {
  const calls: List['calls'] = []
  return {
    list: options.name ?? 'numbers',
    pages: { maxPageSize: options.max ?? 50, defaultPageSize: 5 },
    keyOf: String,
    calls,
    async fetch(token, size) {
      calls.push({ token, size })
      const place = Number(token?.slice(1) ?? 0)
      // A token of a previous page names the end of that page.
      const isPrevious = token?.startsWith('p') === true
      const start = isPrevious ? Math.max(0, place - size) : place
      const end = isPrevious ? place : Math.min(start + size, length)
      return {
        items: range(length).slice(start, end),
        next: end < length ? `n${end}` : undefined,
        previous: options.backward && start > 0 ? `p${start}` : undefined,
        total: length,
      }
    },
  }
}

async function walkForward(source: List, sizes: () => number): Promise<number[]> {
  const seen: number[] = []
  let after: string | null = null
  for (;;) {
    const page: Connection<number> = await connect({ first: sizes(), after }, source)
    seen.push(...page.nodes)
    if (!page.pageInfo.hasNextPage) return seen
    after = page.pageInfo.endCursor
  }
}

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i)

describe('walking forward', () => {
  test('with a constant size within the bound costs exactly one call a page', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 50 }), async (n, k) => {
        const source = listOf(n)
        expect(await walkForward(source, () => k)).toEqual(range(n))
        expect(source.calls.length).toBe(Math.ceil(n / k))
      }),
    )
  })

  test('with any sizes, also above the bound, yields every item once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 80 }),
        fc.integer({ min: 1, max: 20 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 45 })),
        async (n, max, sizes) => {
          const source = listOf(n, { max })
          expect(await walkForward(source, () => sizes.next().value)).toEqual(range(n))
        },
      ),
    )
  })

  test('from any edge continues with the item after it, in no more calls than foretold', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        fc.nat(),
        fc.integer({ min: 0, max: 60 }),
        async (n, first, pick, then) => {
          const source = listOf(n, { max: 20 })
          const page = await connect({ first }, source)
          const edge = page.edges[pick % page.edges.length]
          source.calls.length = 0
          const args = { first: then, after: edge!.cursor }
          const rest = await connect(args, source)
          expect(rest.nodes).toEqual(range(n).slice(edge!.node + 1, edge!.node + 1 + then))
          expect(source.calls.length).toBeLessThanOrEqual(
            connectionBounds(args, { maxPageSize: 20, defaultPageSize: 5 }).calls,
          )
        },
      ),
    )
  })

  test('above the bound reads several pages, the last one no larger than needed', async () => {
    const source = listOf(200)
    const page = await connect({ first: 120 }, source)
    expect(page.nodes.length).toBe(120)
    expect(source.calls.map(({ size }) => size)).toEqual([50, 50, 20])
  })

  test('a page without items still names the way on', async () => {
    const source: ConnectionSource<number> = {
      list: 'holes',
      pages: { maxPageSize: 2, defaultPageSize: 2 },
      async fetch(token) {
        if (token === undefined) return { items: [], next: 'a' }
        if (token === 'a') return { items: [1], next: 'b' }
        return { items: [2, 3] }
      },
    }
    const first = await connect({ first: 2 }, source)
    expect(first.nodes).toEqual([])
    expect(first.pageInfo.hasNextPage).toBe(true)
    const second = await connect({ first: 2, after: first.pageInfo.endCursor }, source)
    expect(second.nodes).toEqual([1])
    const third = await connect({ first: 2, after: second.pageInfo.endCursor }, source)
    expect(third.nodes).toEqual([2, 3])
    expect(third.pageInfo.hasNextPage).toBe(false)
  })
})

describe('walking backward', () => {
  test('with the size of the walk before it costs exactly one call a page', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 50 }), async (n, k) => {
        const source = listOf(n, { backward: true })
        let page = await connect({ first: k }, source)
        while (page.pageInfo.hasNextPage)
          page = await connect({ first: k, after: page.pageInfo.endCursor }, source)
        const seen = [...page.nodes]
        let pages = 1
        while (page.pageInfo.hasPreviousPage) {
          source.calls.length = 0
          page = await connect({ last: k, before: page.pageInfo.startCursor }, source)
          expect(source.calls.length).toBe(1)
          seen.unshift(...page.nodes)
          pages += 1
        }
        expect(seen).toEqual(range(n))
        expect(pages).toBe(Math.ceil(n / k))
      }),
    )
  })

  test('from any edge with any size yields exactly the items before it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 15 }),
        fc.integer({ min: 1, max: 20 }),
        fc.nat(),
        async (k, last, pick) => {
          const source = listOf(60, { backward: true, max: 15 })
          const start = await connect({ first: k }, source)
          const page = await connect({ first: k, after: start.pageInfo.endCursor }, source)
          const edge = page.edges[pick % page.edges.length]!
          const back = await connect({ last, before: edge.cursor }, source)
          const expected = range(60).slice(Math.max(0, edge.node - last), edge.node)
          expect(back.nodes).toEqual(expected.slice(expected.length - back.nodes.length))
          if (back.nodes.length < expected.length) expect(back.pageInfo.hasPreviousPage).toBe(true)
        },
      ),
    )
  })

  test('and forward in turns, from any edge with any size, yields the items beside it', async () => {
    const step = fc.record({ edge: fc.nat(), isForward: fc.boolean(), size: fc.integer({ min: 1, max: 9 }) })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 9 }),
        fc.array(step, { minLength: 1, maxLength: 8 }),
        async (length, max, steps) => {
          const source = listOf(length, { max, backward: true })
          const reported: PartialErrors = { partialErrors: [] }
          let page: Connection<number> = await connect({ first: 5 }, source)
          for (const { edge, isForward, size } of steps) {
            if (page.edges.length === 0) break
            const { cursor, node } = page.edges[edge % page.edges.length] as Edge<number>
            page = (await connect(
              isForward ? { first: size, after: cursor } : { last: size, before: cursor },
              source,
              fieldInfo,
              reported,
            )) as Connection<number>
            const beside = isForward
              ? range(length).slice(node + 1, node + 1 + size)
              : range(length).slice(Math.max(node - size, 0), node)
            // Pages of another size than the walk's may need more calls than one request makes.
            const count = page.nodes.length
            expect(page.nodes).toEqual(
              isForward ? beside.slice(0, count) : beside.slice(beside.length - count),
            )
            const { hasNextPage, hasPreviousPage } = page.pageInfo
            if (count < beside.length)
              expect(count > 0 && (isForward ? hasNextPage : hasPreviousPage)).toBe(true)
          }
          expect(reported.partialErrors).toEqual([])
        },
      ),
    )
  })

  test('from the end of the list without a place is refused', async () => {
    const source = listOf(10, { backward: true })
    await expect(connect({ last: 3 }, source)).rejects.toThrow(/`last` needs `before`/)
    expect(source.calls).toEqual([])
  })
})

describe('arguments', () => {
  const refused = async (args: Parameters<typeof connect>[0], source = listOf(10)): Promise<GraphQLError> => {
    const error = await connect(args, source).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(GraphQLError)
    expect(source.calls).toEqual([])
    return error as GraphQLError
  }

  test('`first: 0` makes no call', async () => {
    const source = listOf(10)
    const page = await connect({ first: 0 }, source)
    expect(page.nodes).toEqual([])
    expect(source.calls).toEqual([])
  })

  test.each([-1, 1.5, 10_001])('`first: %s` is refused before any call', async (first) => {
    expect((await refused({ first })).extensions.code).toBe('BAD_USER_INPUT')
  })

  test('a cursor of another list is refused before any call', async () => {
    const { endCursor } = (await connect({ first: 2 }, listOf(10, { name: 'letters' }))).pageInfo
    expect((await refused({ first: 2, after: endCursor })).extensions.code).toBe('BAD_USER_INPUT')
  })

  test('a cursor in which any one character was changed is refused before any call', async () => {
    const cursor = (await connect({ first: 3 }, listOf(10))).edges[1]!.cursor
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: cursor.length - 1 }),
        fc.constantFrom(...'ABCDEFGHabcdefgh0123456789-_+/='),
        async (at, letter) => {
          const mangled = cursor.slice(0, at) + letter + cursor.slice(at + 1)
          fc.pre(Buffer.from(mangled, 'base64url').compare(Buffer.from(cursor, 'base64url')) !== 0)
          await refused({ first: 2, after: mangled })
        },
      ),
    )
  })

  test('forward and backward arguments do not mix', async () => {
    const { endCursor } = (await connect({ first: 2 }, listOf(10))).pageInfo
    await refused({ first: 2, before: endCursor })
    await refused({ first: 2, last: 2 })
  })
})

test('the total is what the service claims, or the only page, or unknown', async () => {
  expect((await connect({ first: 2 }, listOf(10))).totalCount).toBe(10)
  const quiet = (next?: string): ConnectionSource<number> => ({
    list: 'quiet',
    pages: { maxPageSize: 5, defaultPageSize: 5 },
    fetch: async () => ({ items: [1, 2], next }),
  })
  expect((await connect({ first: 5 }, quiet())).totalCount).toBe(2)
  expect((await connect({ first: 5 }, quiet('more'))).totalCount).toBeNull()
})

describe('a service that binds its page tokens to the page size', () => {
  /** Refuses a token with another size than it was given for, in its own way. */
  function bound(length: number): List & { refused: number; tokens: { boundToSize: boolean } } {
    const list = listOf(length, { max: 20 })
    const source = {
      ...list,
      refused: 0,
      tokens: { boundToSize: false },
      async fetch(token: string | undefined, size: number) {
        const page = await list.fetch(token?.split(' ')[0], size)
        if (token !== undefined && token.split(' ')[1] !== String(size)) {
          source.refused += 1
          throw tesseraError('BAD_USER_INPUT', 'no such token', {
            service: 'numbers',
            upstream: { status: 400, reason: 'invalidPageToken' },
          })
        }
        return { ...page, next: page.next === undefined ? undefined : `${page.next} ${size}` }
      },
    }
    return source
  }

  test('is read on in the size of the token, every item once, and refuses at most once', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 45 }), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 90 }), sizes, async (length, wanted) => {
        const source = bound(length)
        let at = 0
        const seen = await walkForward(source, () => wanted[at++ % wanted.length] as number)
        expect(seen).toEqual(range(length))
        expect(source.refused).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('that refuses the token in its own size as well is reported as it says', async () => {
    const source = bound(50)
    const first = await connect({ first: 5 }, source)
    const after = first.pageInfo.endCursor
    const refusing: ConnectionSource<number> = {
      ...source,
      fetch: async () => {
        throw tesseraError('BAD_USER_INPUT', 'stale', { upstream: { status: 400 } })
      },
    }
    await expect(connect({ first: 7, after }, refusing)).rejects.toThrow('stale')
    expect(source.tokens.boundToSize).toBe(false)
  })

  test('is not asked again after a failure that is no refusal', async () => {
    const source = bound(50)
    const after = (await connect({ first: 5 }, source)).pageInfo.endCursor
    let calls = 0
    const failing: ConnectionSource<number> = {
      ...source,
      fetch: async () => {
        calls += 1
        throw tesseraError('UPSTREAM_UNAVAILABLE', 'away', { upstream: { status: 503 } })
      },
    }
    await expect(connect({ first: 7, after }, failing)).rejects.toThrow('away')
    expect(calls).toBe(1)
  })
})

test('a service that gives next pages for ever ends after an empty page and an empty page of the largest size', async () => {
  let calls = 0
  const source: ConnectionSource<number> = {
    list: 'empty',
    pages: { maxPageSize: 50, defaultPageSize: 5 },
    endsAfterEmptyPages: true,
    fetch: async () => ({ items: [], next: `t${calls++}` }),
  }
  const first = await connect({ first: 2 }, source)
  expect(first.pageInfo.hasNextPage).toBe(true)
  const second = await connect({ first: 2, after: first.pageInfo.endCursor }, source)
  expect(second.pageInfo.hasNextPage).toBe(false)
  expect(calls).toBe(2)
})
