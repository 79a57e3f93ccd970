/** What counts as a wait that grows. */
import { expect, test } from 'vitest'
import {
  createGrowth,
  type Least,
  overload,
  possibleOverload,
} from '../../../../gateway/http/shedding/growth.ts'

/** How much longer the wait would be in 100 ms, after samples 10 ms apart, the first at 0. */
function grownBy(waits: readonly number[], least: Least = overload): number {
  const growth = createGrowth(5, least)
  growth.rest(0)
  for (const [at, waitMs] of waits.entries()) growth.sample(waitMs, at * 10, 0)
  return growth.in(100, (waits.length - 1) * 10)
}

test('a wait that has grown for less than 80 ms does not count', () => {
  expect(grownBy([0, 20, 40, 60, 80, 100, 120, 140])).toBe(0)
  expect(grownBy([0, 20, 40, 60, 80, 100, 120, 140, 160])).toBe(200)
})

test('a wait that has grown for 30 ms may be an overload', () => {
  expect(grownBy([0, 20, 40], possibleOverload)).toBe(0)
  expect(grownBy([0, 20, 40, 60], possibleOverload)).toBe(200)
  expect(grownBy([0, 20, 40, 60, 50], possibleOverload)).toBe(0)
})

test('a wait that gets shorter for a moment still grows', () => {
  expect(grownBy([0, 20, 40, 60, 50, 70, 90, 110, 130])).toBeGreaterThan(100)
})

test('a wait that gets shorter does not grow, however long it has grown', () => {
  expect(grownBy([0, 40, 80, 120, 160, 200, 240, 280, 320, 310])).toBe(0)
})

test('a long wait that stays as it is hardly grows', () => {
  const waits = Array.from({ length: 30 }, (_, n) => (n < 5 ? 50 * n : 250 + (n % 2)))
  expect(grownBy(waits)).toBeLessThan(5)
})

test('growth counts from where the wait was small', () => {
  expect(grownBy([0, 100, 200, 300, 400, 3, 20, 40, 60])).toBe(0)
})
