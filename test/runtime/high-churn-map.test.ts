import { getHeapStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { collectAll, exposeCollector } from '../../gateway/cli/v8-flags.ts'
import { collectGarbageEvery } from '../../shared/http/collect-garbage.ts'
import { HighChurnMap } from '../../shared/runtime/high-churn-map.ts'

interface Held {
  readonly numbers: readonly number[]
}

/** By how much the heap has grown after 20,000 entries came and went, 32 of them at a time, with young collections only. */
function grownBy(entries: HighChurnMap<Held>): number {
  const under: [string, Held][] = []
  const pass = (count: number): void => {
    const collectYoung = collectGarbageEvery(1)
    for (let n = 0; n < count; n++) {
      const entry: [string, Held] = [`entry ${n}`, { numbers: Array.from({ length: 200 }, () => n) }]
      entries.set(...entry)
      under.push(entry)
      const over = under.length > 32 ? under.shift() : undefined
      if (over !== undefined) entries.delete(...over)
      if (n % 400 === 0) collectYoung(1)
    }
    collectYoung(1)
    collectYoung(1)
  }
  exposeCollector()
  pass(1000)
  collectAll()
  const before = getHeapStatistics().used_heap_size
  pass(20_000)
  return getHeapStatistics().used_heap_size - before
}

test('what was removed is collected young', () => {
  // All values together are some 32 MB, of which a Map keeps 24.
  expect(grownBy(new HighChurnMap<Held>())).toBeLessThan(4e6)
})
