import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ReplayWindow } from '../../../shared/http/replay-window.ts'

test('each number is taken once; one too far behind is not taken at all', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(32, 64, 96),
      fc.array(
        fc.oneof(
          fc.integer({ min: 1, max: 400 }),
          fc.integer({ min: 1, max: 40 }),
          fc.integer({ min: 10 ** 14, max: 10 ** 14 + 200 }),
        ),
        { maxLength: 200 },
      ),
      (kept, numbers) => {
        const seen = new ReplayWindow(kept)
        const model = new Set<number>()
        let highest = 0
        for (const number of numbers) {
          const known = number > highest - kept
          expect(seen.take(number)).toBe(known && !model.has(number))
          model.add(number)
          highest = Math.max(highest, number)
        }
      },
    ),
  )
})

test('a million are known, in any order', () => {
  const seen = new ReplayWindow()
  expect(seen.take(2 ** 20)).toBe(true)
  for (const number of [1, 2 ** 20 - 1, 500_000]) {
    expect(seen.take(number)).toBe(true)
    expect(seen.take(number)).toBe(false)
  }
  expect(seen.take(2 ** 20 + 1)).toBe(true)
  expect(seen.take(1)).toBe(false)
  expect(seen.take(2)).toBe(true)
})
