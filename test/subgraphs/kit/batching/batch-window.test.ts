/**
 * How long a batch waits for other lookups: by the service's response time and its remaining budget, within a bound.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BatchWindow } from '../../../../subgraphs/kit/batching/shared-batches.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A service that took so many milliseconds lately; what is on its way began so many ago. */
function wait(tookMs: number, agoMs: readonly number[], { mostMs = 1000, spent = 0 } = {}): number {
  const window = new BatchWindow(mostMs)
  for (let batch = 0; batch < 20; batch++) window.answered(performance.now() - tookMs)
  return window.wait(
    spent,
    agoMs.map((ago) => ({ sentAt: performance.now() - ago })),
  )
}

test('before anything is known, and for what is nearby, it is a few milliseconds', () => {
  expect(new BatchWindow(50).wait(0, [])).toBe(4)
  expect(wait(1, [0])).toBe(4)
})

test('a batch is waited for that is expected within a fifth of what the service takes, and not others', () => {
  // The next is due in 10 ms, and its requests ask for more a little later.
  expect(wait(100, [90, 20])).toBe(14)
  expect(wait(100, [20])).toBe(4)
  // Of several within the fifth, the last one.
  expect(wait(100, [95, 82, 10])).toBe(20)
  // What is overdue may be back at any moment.
  expect(wait(100, [500])).toBe(4)
})

test('never longer than the bound', () => {
  expect(wait(10_000, [9500], { mostMs: 50 })).toBe(4)
  expect(wait(10_000, [9952], { mostMs: 50 })).toBe(50)
  expect(wait(100, [80], { mostMs: 0 })).toBe(0)
  expect(wait(10_000, [], { mostMs: 50, spent: 1 })).toBe(50)
})

test('longer as the budget runs low', () => {
  const waits = [0.5, 0.6, 0.75, 1, 7].map((spent) => wait(100, [], { spent }))
  expect(waits[0]).toBe(4)
  expect(waits[1]).toBeGreaterThan(20)
  expect(waits[2]).toBeGreaterThan(waits[1] ?? 0)
  expect(waits[3]).toBeGreaterThanOrEqual(100)
  expect(waits[3]).toBeLessThan(105)
  expect(waits[4]).toBeLessThan(105)
})

/** What a batch took in the median, of batches that took so long one after the other. */
function medianOf(tookMs: readonly number[]): number {
  const window = new BatchWindow(1000)
  for (const took of tookMs) window.answered(performance.now() - took)
  // With nothing left of the budget it is a fifth of the median, five times.
  return window.wait(1, [])
}

test('what the service takes is the median of the last fifteen batches, in any order', () => {
  expect(medianOf([100])).toBe(100)
  expect(medianOf([300, 20, 100])).toBe(100)
  expect(medianOf([100, 20, 300, 200, 40])).toBe(100)
  const slow = Array.from({ length: 15 }, () => 800)
  const quick = Array.from({ length: 8 }, () => 40)
  expect(medianOf([...slow, ...quick.slice(1)])).toBe(800)
  expect(medianOf([...slow, ...quick])).toBe(40)
})

test('a batch that is due just within a fifth of what the service takes is waited for, and no longer', () => {
  expect(wait(100, [80])).toBe(20)
  expect(wait(100, [79.9])).toBe(4)
  expect(wait(100, [90])).toBe(14)
})
