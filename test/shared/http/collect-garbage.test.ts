import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { collectGarbageEvery } from '../../../shared/http/collect-garbage.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const pieces = fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 50 })

/** How often young garbage is collected while these pieces pass. */
function collections(sizes: readonly number[], everyBytes: number): number {
  const collect = vi.fn()
  vi.stubGlobal('gc', collect)
  const passed = collectGarbageEvery(everyBytes)
  for (const size of sizes) passed(size)
  for (const [options] of collect.mock.calls) expect(options).toEqual({ type: 'minor', execution: 'sync' })
  return collect.mock.calls.length
}

test('young garbage is collected whenever so many bytes have passed', () => {
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 10_000 }), (sizes, everyBytes) => {
      let expected = 0
      let since = 0
      for (const size of sizes) {
        since += size
        if (since < everyBytes) continue
        expected += 1
        since = 0
      }
      expect(collections(sizes, everyBytes)).toBe(expected)
    }),
  )
})

test('bytes pass without a collection if the process does not expose the collector', () => {
  vi.stubGlobal('gc', undefined)
  expect(() => collectGarbageEvery(1)(10)).not.toThrow()
})
