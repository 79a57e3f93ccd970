/** The bounds of the memory for outcomes, and the one step in which it changes. */
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createMemoryStore } from '../../../../gateway/http/idempotency/index.ts'

const code = (error: unknown): unknown => (error as { extensions: { code: unknown } }).extensions.code
const finished = (text: string): string => `{"outcomes":{"a":{"kind":"done","data":"${text}"}}}`
const unknown = '{"outcomes":{"a":{"kind":"unknown","since":1}}}'

test('of many who expect the same only one exchanges it', async () => {
  const store = createMemoryStore({ mostCharacters: 1e6 })
  const key = { caller: 'c', key: 'k' }
  const before = await Promise.all(
    Array.from({ length: 20 }, (_, n) => store.swap(key, undefined, finished(String(n)), 1000)),
  )
  expect(before.filter((each) => each === undefined)).toHaveLength(1)
  expect(await store.swap(key, 'something else', undefined, 0)).toBe(finished('0'))
  expect(await store.swap(key, finished('0'), undefined, 0)).toBe(finished('0'))
  expect(await store.swap(key, undefined, 'again', 1000)).toBeUndefined()
})

test('it behaves as a map, whatever is exchanged in whatever order', async () => {
  const step = fc.record({
    caller: fc.constantFrom('a', 'b'),
    key: fc.constantFrom('1', '2', '3'),
    expected: fc.constantFrom(undefined, 'x', 'y'),
    next: fc.constantFrom(undefined, 'x', 'y'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const store = createMemoryStore({ mostCharacters: 1e6 })
      const model = new Map<string, string>()
      for (const { caller, key, expected, next } of steps) {
        const name = `${caller} ${key}`
        const before = model.get(name)
        expect(await store.swap({ caller, key }, expected, next, 60_000)).toBe(before)
        if (before !== expected) continue
        if (next === undefined) model.delete(name)
        else model.set(name, next)
      }
    }),
  )
})

test('beyond its characters it takes nothing new, keeps what it has, and goes on when that has ended', async () => {
  vi.useFakeTimers({ now: 0 })
  try {
    const store = createMemoryStore({ mostCharacters: 5000 })
    const long = finished('x'.repeat(2000))
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

test('of one caller the oldest that are finished are forgotten, and what is unknown never', async () => {
  const store = createMemoryStore({ mostCharacters: 1e6, mostOfCaller: 3 })
  const put = (key: string, value: string): Promise<string | undefined> =>
    store.swap({ caller: 'a', key }, undefined, value, 60_000)
  await put('1', unknown)
  for (const key of ['2', '3', '4']) await put(key, finished(key))
  expect(await put('1', 'new')).toBe(unknown)
  expect(await store.swap({ caller: 'a', key: '3' }, 'x', undefined, 0)).toBe(finished('3'))
  for (const key of ['5', '6']) await store.swap({ caller: 'b', key }, undefined, unknown, 60_000)
  await store.swap({ caller: 'b', key: '7' }, undefined, unknown, 60_000)
  const error = await store.swap({ caller: 'b', key: '8' }, undefined, unknown, 60_000).catch((each) => each)
  expect(code(error)).toBe('IDEMPOTENCY_UNAVAILABLE')
})

test('100,000 keys of one caller leave the newest 1,000', async () => {
  const store = createMemoryStore({ mostCharacters: 32e6 })
  const many = 100_000
  for (let n = 0; n < many; n += 1)
    await store.swap({ caller: 'a', key: String(n) }, undefined, finished('done'), 60_000)
  const kept: number[] = []
  for (let n = 0; n < many; n += 1) {
    const known = await store.swap({ caller: 'a', key: String(n) }, 'nothing equals this', undefined, 0)
    if (known !== undefined) kept.push(n)
  }
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([1000, many - 1000, many - 1])
})
