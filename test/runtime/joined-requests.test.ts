/** Requests that wait for the same call. */
import { getHeapStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { collectPassing } from '../../contract/hot/passing-bytes.ts'
import { type CallRecord, joinRequests, type SubgraphRequest } from '../../contract/request.ts'
import { collectAll, exposeCollector } from '../../gateway/cli/collector.ts'
import { testRequest } from '../support/request.ts'

test('are cancelled when all of them are, and as patient as the most patient', () => {
  const [hasty, patient] = [testRequest({}, { timeoutMs: 1000 }), testRequest({}, { timeoutMs: 5000 })]
  const joined = joinRequests([hasty, patient])
  expect(joined.deadline).toBe(patient.deadline)
  let told = 0
  joined.onCancel(() => {
    told += 1
  })
  hasty.cancel()
  expect([joined.cancelled, told]).toEqual([false, 0])
  patient.cancel()
  expect([joined.cancelled, told]).toEqual([true, 1])
})

test('have one that paid for the call, and others that shared it', () => {
  const requests = [testRequest(), testRequest(), testRequest()]
  const record: CallRecord = {
    service: 'videos',
    operation: 'videos.list',
    outcome: 'sent',
    units: 1,
    milliseconds: 2,
  }
  joinRequests(requests).meter.call(record)
  const shared = { ...record, outcome: 'shared', units: 0 }
  expect(requests.map(({ calls }) => calls)).toEqual([[record], [shared], [shared]])
})

test('are collected young: nothing that lives longer keeps what they hold', () => {
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
    const collectYoung = collectPassing(1)
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
