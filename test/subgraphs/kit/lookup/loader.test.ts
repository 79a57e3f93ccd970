import { describe, expect, test } from 'vitest'
import type { SubgraphRequest } from '../../../../contract/request.ts'
import { chunk, createBatch } from '../../../../subgraphs/kit/lookup/loader.ts'
import { testRequest } from '../../../support/request.ts'

function doubling(share: boolean) {
  const fetches: { keys: readonly number[]; request: SubgraphRequest }[] = []
  const batch = createBatch<number, number>({
    share,
    async fetch(keys, request) {
      fetches.push({ keys, request })
      request.meter.call({ service: 's', operation: 'o', outcome: 'sent', units: 1, milliseconds: 1 })
      return keys.map((key) => (key < 0 ? new Error(`no ${key}`) : key * 2))
    },
  })
  return { batch, fetches }
}

describe('a batch', () => {
  test('fetches everything wanted in one tick together and answers in order', async () => {
    const { batch, fetches } = doubling(false)
    const request = testRequest()
    expect(await Promise.all([3, 1, 3].map(batch.of(request, 'k')))).toEqual([6, 2, 6])
    expect(fetches.map(({ keys }) => keys)).toEqual([[3, 1, 3]])
  })

  test('fails only the keys that failed', async () => {
    const { batch } = doubling(true)
    const results = await Promise.allSettled([1, -1].map((n) => batch.of(testRequest(), 'k')(n)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })

  test('is shared by requests with the same credential, booked on the first and shared by the others', async () => {
    const { batch, fetches } = doubling(true)
    const [a, b] = [testRequest(), testRequest()]
    await Promise.all([batch.of(a, 'k')(1), batch.of(b, 'k')(2)])
    expect(fetches.length).toBe(1)
    expect(a.calls).toMatchObject([{ outcome: 'sent', units: 1 }])
    expect(b.calls).toMatchObject([{ outcome: 'shared', units: 0 }])
  })

  test('never crosses credentials', async () => {
    const { batch, fetches } = doubling(true)
    await Promise.all([batch.of(testRequest(), 'k')(1), batch.of(testRequest(), 'other')(1)])
    expect(fetches.length).toBe(2)
  })

  test('is one of each request where sharing is off', async () => {
    const { batch, fetches } = doubling(false)
    await Promise.all([batch.of(testRequest(), 'k')(1), batch.of(testRequest(), 'k')(2)])
    expect(fetches.length).toBe(2)
  })

  test('gathers what is wanted while another is on its way', async () => {
    const gate = Promise.withResolvers<void>()
    const fetches: (readonly number[])[] = []
    const batch = createBatch<number, number>({
      share: true,
      async fetch(keys) {
        fetches.push(keys)
        if (fetches.length === 1) await gate.promise
        return keys
      },
    })
    const first = batch.of(testRequest(), 'k')(1)
    await new Promise(setImmediate)
    const second = batch.of(testRequest(), 'k')(2)
    await new Promise(setImmediate)
    const third = batch.of(testRequest(), 'k')(3)
    expect(fetches).toEqual([[1]])
    gate.resolve()
    expect(await Promise.all([first, second, third])).toEqual([1, 2, 3])
    expect(fetches).toEqual([[1], [2, 3]])
  })

  test('does not wait longer than its patience for one that hangs', async () => {
    const batch = createBatch<number, number>({
      share: { mostWaitMs: 1 },
      fetch: (keys) => (keys[0] === 1 ? new Promise(() => {}) : Promise.resolve(keys)),
    })
    batch
      .of(
        testRequest(),
        'k',
      )(1)
      .catch(() => {})
    await new Promise(setImmediate)
    expect(await batch.of(testRequest(), 'k')(2)).toBe(2)
  })

  test('is cancelled only when every request that waits for it is', async () => {
    const { batch, fetches } = doubling(true)
    const [a, b] = [testRequest(), testRequest()]
    await Promise.all([batch.of(a, 'k')(1), batch.of(b, 'k')(2)])
    const joined = fetches[0]!.request
    let told = 0
    joined.onCancel(() => {
      told += 1
    })
    a.cancel()
    expect([joined.cancelled, told]).toEqual([false, 0])
    b.cancel()
    expect([joined.cancelled, told]).toEqual([true, 1])
  })
})

test('chunks keep the order and the size', () => {
  expect(chunk([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(chunk([], 2)).toEqual([])
})
