/** The bounds of the memory for outcomes, and the one step in which it changes. */
import { expect, test, vi } from 'vitest'
import { createOutcomes } from '../../../../gateway/pipeline/idempotency/index.ts'
import { memoryStores } from '../../../../gateway/stores/index.ts'
import { finished, read, unknown } from './kit.ts'

const code = (error: unknown): unknown => (error as { extensions: { code: unknown } }).extensions.code

test('if many expect the same entry, only one of them replaces it', async () => {
  const store = createOutcomes(memoryStores, { mostCharacters: 1e6 })
  const key = { caller: 'c', key: 'k' }
  const before = await Promise.all(
    Array.from({ length: 20 }, (_, n) => store.swap(key, undefined, finished(String(n)), 1000)),
  )
  expect(before.filter((each) => each === undefined)).toHaveLength(1)
  expect(await store.swap(key, 'something else', undefined, 0)).toBe(finished('0'))
  expect(await store.swap(key, finished('0'), undefined, 0)).toBe(finished('0'))
  expect(await store.swap(key, undefined, 'again', 1000)).toBeUndefined()
})

test('a store that is full refuses new keys, keeps all entries, and accepts new keys when some have expired', async () => {
  vi.useFakeTimers({ now: 0 })
  try {
    const store = createOutcomes(memoryStores, { mostCharacters: 5000, mostOfCaller: 5000 })
    const long = `${unknown}${' '.repeat(2000)}`
    await store.swap({ caller: 'a', key: '1' }, undefined, long, 1000)
    await store.swap({ caller: 'b', key: '2' }, undefined, long, 5000)
    const error = await store.swap({ caller: 'c', key: '3' }, undefined, long, 1000).catch((each) => each)
    expect(code(error)).toBe('IDEMPOTENCY_UNAVAILABLE')
    expect(await store.swap({ caller: 'a', key: '1' }, 'not this', undefined, 0)).toBe(long)
    // What was begun can always be finished.
    expect(await store.swap({ caller: 'a', key: '1' }, long, `${long}${long}`, 1000)).toBe(long)
    vi.advanceTimersByTime(1001)
    expect(await store.swap({ caller: 'c', key: '3' }, undefined, long, 1000)).toBeUndefined()
    expect(await store.swap({ caller: 'a', key: '1' }, undefined, undefined, 0)).toBeUndefined()
  } finally {
    vi.useRealTimers()
  }
})

test('if the share of a caller is full, its oldest answers are forgotten, then its new keys are refused, and none is forgotten', async () => {
  const store = createOutcomes(memoryStores, { mostCharacters: 100_000, mostOfCaller: 10_000 })
  const long = finished('x'.repeat(2000))
  await store.swap({ caller: 'b', key: 'other' }, undefined, long, 60_000)
  const refusals: unknown[] = []
  const taken: string[] = []
  for (let n = 0; n < 100; n++) {
    const key = { caller: 'a', key: `${n}` }
    try {
      await store.swap(key, undefined, unknown, 60_000)
      await store.swap(key, unknown, long, 60_000)
      taken.push(key.key)
    } catch (error) {
      refusals.push(code(error))
    }
  }
  expect(taken.length).toBeGreaterThan(10)
  expect(new Set(refusals)).toEqual(new Set(['IDEMPOTENCY_UNAVAILABLE']))
  expect(taken.length + refusals.length).toBe(100)
  for (const key of taken) expect(await read(store, 'a', key)).toMatch(/"done"/)
  expect(await read(store, 'a', '0')).not.toContain('xxx')
  expect(await read(store, 'b', 'other')).toBe(long)
})

test('long answers of one caller take no room from others', async () => {
  const store = createOutcomes(memoryStores, { mostCharacters: 40_000 })
  const long = finished('x'.repeat(4000))
  for (let n = 0; n < 130; n++)
    await store.swap({ caller: 'eve', key: `${n}` }, undefined, long, 60_000).catch(() => {})
  for (const caller of ['ada', 'ben'])
    expect(await store.swap({ caller, key: '1' }, undefined, long, 60_000)).toBeUndefined()
  expect(await read(store, 'ada', '1')).toBe(long)
})
