import { getHeapStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { collectAll, exposeCollector } from '../../gateway/cli/v8-flags.ts'
import { collectGarbageEvery } from '../../shared/http/collect-garbage.ts'
import { joinRequests, type SubgraphRequest } from '../../shared/request.ts'

test('requests that wait for the same call are collected young: nothing that lives longer keeps what they hold', () => {
  // Without a getter, which would be what this looks for.
  const requestWith = (held: readonly number[]): SubgraphRequest & { readonly held: readonly number[] } => ({
    id: 'test',
    deadline: 0,
    header: () => undefined,
    cancelled: false,
    onCancel: () => () => {},
    meter: { call() {} },
    held,
  })
  const join = (count: number): void => {
    const collectYoung = collectGarbageEvery(1)
    for (let n = 0; n < count; n++) {
      const joined = joinRequests([0, 1].map((at) => requestWith(Array.from({ length: 1000 }, () => n + at))))
      if (joined.cancelled) throw new Error('it was not cancelled')
      if (n % 50 === 0) collectYoung(1)
    }
    collectYoung(1)
    collectYoung(1)
  }
  exposeCollector()
  join(200)
  collectAll()
  const before = getHeapStatistics().used_heap_size
  join(2000)
  // All that was held is some 32 MB.
  expect(getHeapStatistics().used_heap_size - before).toBeLessThan(8e6)
})
