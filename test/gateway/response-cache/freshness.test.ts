/** What the caching headers of a response mean for a shared cache (RFC 9111, RFC 5861). */
import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, test } from 'vitest'
import { freshnessOf } from '../../../gateway/response-cache/freshness.ts'

const now = Date.UTC(2026, 10, 30, 12)
const read = (headers: IncomingHttpHeaders) => freshnessOf(headers, now)
const control = (text: string) => read({ 'cache-control': text })

test('headers that say nothing leave everything open', () => {
  expect(read({})).toEqual({
    ...{ freshMs: undefined, ageMs: 0, revalidateMs: undefined, errorMs: undefined, mayBeStale: true },
    ...{ scope: 'unsaid', vary: [], etag: undefined, lastModified: undefined },
  })
})

describe('how long a response is fresh', () => {
  test.each([
    ['max-age=60', 60],
    ['Max-Age=60', 60],
    ['max-age="60"', 60],
    ['max-age="\\60"', 60],
    ['max-age=60, s-maxage=10', 10],
    ['s-maxage=10, max-age=60', 10],
    ['max-age=60, max-age=30', 30],
    ['no-cache, max-age=60', 0],
    ['max-age=soon', 0],
    ['max-age=6x', 0],
    ['max-age=-1', 0],
    ['max-age=6 0', undefined],
    ['max-age=60;', undefined],
    [', ,\tmax-age=60 ,', 60],
    ['other="a, max-age=1", max-age=60', 60],
    ['@, max-age=60', 60],
    ['public private, max-age=60', 60],
    ['max-age=99999999999', 2 ** 31 - 1],
    ['public', undefined],
    ['', undefined],
  ])('by Cache-Control: %s', (text, seconds) => {
    expect(control(text)?.freshMs).toBe(seconds === undefined ? undefined : seconds * 1000)
  })

  const date = 'Mon, 30 Nov 2026 11:59:50 GMT'
  test.each([
    ['from Date to Expires', { date, expires: 'Mon, 30 Nov 2026 12:00:50 GMT' }, 60],
    ['from now on without Date', { expires: 'Mon, 30 Nov 2026 12:00:50 GMT' }, 50],
    ['from now on if Date cannot be read', { date: 'today', expires: 'Mon, 30 Nov 2026 12:00:50 GMT' }, 50],
    ['not at all after Expires', { date, expires: 'Mon, 30 Nov 2026 11:00:00 GMT' }, 0],
    ['not at all if Expires cannot be read', { date, expires: '0' }, 0],
    ['not at all if Expires names no day', { date, expires: 'Mon, 99 Nov 2026 12:00:50 GMT' }, 0],
    ['by max-age instead of Expires', { 'cache-control': 'max-age=5', expires: date }, 5],
    ['by Expires in the form of asctime', { date, expires: 'Mon Nov 30 12:00:50 2026' }, 60],
    ['by Expires in that form with one digit', { date, expires: 'Tue Dec  1 11:59:50 2026' }, 86_400],
    ['by Expires in the form of RFC 850', { date, expires: 'Monday, 30-Nov-26 12:00:50 GMT' }, 60],
    ['not at all if two digits are the last century', { date, expires: 'Sunday, 06-Nov-94 08:49:37 GMT' }, 0],
    [
      'long if two digits are within 50 years',
      { date, expires: 'Monday, 30-Nov-76 11:59:50 GMT' },
      1_577_923_200,
    ],
    ['by Expires in small letters', { date, expires: 'mon, 30 nov 2026 12:00:50 gmt' }, 60],
    ['not at all by another zone', { date, expires: 'Mon, 30 Nov 2026 12:00:50 CET' }, 0],
    ['not at all by more than a date', { date, expires: 'x Mon, 30 Nov 2026 12:00:50 GMT' }, 0],
    ['not at all by a date and more', { date, expires: 'Mon, 30 Nov 2026 12:00:50 GMT x' }, 0],
    ['not at all by asctime and more', { date, expires: 'Mon Nov 30 12:00:50 2026 x' }, 0],
    ['not at all by more than asctime', { date, expires: 'x Mon Nov 30 12:00:50 2026' }, 0],
    ['not at all by RFC 850 and more', { date, expires: 'Monday, 30-Nov-26 12:00:50 GMT x' }, 0],
    ['not at all by more than RFC 850', { date, expires: 'x Monday, 30-Nov-26 12:00:50 GMT' }, 0],
  ] as const)('%s', (_, headers, seconds) => {
    expect(read(headers)?.freshMs).toBe(seconds * 1000)
  })
})

describe('how old it is', () => {
  test.each([
    ['as Age says', { age: '7' }, 7],
    ['as the first Age says', { age: '7, 9' }, 7],
    ['as Age says with blanks', { age: ' 7 ' }, 7],
    ['not known by another Age', { age: '-7' }, 0],
    ['not known by an Age with a unit', { age: '7s' }, 0],
    ['not known by an Age after a sign', { age: '+7' }, 0],
    ['since Date, if that is longer', { age: '7', date: 'Mon, 30 Nov 2026 11:59:00 GMT' }, 60],
    ['as Age says, if that is longer', { age: '99', date: 'Mon, 30 Nov 2026 11:59:00 GMT' }, 99],
    ['new if Date is less than two seconds ago', { date: 'Mon, 30 Nov 2026 11:59:59 GMT' }, 0],
    ['two seconds if Date is two seconds ago', { date: 'Mon, 30 Nov 2026 11:59:58 GMT' }, 2],
    ['new if Date is in the future', { date: 'Mon, 30 Nov 2026 12:30:00 GMT' }, 0],
    ['bounded', { age: '99999999999' }, 2 ** 31 - 1],
  ])('%s', (_, headers, seconds) => {
    expect(read(headers)?.ageMs).toBe(seconds * 1000)
  })
})

describe('what must not be stored', () => {
  test.each([
    ['no-store', { 'cache-control': 'max-age=60, no-store' }],
    ['NO-STORE', { 'cache-control': 'NO-STORE' }],
    ['no-store with a value', { 'cache-control': 'no-store=x, max-age=60' }],
    ['no-store that is not well-formed', { 'cache-control': 'max-age=60, no-store x' }],
    ['a field that is too long', { 'cache-control': `max-age=60, x="${'x'.repeat(4000)}"` }],
    ['Vary: *', { 'cache-control': 'max-age=60', vary: 'accept, *' }],
  ])('%s', (_, headers) => {
    expect(read(headers)).toBeUndefined()
  })
})

describe('for whom, and whether it may be stale', () => {
  test.each([
    ['max-age=60', 'unsaid', true],
    ['public, max-age=60', 'public', true],
    ['s-maxage=60', 'public', false],
    ['private, public, max-age=60', 'private', true],
    ['private="x", max-age=60', 'private', true],
    ['private x, max-age=60', 'private', true],
    ['max-age=60, must-revalidate', 'unsaid', false],
    ['max-age=60, proxy-revalidate', 'unsaid', false],
    ['max-age=60, no-cache', 'unsaid', false],
    ['max-age=60, no-cache x', 'unsaid', false],
    ['max-age=60, must-revalidate x', 'unsaid', false],
    ['max-age=60, proxy-revalidate x', 'unsaid', false],
  ])('%s', (text, scope, mayBeStale) => {
    expect(control(text)).toMatchObject({ scope, mayBeStale })
  })

  test('for as long as the response says', () => {
    expect(control('max-age=1, stale-while-revalidate=2, stale-if-error=3')).toMatchObject({
      ...{ freshMs: 1000, revalidateMs: 2000, errorMs: 3000 },
    })
  })
})

test('Vary keeps each header that may differ by caller, once and in lower case', () => {
  expect(read({ vary: 'Accept, X-Tenant, accept-encoding, authorization, x-tenant, Origin' })?.vary).toEqual([
    'x-tenant',
    'authorization',
  ])
  const same =
    'accept, accept-encoding, content-type, content-length, user-agent, origin, host, access-control-request-headers, access-control-request-method'
  expect(read({ vary: same })?.vary).toEqual([])
})

test('a field of 4,000 characters is read', () => {
  expect(control('max-age=60'.padEnd(4000))?.freshMs).toBe(60_000)
})

test('validators are kept if they are not too long', () => {
  const lastModified = 'Mon, 30 Nov 2026 11:59:59 GMT'
  expect(read({ etag: '"1"', 'last-modified': lastModified })).toMatchObject({ etag: '"1"', lastModified })
  expect(read({ etag: 'x'.repeat(500) })?.etag).toHaveLength(500)
  expect(read({ etag: 'x'.repeat(501), 'last-modified': '' })).toMatchObject({
    etag: undefined,
    lastModified: undefined,
  })
})
