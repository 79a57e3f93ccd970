import { Socket } from 'node:net'
import { getHeapStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { responseHeadFrom } from '../../contract/http/hot/http1/response-head.ts'
import { collectAll, exposeCollector } from '../../gateway/cli/collector.ts'
import { createWholeRequests } from '../../gateway/http/serve/hot/whole-requests/whole-request.ts'

const socket = new Socket()
const padding = 'b'.repeat(7000)
const { read } = createWholeRequests({ paths: ['/graphql'], mostBodyBytes: 100, hasCors: false })

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

test('who keeps a header of a request does not keep its whole head', () => {
  const headerOf = (n: number): unknown => {
    const lines = [
      'host: a',
      `authorization: Bearer ${n}-0123456789`,
      `x-pad: ${padding}`,
      'content-length: 2',
    ]
    return read(Buffer.from(`POST /graphql HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n{}`), socket)?.headers
      .authorization
  }
  expect(headerOf(1)).toBe('Bearer 1-0123456789')
  expect(grownBy(2000, headerOf)).toBeLessThan(2_000_000)
})

test('names of headers that are remembered keep no head', () => {
  const grown = grownBy(200, (n) => {
    const lines = ['host: a', `x-name-of-a-request-${n}: a`, `x-pad: ${padding}`, 'content-length: 2']
    read(Buffer.from(`POST /graphql HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n{}`), socket)
    responseHeadFrom(`HTTP/1.1 200 OK\r\nx-name-of-a-response-${n}: a\r\nx-pad: ${padding}\r\n`, 'POST')
    return n
  })
  expect(grown).toBeLessThan(500_000)
})
