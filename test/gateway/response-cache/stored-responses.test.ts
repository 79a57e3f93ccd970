/** What is used though it is stale for want of quota, how much is kept, and what composed directives say of it. */
import { composeServices } from '@apollo/composition'
import { parse } from 'graphql'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { SubgraphResult } from '../../../engine/subgraphs/index.ts'
import { responseCacheFrom } from '../../../gateway/response-cache/from-config.ts'
import {
  createChanges,
  createMemoryStore,
  createResponseCache,
  type Purge,
} from '../../../gateway/response-cache/index.ts'
import { createLogger } from '../../../gateway/telemetry/log.ts'
import { Metrics } from '../../../gateway/telemetry/metrics/index.ts'
import { configFrom } from '../../support/graph.ts'
import { answeredWith, createCacheTest, requestOf } from './kit.ts'

const sdl = `
  type Query { product(id: ID!): Product }
  type Product @key(fields: "id") { id: ID! name: String }
`
const root = 'query ($id: ID!) { product(id: $id) { id name } }'
const entities = 'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Product { id name } } }'
const failing = (code: string): SubgraphResult => ({
  data: null,
  errors: [{ message: 'No.', extensions: { code } }],
})

test('an answer of thousands of levels is passed on and not kept, and others are', async () => {
  const cache = createCacheTest({ sdl })
  const levels = 100_000
  const deep: unknown = JSON.parse('['.repeat(levels) + ']'.repeat(levels))
  let name: unknown = deep
  cache.answer = ({ variables }) => ({
    data: 'r' in variables ? { _entities: [{ name }, { name: 'Chair' }] } : { product: { id: '1', name } },
    answered: answeredWith({ 'cache-control': 'public, max-age=60' }),
  })
  const [product, both] = [cache.prepare(root), cache.prepare(entities)]
  const r = ['1', '2'].map((id) => ({ __typename: 'Product', id }))
  const passed = await product({ id: '1' }, requestOf())
  expect((passed.data?.product as { name: unknown } | undefined)?.name).toBe(deep)
  expect((await both({ r }, requestOf())).data?._entities).toHaveLength(2)
  name = 'Table'
  await product({ id: '1' }, requestOf())
  await both({ r }, requestOf())
  expect(cache.sent.map(({ variables }) => variables)).toEqual([
    { id: '1' },
    { r },
    { id: '1' },
    { r: r.slice(0, 1) },
  ])
})

describe('if the quota of a service is used up', () => {
  const withoutQuota = () => {
    const request = requestOf()
    request.cacheOnly = true
    return request
  }
  const kept = (cacheControl = 'public, max-age=10') => {
    const cache = createCacheTest({ sdl, rules: { quotaMs: 3_600_000 } })
    cache.answer = ({ variables: { id = '1' } }) => ({
      data: { product: { id, name: 'Table' } },
      answered: answeredWith({ 'cache-control': cacheControl }),
    })
    return { cache, product: cache.prepare(root) }
  }

  test('a stale answer is used without asking, for the time that the configuration says', async () => {
    const { cache, product } = kept()
    await product({ id: '1' }, requestOf())
    cache.now += 60_000
    expect((await product({ id: '1' }, withoutQuota())).data).toEqual({ product: { id: '1', name: 'Table' } })
    expect(cache.sent).toHaveLength(1)
    // Who has quota asks.
    await product({ id: '1' }, requestOf())
    expect(cache.sent).toHaveLength(2)
    cache.now += 10_000 + 3_600_000
    await product({ id: '1' }, withoutQuota())
    expect(cache.sent).toHaveLength(3)
  })

  test('a stale answer is used if the subgraph says that the quota is used up, and for no other error', async () => {
    const { cache, product } = kept()
    await product({ id: '1' }, requestOf())
    cache.now += 60_000
    cache.answer = () => failing('QUOTA_EXCEEDED')
    expect((await product({ id: '1' }, requestOf())).data).toEqual({ product: { id: '1', name: 'Table' } })
    expect((await product({ id: '2' }, requestOf())).errors).toHaveLength(1)
    cache.answer = () => failing('FORBIDDEN')
    expect((await product({ id: '1' }, requestOf())).errors).toHaveLength(1)
  })

  test('an answer that must not be used stale is never used', async () => {
    const { cache, product } = kept('public, max-age=10, must-revalidate')
    await product({ id: '1' }, requestOf())
    cache.now += 60_000
    cache.answer = () => failing('QUOTA_EXCEEDED')
    expect((await product({ id: '1' }, withoutQuota())).errors).toHaveLength(1)
  })

  test('of several entities the kept ones are used, and the others fail', async () => {
    const cache = createCacheTest({ sdl, rules: { quotaMs: 3_600_000 } })
    cache.answer = ({ variables }) => ({
      data: { _entities: (variables.r as { id: string }[]).map(({ id }) => ({ id, name: `P${id}` })) },
      answered: answeredWith({ 'cache-control': 'public, max-age=10' }),
    })
    const look = cache.prepare(entities)
    const of = (...ids: string[]) => ({ r: ids.map((id) => ({ __typename: 'Product', id })) })
    await look(of('1'), requestOf())
    cache.now += 60_000
    cache.answer = () => failing('QUOTA_EXCEEDED')
    const { data, errors } = await look(of('1', '2'), requestOf())
    expect(data).toEqual({ _entities: [{ id: '1', name: 'P1' }, null] })
    expect(errors?.map(({ path }) => path?.slice(0, 2))).toEqual([
      ['_entities', 1],
      ['_entities', 1],
    ])
  })
})

describe('a 304 that says less than the answer did', () => {
  const as = (subject: string | undefined, language: string) =>
    requestOf({
      headers: { 'accept-language': language },
      identity: { subject, authenticated: subject !== undefined, scopes: new Set(), claims: {} },
    })
  /** An answer that is stale, and was then revalidated by a caller that gets a 304 with these headers. */
  const revalidated = async (cacheControl: string, headers: Record<string, string>, errorMs = 0) => {
    const cache = createCacheTest({ sdl, sends: ['accept-language'], rules: { errorMs } })
    cache.answer = ({ conditions, request }) =>
      conditions?.etag === '"1"'
        ? { answered: answeredWith(headers, 304) }
        : {
            data: {
              product: { id: '1', name: `${request.header('accept-language')} ${request.identity?.subject}` },
            },
            answered: answeredWith({ 'cache-control': cacheControl, etag: '"1"', vary: 'Accept-Language' }),
          }
    const product = cache.prepare(root)
    await product({ id: '1' }, as('ada', 'en'))
    cache.now += 60_000
    await product({ id: '1' }, as('ada', 'en'))
    expect(cache.sent.map(({ conditions }) => conditions?.etag)).toEqual([undefined, '"1"'])
    return {
      cache,
      read: async (subject: string | undefined, language: string) => {
        const { data } = await product({ id: '1' }, as(subject, language))
        return (data as { product?: { name?: string } } | undefined)?.product?.name
      },
    }
  }

  test('does not change for whom the answer is: neither Vary nor private is lost', async () => {
    const varying = await revalidated('public, max-age=10', { 'cache-control': 'public, max-age=600' })
    expect(await varying.read('ada', 'en')).toBe('en ada')
    expect(varying.cache.sent).toHaveLength(2)
    expect(await varying.read('bob', 'de')).toBe('de bob')
    const bare = await revalidated('private, max-age=10', {})
    expect(await bare.read('ada', 'en')).toBe('en ada')
    expect(bare.cache.sent).toHaveLength(2)
    expect(await bare.read('bob', 'en')).toBe('en bob')
    const opened = await revalidated('private, max-age=10', { 'cache-control': 'public, max-age=600' })
    expect(await opened.read('bob', 'en')).toBe('en bob')
  })

  test('is as old as its Age says', async () => {
    const cache = createCacheTest({ sdl })
    cache.answer = ({ conditions }) =>
      conditions === undefined
        ? {
            data: { product: { id: '1', name: 'Table' } },
            answered: answeredWith({ 'cache-control': 'public, max-age=10', etag: '"1"' }),
          }
        : { answered: answeredWith({ 'cache-control': 'public, max-age=600', age: '100' }, 304) }
    const product = cache.prepare(root)
    await product({ id: '1' }, requestOf())
    cache.now += 60_000
    const request = requestOf()
    await product({ id: '1' }, request)
    expect(request.cachePolicy?.freshMs).toBe(500_000)
  })

  test('adds the tags that it says, each once, and up to a bound', async () => {
    const store = createMemoryStore(10_000_000, Date.now)
    const cache = createCacheTest({ sdl, cache: createResponseCache(store, createChanges()) })
    let tags = 'a, b, a'
    cache.answer = ({ conditions }) => ({
      ...(conditions === undefined ? { data: { product: { id: '1', name: 'Table' } } } : {}),
      answered: answeredWith(
        { 'cache-control': 'public, no-cache', etag: '"1"', 'cache-tag': tags },
        conditions === undefined ? 200 : 304,
      ),
    })
    const product = cache.prepare(root)
    const bytesAfter = async (times: number, tagsOf = (_: number) => tags): Promise<number> => {
      for (let time = 0; time < times; time++) {
        tags = tagsOf(time)
        await product({ id: '1' }, requestOf())
      }
      return store.bytes
    }
    const first = await bytesAfter(1)
    expect(await bytesAfter(10)).toBe(first)
    const most = await bytesAfter(1000, (time) => `new ${time}`)
    expect(most).toBeGreaterThan(first)
    expect(await bytesAfter(1000, (time) => `newer ${time}`)).toBe(most)
    expect(cache.counts).toEqual({ miss: 1, revalidated: 2010 })
  })

  test('does not change whether the answer may be used stale', async () => {
    const must = await revalidated('public, max-age=10, must-revalidate', {}, 3_600_000)
    must.cache.now += 60_000
    must.cache.answer = () => failing('UPSTREAM_UNAVAILABLE')
    expect(await must.read('ada', 'en')).toBeUndefined()
    const may = await revalidated('public, max-age=10, stale-if-error=600', {})
    may.cache.now += 60_000
    may.cache.answer = () => failing('UPSTREAM_UNAVAILABLE')
    expect(await may.read('ada', 'en')).toBe('en ada')
  })
})

test('memory is bounded in bytes: what was used last stays, and one answer that is too large is not kept', async () => {
  const maxBytes = 200_000
  const store = createMemoryStore(maxBytes, Date.now)
  const cache = createCacheTest({ sdl, cache: createResponseCache(store, createChanges()) })
  const name = 'n'.repeat(1000)
  cache.answer = ({ variables: { id } }) => ({
    data: { product: { id, name: id === 'giant' ? 'n'.repeat(maxBytes / 2) : name } },
    answered: answeredWith({ 'cache-control': 'public, max-age=600' }),
  })
  const product = cache.prepare(root)
  let most = 0
  for (let id = 0; id < 1000; id++) {
    await product({ id: String(id) }, requestOf())
    await product({ id: '0' }, requestOf())
    most = Math.max(most, store.bytes)
  }
  expect(most).toBeLessThanOrEqual(maxBytes)
  expect(most).toBeGreaterThan(maxBytes / 2)
  expect(store.entries).toBeLessThan(200)
  const asks = (id: string) => cache.asks(() => product({ id }, requestOf()))
  expect([await asks('0'), await asks('999'), await asks('1')]).toEqual([0, 0, 1])
  expect([await asks('giant'), await asks('giant')]).toEqual([1, 1])
  expect(store.bytes).toBeLessThanOrEqual(maxBytes)
})

describe('directives that come through composition', () => {
  const directives = `
    extend schema
      @link(url: "https://example.com/cache/v1.0", import: ["@cacheControl", "@cacheTag"])
      @composeDirective(name: "@cacheControl") @composeDirective(name: "@cacheTag")
    directive @cacheControl(maxAge: Int, scope: CacheControlScope, inheritMaxAge: Boolean)
      on FIELD_DEFINITION | OBJECT | INTERFACE | UNION
    directive @cacheTag(format: String!) repeatable on FIELD_DEFINITION | OBJECT
    enum CacheControlScope { PUBLIC PRIVATE }
  `
  const tagged = `${directives}
    type Query {
      product(id: ID!): Product @cacheControl(maxAge: 60) @cacheTag(format: "asked-{$args.id}")
      mine: Product @cacheControl(maxAge: 60, scope: PRIVATE)
      other: Product
    }
    type Product @key(fields: "id") @cacheTag(format: "product-{$key.id}") { id: ID! name: String }
  `

  test('@cacheControl says for how long and for whom, and @cacheTag how it is found again', async () => {
    const cache = createCacheTest({ sdl: tagged })
    cache.answer = ({ variables: { id = '1' } }) => ({
      data: { product: { id, name: 'Table' }, mine: { id } },
    })
    const product = cache.prepare(root)
    const asks = (id = '1') => cache.asks(() => product({ id }, requestOf()))
    expect([await asks(), await asks()]).toEqual([1, 0])
    cache.now += 61_000
    expect([await asks(), await asks(), await asks('2')]).toEqual([1, 0, 1])
    await cache.cache.purge({ tags: ['product-1'] })
    expect([await asks(), await asks('2')]).toEqual([1, 0])
    await cache.cache.purge({ tags: ['asked-2'] })
    expect([await asks(), await asks('2')]).toEqual([0, 1])

    const mine = cache.prepare('{ mine { id } }')
    const as = (subject: string) =>
      requestOf({ identity: { subject, authenticated: true, scopes: new Set(), claims: {} } })
    const asksFor = (subject: string) => cache.asks(() => mine({}, as(subject)))
    expect([await asksFor('ada'), await asksFor('bob'), await asksFor('ada')]).toEqual([1, 1, 0])
  })

  test('a root field of a mutation changes what has its tag, unless a condition around it leaves it out', async () => {
    const cache = createCacheTest({
      sdl: `${tagged}
        type Mutation { rename(id: ID!): Order @cacheTag(format: "asked-{$args.id}") place: Order }
        type Order @key(fields: "id") { id: ID! }`,
    })
    cache.answer = ({ variables: { id = '1', renames } }) => ({
      data: {
        product: { id, name: 'Table' },
        place: { id: '5' },
        ...(renames === false ? {} : { rename: { id: '6' } }),
      },
    })
    const product = cache.prepare(root)
    const change = cache.prepare(
      'mutation ($id: ID!, $renames: Boolean!) { place { id } ... @include(if: $renames) { rename(id: $id) { id } } }',
      'mutation',
    )
    const callsAfter = async (renames: boolean): Promise<number> => {
      await product({ id: '2' }, requestOf())
      await change({ id: '2', renames }, requestOf())
      return cache.asks(() => product({ id: '2' }, requestOf()))
    }
    expect([await callsAfter(false), await callsAfter(true)]).toEqual([0, 1])
  })

  test('a tag of Apollo’s composer is for the subgraphs that it names', async () => {
    const link =
      'extend schema @link(url: "https://specs.apollo.dev/federation/v2.12", import: ["@key", "@cacheTag"])\n'
    const withTag = (graph: string): string => {
      const product = (name: string, field: string) => {
        const tag = name === graph ? '@cacheTag(format: "product-{$key.id}")' : ''
        return `type Product @key(fields: "id") ${tag} { id: ID! ${field} }`
      }
      const sdls = {
        products: `type Query { product(id: ID!): Product } ${product('products', 'name: String')}`,
        reviews: product('reviews', 'stars: Int'),
      }
      const { supergraphSdl = '', errors } = composeServices(
        Object.entries(sdls).map(([name, text]) => ({
          ...{ name, url: `http://${name}` },
          typeDefs: parse(link + text),
        })),
      )
      expect(errors).toBeUndefined()
      return supergraphSdl
    }
    for (const [graph, asked] of [
      ['products', 1],
      ['reviews', 0],
    ] as const) {
      const cache = createCacheTest({ sdl, supergraph: withTag(graph), rules: { freshMs: 600_000 } })
      cache.answer = () => ({ data: { product: { id: '1', name: 'Table' } } })
      const product = cache.prepare(root)
      await product({ id: '1' }, requestOf())
      await cache.cache.purge({ tags: ['product-1'] })
      await product({ id: '1' }, requestOf())
      expect(cache.sent.length - 1, graph).toBe(asked)
    }
  })
})

test('a purge by object or type reaches root fields whose response has no key, and one by type those without any', async () => {
  const cache = createCacheTest({ sdl })
  cache.answer = ({ variables: { id } }) => ({
    data: { product: id === 'none' ? null : { name: 'Table' } },
    answered: answeredWith({ 'cache-control': 'public, max-age=600' }),
  })
  const product = cache.prepare('query ($id: ID!) { product(id: $id) { name } }')
  const asksAfter = async (id: string, purge: Purge): Promise<number> => {
    await product({ id }, requestOf())
    await cache.cache.purge(purge)
    return cache.asks(() => product({ id }, requestOf()))
  }
  expect(await asksAfter('1', {})).toBe(0)
  expect(await asksAfter('1', { objects: [{ type: 'Product', key: { id: 1 } }] })).toBe(1)
  expect(await asksAfter('none', { objects: [{ type: 'Product', key: { id: 1 } }] })).toBe(0)
  expect(await asksAfter('none', { types: ['Product'] })).toBe(1)
})

test('what has a list is asked for again when something of that type is added, and what has none is not', async () => {
  const cache = createCacheTest({
    sdl: `
      type Query { reviews: ReviewConnection }
      type Mutation { addReview: Review }
      type Product @key(fields: "id") { id: ID! reviews: [Review!] page: Page connection: ReviewConnection maker: Maker }
      type Page { nodes: [Review!] }
      type ReviewConnection { nodes: [Review!] count: Int }
      type Review @key(fields: "id") { id: ID! maker: Maker }
      type Maker @key(fields: "id") { id: ID! }
    `,
  })
  const answered = answeredWith({ 'cache-control': 'public, max-age=600' })
  const product = { reviews: [], page: { nodes: [] }, connection: { count: 0 }, maker: { id: 'm' } }
  cache.answer = ({ variables }) =>
    variables.r === undefined
      ? { data: { addReview: { id: '1', maker: { id: 'n' } }, reviews: { count: 0 } }, answered }
      : { data: { _entities: [product] }, answered }
  const add = cache.prepare('mutation { addReview { id maker { id } } }', 'mutation')
  const asksAgain = async (document: string, variables: object, change: () => unknown): Promise<number> => {
    const look = cache.prepare(document)
    await look({ ...variables }, requestOf())
    await change()
    return cache.asks(() => look({ ...variables }, requestOf()))
  }
  const asksAfter = (selection: string, change: () => unknown): Promise<number> =>
    asksAgain(
      `query ($r: [_Any!]!) { _entities(representations: $r) { ... on Product { ${selection} } } }`,
      { r: [{ __typename: 'Product', id: '1' }] },
      change,
    )
  const adding = () => add({}, requestOf())
  expect(await asksAfter('reviews { id }', adding)).toBe(1)
  expect(await asksAfter('page { nodes { id } }', adding)).toBe(1)
  expect(await asksAfter('connection { count }', adding)).toBe(1)
  expect(await asksAgain('{ reviews { count } }', {}, adding)).toBe(1)
  expect(await asksAfter('maker { id }', adding)).toBe(0)
  expect(await asksAfter('reviews { id }', () => cache.cache.purge({ types: ['Review'] }))).toBe(1)
})

test('what was made before the clock was set back is not used, as nobody knows how old it is', async () => {
  const cache = createCacheTest({ sdl })
  cache.answer = () => ({
    data: { product: { id: '1', name: 'Table' } },
    answered: answeredWith({ 'cache-control': 'public, max-age=60, stale-while-revalidate=60' }),
  })
  const product = cache.prepare(root)
  const asks = async (): Promise<number> => {
    const before = cache.sent.length
    const request = requestOf()
    await product({ id: '1' }, request)
    expect(request.cachePolicy?.freshMs).toBeLessThanOrEqual(60_000)
    return cache.sent.length - before
  }
  expect([await asks(), await asks()]).toEqual([1, 0])
  // Clocks of two gateways are not equal.
  cache.now -= 500
  expect(await asks()).toBe(0)
  cache.now -= 3_600_000
  expect([await asks(), await asks()]).toEqual([1, 0])
})

test('memory keeps an entry for its time, whatever happens to the clock', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const parts = { log: createLogger({ level: 'silent' }), metrics: new Metrics() }
  const cache = responseCacheFrom(configFrom({ TESSERA_RESPONSE_CACHE_BYTES: '1000000' }), parts)
  cache?.store.set('one', { by: 'all' }, 5000)
  vi.setSystemTime(Date.now() - 3_600_000)
  expect(cache?.store.get('one', () => true)).toEqual({ by: 'all' })
  vi.advanceTimersByTime(6000)
  expect(cache?.store.get('one', () => true)).toBeUndefined()
})
