/** The interval between two polls, and what the outcomes of polls change about it. */
import { describe, expect, test } from 'vitest'
import { tesseraError } from '../../../../shared/errors.ts'
import { intervalMs } from '../../../../subgraphs/kit/polling/interval.ts'
import { PollHistory } from '../../../../subgraphs/kit/polling/poll-history.ts'

const pace = { defaultMs: 10_000, leastMs: 1000, idleMs: 40_000 }
const interval = (given: Partial<Parameters<typeof intervalMs>[1]> = {}): number =>
  intervalMs(pace, { requestedMs: undefined, hintMs: 0, unchanged: 0, failures: 0, ...given })

describe('the interval', () => {
  test('is that of the field, or the requested one within its bound, and at least what the service asks for', () => {
    expect(interval()).toBe(10_000)
    expect(interval({ requestedMs: 2000 })).toBe(2000)
    expect(interval({ requestedMs: 20_000 })).toBe(20_000)
    expect(interval({ requestedMs: 1 })).toBe(1000)
    expect(interval({ requestedMs: 2000, hintMs: 7000 })).toBe(7000)
    expect(interval({ hintMs: 70_000 })).toBe(70_000)
  })

  test('grows by a quarter with each poll without news, up to its bound, unless it was requested', () => {
    expect(interval({ unchanged: 1 })).toBe(12_500)
    expect(interval({ unchanged: 2 })).toBe(15_625)
    expect(interval({ unchanged: 1_000_000 })).toBe(40_000)
    expect(interval({ unchanged: 1_000_000, hintMs: 70_000 })).toBe(70_000)
    expect(interval({ unchanged: 3, requestedMs: 10_000 })).toBe(10_000)
  })

  test('doubles with each failure, up to its bound, also if it was requested', () => {
    expect(interval({ failures: 1 })).toBe(20_000)
    expect(interval({ failures: 2, requestedMs: 2000 })).toBe(8000)
    expect(interval({ failures: 1_000_000 })).toBe(300_000)
    expect(interval({ failures: 1, unchanged: 1000 })).toBe(40_000)
    expect(interval({ failures: 1, requestedMs: 400_000 })).toBe(400_000)
  })
})

describe('the outcomes of polls', () => {
  const unavailable = (retryAfter?: number): Error =>
    tesseraError('UPSTREAM_UNAVAILABLE', 'Away.', retryAfter === undefined ? {} : { retryAfter })

  test('end polling if the first three fail, and not if there was an answer before', () => {
    const first = new PollHistory()
    expect([1, 2, 3].map(() => first.failed(unavailable()))).toEqual([false, false, true])
    const later = new PollHistory()
    later.succeeded()
    expect([1, 2, 3, 4].map(() => later.failed(unavailable()))).toEqual([false, false, false, false])
    const elsewhere = new PollHistory()
    elsewhere.answered()
    expect([1, 2, 3].map(() => elsewhere.failed(unavailable()))).toEqual([false, false, false])
  })

  test.each([
    'BAD_USER_INPUT',
    'FORBIDDEN',
    'NOT_FOUND',
    'QUOTA_EXCEEDED',
    'COST_ESTIMATED_TOO_EXPENSIVE',
    'UNAUTHENTICATED',
  ] as const)('end polling at once with %s, also after an answer', (code) => {
    const history = new PollHistory()
    history.succeeded()
    expect(history.failed(tesseraError(code, 'No.'))).toBe(true)
  })

  test('are counted until the next answer, which says what the service asks for', () => {
    const history = new PollHistory()
    history.succeeded(5000)
    history.failed(new Error('broken'))
    history.failed(unavailable(7))
    expect([history.failures, history.unchanged, history.hintMs]).toEqual([2, 2, 7000])
    history.failed(unavailable(1))
    expect(history.hintMs).toBe(7000)
    history.answered()
    expect([history.failures, history.hintMs]).toEqual([0, 7000])
    history.succeeded()
    expect([history.failures, history.unchanged, history.hintMs]).toEqual([0, 3, 0])
  })
})
