/** The comparison of the costs of plans, and of the ways to request a field. */
import { expect, test } from 'vitest'
import { costsLess } from '../../../../engine/planner/search/cost.ts'
import { isCheaper, isEarlier } from '../../../../engine/planner/search/estimate.ts'

const cost = (stages: number, fetches: number, fields: number) => ({ stages, fetches, fields })
const estimate = (stage: number, fetches: number, fields: number) => ({ stage, fetches, fields })

test('plans are compared by their stages, then by their fetches, then by their fields', () => {
  const sorted = [cost(1, 9, 9), cost(2, 1, 9), cost(2, 2, 1), cost(2, 2, 2), cost(3, 1, 1)]
  sorted.forEach((a, i) => {
    sorted.forEach((b, k) => {
      expect(costsLess(a, b), JSON.stringify([a, b])).toBe(i < k)
    })
  })
})

test('ways to a field that others wait for are compared by their stage, then by their fetches, then by their fields', () => {
  const sorted = [estimate(0, 9, 9), estimate(1, 1, 9), estimate(1, 2, 1), estimate(1, 2, 2)]
  sorted.forEach((a, i) => {
    sorted.forEach((b, k) => {
      expect(isEarlier(a, b), JSON.stringify([a, b])).toBe(i < k)
    })
  })
})

test('a field that nothing waits for may come as late as the last stage of the plan', () => {
  // Of a plan of two stages: the first four come within it, the others would make it longer.
  const sorted = [
    estimate(1, 0, 3),
    estimate(0, 1, 1),
    estimate(1, 1, 1),
    estimate(0, 1, 2),
    estimate(2, 0, 1),
    estimate(2, 1, 1),
    estimate(3, 0, 0),
  ]
  sorted.forEach((a, i) => {
    sorted.forEach((b, k) => {
      expect(isCheaper(a, b, 2), JSON.stringify([a, b])).toBe(i < k)
    })
  })
})
