import { getHeapStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { responseHeadFrom } from '../../contract/http/hot/http1/response-head.ts'
import { collectAll, exposeCollector } from '../../gateway/cli/collector.ts'

const padding = 'b'.repeat(7000)

/** How much the heap grows by what `keep` returns of each of so many heads of seven kilobytes. */
function grownBy(count: number, keep: (n: number) => unknown): number {
  exposeCollector()
  const kept: unknown[] = []
  collectAll()
  const before = getHeapStatistics().used_heap_size
  for (let n = 0; n < count; n++) kept.push(keep(n))
  collectAll()
  const grown = getHeapStatistics().used_heap_size - before
  expect(kept).toHaveLength(count)
  return grown
}

test('names of headers that are remembered keep no head', () => {
  const grown = grownBy(200, (n) => {
    responseHeadFrom(`HTTP/1.1 200 OK\r\nx-name-of-a-response-${n}: a\r\nx-pad: ${padding}\r\n`, 'POST')
    return n
  })
  expect(grown).toBeLessThan(500_000)
})
