/** For how long and for whom a response is stored, by its headers, the schema's hints and the configuration. */
import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, test } from 'vitest'
import {
  narrower,
  type SubgraphRules,
  storagePolicyOf,
} from '../../../gateway/response-cache/storage-policy.ts'

const now = Date.UTC(2026, 10, 30, 12)
const day = 86_400_000
const hour = 3_600_000

interface Given {
  readonly headers?: IncomingHttpHeaders
  readonly status?: number
  readonly maxAge?: number
  readonly isPrivate?: boolean
  readonly varies?: boolean
  readonly rules?: Partial<SubgraphRules>
}

function policyOf({ headers = {}, status = 200, maxAge, isPrivate = false, varies = false, rules }: Given) {
  return storagePolicyOf(
    { status, headers },
    {
      rules: { freshMs: undefined, revalidateMs: 0, errorMs: 0, quotaMs: 0, ...rules },
      policy: { maxAge, isPrivate, guard: undefined },
      ...{ varies, now },
    },
  )
}
const byControl = (text: string, others: Given = {}) =>
  policyOf({ ...others, headers: { 'cache-control': text } })

describe('the time for which a response is fresh', () => {
  test('comes from its headers, or else from the hint, or else from the configuration', () => {
    const rules = { freshMs: 3000 }
    expect(byControl('max-age=1', { maxAge: 2, rules })?.freshMs).toBe(1000)
    expect(policyOf({ maxAge: 2, rules })?.freshMs).toBe(2000)
    expect(policyOf({ rules })?.freshMs).toBe(3000)
    expect(policyOf({})).toBeUndefined()
  })

  test('is 30 days at most', () => {
    expect(byControl(`max-age=${40 * 86_400}`)).toMatchObject({ freshMs: 30 * day, keptMs: 30 * day })
  })

  test('is that of a subgraph in this process without any headers', () => {
    const options = { policy: { maxAge: 5, isPrivate: false, guard: undefined }, varies: false, now }
    const rules = { freshMs: undefined, revalidateMs: 0, errorMs: 0, quotaMs: 0 }
    expect(storagePolicyOf(undefined, { ...options, rules })).toMatchObject({ freshMs: 5000, tags: [] })
  })
})

test.each([
  [200, true],
  [304, true],
  [203, false],
  [404, false],
  [500, false],
])('a response with the status %i is stored: %s', (status, isStored) => {
  expect(byControl('max-age=9', { status }) !== undefined).toBe(isStored)
})

describe('how long it is kept', () => {
  test.each([
    ['as long as it is fresh', 'max-age=10', {}, 10_000],
    [
      'longer while it may be revalidated in the background',
      'max-age=10, stale-while-revalidate=5',
      {},
      15_000,
    ],
    ['longer while it may stand in for errors', 'max-age=10, stale-if-error=7', {}, 17_000],
    ['by the longest of them', 'max-age=10, stale-while-revalidate=5, stale-if-error=7', {}, 17_000],
    ['by the configuration if it says nothing', 'max-age=10', { revalidateMs: 4000, errorMs: 3000 }, 14_000],
    ['by its own times instead', 'max-age=10, stale-while-revalidate=1', { revalidateMs: 4000 }, 11_000],
    ['longer for callers without quota', 'max-age=10', { quotaMs: 60_000 }, 70_000],
    ['no longer if it must not be stale', 'max-age=10, must-revalidate', { errorMs: 9, quotaMs: 9 }, 10_000],
  ])('%s', (_, text, rules, keptMs) => {
    expect(byControl(text, { rules })?.keptMs).toBe(keptMs)
  })

  test('an hour longer if it can be revalidated', () => {
    for (const validator of [{ etag: '"1"' }, { 'last-modified': 'Mon, 30 Nov 2026 11:59:59 GMT' }])
      expect(policyOf({ headers: { 'cache-control': 'max-age=10', ...validator } })?.keptMs).toBe(
        10_000 + hour,
      )
    expect(policyOf({ headers: { 'cache-control': 'no-cache', etag: '"1"' } })).toMatchObject({
      ...{ freshMs: 0, keptMs: hour, mayBeStale: false, etag: '"1"' },
    })
  })

  test('without the time that it has been under way, and not at all if that is all of it', () => {
    const headers = { 'cache-control': 'max-age=10', age: '4' }
    expect(policyOf({ headers })).toMatchObject({ freshMs: 10_000, keptMs: 6000, madeAt: now - 4000 })
    expect(policyOf({ headers: { ...headers, age: '10' } })).toBeUndefined()
    expect(byControl('no-cache')).toBeUndefined()
  })
})

test('times for stale use are zero if it must not be stale', () => {
  const text = 'max-age=1, stale-while-revalidate=5, stale-if-error=7'
  expect(byControl(text)).toMatchObject({ revalidateMs: 5000, errorMs: 7000, mayBeStale: true })
  expect(byControl(`${text}, must-revalidate`)).toMatchObject({
    revalidateMs: 0,
    errorMs: 0,
    mayBeStale: false,
  })
})

describe('for whom it is stored', () => {
  test.each([
    ['everybody, if the subgraph gets nothing of the caller', 'max-age=9', {}, undefined],
    ['the caller, if it says private', 'max-age=9, private', {}, 'caller'],
    ['the caller, if the schema says private', 'max-age=9', { isPrivate: true }, 'caller'],
    ['the caller, also if the response says public', 'max-age=9, public', { isPrivate: true }, 'caller'],
    ['those with equal headers, if the subgraph gets some', 'max-age=9', { varies: true }, 'all'],
    ['everybody, if it is public', 'max-age=9, public', { varies: true }, undefined],
  ] as const)('%s', (_, text, others, by) => {
    expect(byControl(text, others)?.by).toEqual(by)
  })

  test('those with equal headers of Vary, if it is public', () => {
    const headers = { 'cache-control': 'max-age=9, public', vary: 'x-tenant, accept' }
    expect(policyOf({ headers, varies: true })?.by).toEqual(['x-tenant'])
    expect(policyOf({ headers, varies: false })?.by).toBeUndefined()
  })

  test('the narrower of two', () => {
    expect(narrower(undefined, ['a'])).toEqual(['a'])
    expect(narrower(['a'], undefined)).toEqual(['a'])
    expect(narrower(undefined, undefined)).toBeUndefined()
    expect(narrower('caller', 'all')).toBe('caller')
    expect(narrower(['a'], 'caller')).toBe('caller')
    expect(narrower('all', ['a'])).toBe('all')
    expect(narrower(['a'], 'all')).toBe('all')
    expect(narrower(['a', 'b'], ['b', 'c'])).toEqual(['a', 'b', 'c'])
  })
})

test('its tags are those of Cache-Tag', () => {
  expect(policyOf({ headers: { 'cache-control': 'max-age=9', 'cache-tag': 'a, b' } })?.tags).toEqual([
    '#a',
    '#b',
  ])
})
