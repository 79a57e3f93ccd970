import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryAfterSeconds, retryDelayMs } from '../../../shared/http/retry.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

test.each([
  ['0', 0],
  ['120', 120],
  ['Fri, 20 Nov 2026 12:00:30 GMT', 30],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
  ['-5', undefined],
  ['soon', undefined],
  ['1e9', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After: %s means %s seconds', (value, seconds) => {
  expect(retryAfterSeconds(value === undefined ? {} : { 'retry-after': value }, now)).toBe(seconds)
})

test("a date of Retry-After is one of the server's clock", () => {
  const headers = { 'retry-after': 'Fri, 20 Nov 2026 13:00:30 GMT' }
  expect(retryAfterSeconds({ ...headers, date: 'Fri, 20 Nov 2026 13:00:00 GMT' }, now)).toBe(30)
  expect(retryAfterSeconds({ ...headers, date: 'today' }, now)).toBe(3630)
})

test('a delay lies anywhere between nothing and a ceiling that doubles up to two seconds', () => {
  fc.assert(
    fc.property(
      fc.nat(20),
      fc.integer({ min: 1, max: 500 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (repetition, firstMs, share) => {
        const delay = retryDelayMs({ repetition, firstMs, random: () => share })
        expect(delay).toBeCloseTo(share * Math.min(2000, firstMs * 2 ** repetition), 6)
      },
    ),
  )
})

test("the service's waiting time is waited in full, and the jitter is added", () => {
  expect(retryDelayMs({ repetition: 0, firstMs: 100, random: () => 0.5, retryAfter: 3 })).toBe(3050)
})
