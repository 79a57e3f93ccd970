import { expect, test } from 'vitest'
import { ceilingPart, ratiosOf } from '../../bench/ratios.ts'
import type { Comparison, Side } from '../../bench/turns.ts'

const side = (rps: number): Side => ({
  figures: { rps, p50: 1000 / rps, p99: 3000 / rps, cpu: 1_000_000 / rps },
  failures: 0,
  firstFailure: undefined,
  samples: [],
})
const comparison = (ceiling: number, candidate: number): Comparison => ({
  ceiling: side(ceiling),
  candidate: side(candidate),
})

test('a candidate beside a ceiling that is slower than the others is not the better for it', () => {
  // In the second round the machine has half of its speed.
  const beside = [comparison(80, 100), comparison(40, 50), comparison(80, 100)]
  const other = [comparison(120, 100), comparison(60, 50), comparison(120, 100)]
  expect(ratiosOf(beside, [beside, other]).rps).toBeCloseTo(1, 10)
  expect(ratiosOf(other, [beside, other]).rps).toBeCloseTo(1, 10)
  expect(ceilingPart(beside, [beside, other], 'rps')).toBeCloseTo(0.8, 10)
  expect(ceilingPart(other, [beside, other], 'rps')).toBeCloseTo(1.2, 10)
  // Times are held against the mean of times.
  expect(ratiosOf(beside, [beside, other]).cpu).toBeCloseTo(10 / ((12.5 + 1000 / 120) / 2), 10)
})

test('a single candidate is compared with the ceiling next to it', () => {
  const only = [comparison(100, 90), comparison(100, 120), comparison(100, 95)]
  expect(ratiosOf(only, [only]).rps).toBe(0.95)
  expect(ratiosOf(only, [only]).cpu).toBeCloseTo(1 / 0.95, 10)
})

test('one that has not been in all rounds is left out of the mean of those', () => {
  const own = [comparison(100, 100), comparison(100, 100), comparison(100, 100)]
  const short = [comparison(50, 50)]
  expect(ceilingPart(own, [own, short], 'rps')).toBe(1)
})
