import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { SubgraphRequest } from '../../../../shared/request.ts'
import type { Sharing } from '../../../../subgraphs/kit/batching/batch-window.ts'
import { chunk, createBatch } from '../../../../subgraphs/kit/batching/loader.ts'
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
    expect(await Promise.all([3, 1, 3].map(batch.of(request, 'k').one))).toEqual([6, 2, 6])
    expect(fetches.map(({ keys }) => keys)).toEqual([[3, 1, 3]])
  })

  test.each([false, true])('takes several keys as one, beside single ones (shared: %s)', async (share) => {
    const { batch, fetches } = doubling(share)
    const load = batch.of(testRequest(), 'k')
    const all = await Promise.all([
      load.one(1),
      load.all([2, -3, 2]),
      load.all([]),
      load.one(4),
      load.all([5]),
    ])
    expect(all).toEqual([2, [4, new Error('no -3'), 4], [], 8, [10]])
    expect(await load.all([6, 7])).toEqual([12, 14])
    expect(fetches.map(({ keys }) => keys)).toEqual([
      [1, 2, -3, 2, 4, 5],
      [6, 7],
    ])
  })

  test('fails only the keys that failed', async () => {
    const { batch } = doubling(true)
    const results = await Promise.allSettled([1, -1].map((n) => batch.of(testRequest(), 'k').one(n)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })

  test('is shared by requests with the same credential, booked on the first and shared by the others', async () => {
    const { batch, fetches } = doubling(true)
    const [a, b] = [testRequest(), testRequest()]
    await Promise.all([batch.of(a, 'k').one(1), batch.of(b, 'k').one(2)])
    expect(fetches.length).toBe(1)
    expect(a.calls).toMatchObject([{ outcome: 'sent', units: 1 }])
    expect(b.calls).toMatchObject([{ outcome: 'shared', units: 0 }])
  })

  test('never crosses credentials', async () => {
    const { batch, fetches } = doubling(true)
    await Promise.all([batch.of(testRequest(), 'k').one(1), batch.of(testRequest(), 'other').one(1)])
    expect(fetches.length).toBe(2)
  })

  test('is one of each request where sharing is off', async () => {
    const { batch, fetches } = doubling(false)
    await Promise.all([batch.of(testRequest(), 'k').one(1), batch.of(testRequest(), 'k').one(2)])
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
    const first = batch.of(testRequest(), 'k').one(1)
    await new Promise(setImmediate)
    const second = batch.of(testRequest(), 'k').one(2)
    await new Promise(setImmediate)
    const third = batch.of(testRequest(), 'k').one(3)
    expect(fetches).toEqual([[1]])
    gate.resolve()
    expect(await Promise.all([first, second, third])).toEqual([1, 2, 3])
    expect(fetches).toEqual([[1], [2, 3]])
  })

  test('does not wait longer than its window for one that hangs', async () => {
    const batch = createBatch<number, number>({
      share: { mostWaitMs: 1 },
      fetch: (keys) => (keys[0] === 1 ? new Promise(() => {}) : Promise.resolve(keys)),
    })
    batch
      .of(testRequest(), 'k')
      .one(1)
      .catch(() => {})
    await new Promise(setImmediate)
    expect(await batch.of(testRequest(), 'k').one(2)).toBe(2)
  })

  test('is cancelled only when every request that waits for it is', async () => {
    const { batch, fetches } = doubling(true)
    const [a, b] = [testRequest(), testRequest()]
    await Promise.all([batch.of(a, 'k').one(1), batch.of(b, 'k').one(2)])
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

/** A service whose calls are answered one by one, on a clock that stands still but for `pass`. */
function held(share: true | Sharing = true) {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const calls: { readonly keys: readonly number[]; answer(): Promise<void> }[] = []
  const turn = (): Promise<void> => new Promise(setImmediate)
  const batch = createBatch<number, number>({
    share,
    fetch(keys) {
      const { promise, resolve } = Promise.withResolvers<readonly number[]>()
      const answer = async (): Promise<void> => {
        resolve(keys)
        await turn()
        await turn()
      }
      calls.push({ keys, answer })
      return promise
    },
  })
  return {
    calls,
    /** Looks a key up, and gives it the time to leave. */
    async look(key: number, credential = 'k'): Promise<void> {
      batch
        .of(testRequest(), credential)
        .one(key)
        .catch(() => {})
      await turn()
    },
    /** The keys of the calls that were made so far. */
    sent: () => calls.map(({ keys }) => keys),
    async pass(milliseconds: number): Promise<void> {
      vi.advanceTimersByTime(milliseconds)
      await turn()
    },
  }
}

describe('a shared batch', () => {
  test('leaves as soon as the one before it is back, and none is kept waiting after it', async () => {
    const { calls, look, sent } = held()
    await look(1)
    await look(2)
    await look(3)
    expect(sent()).toEqual([[1]])
    await calls[0]?.answer()
    expect(sent()).toEqual([[1], [2, 3]])
    expect(vi.getTimerCount()).toBe(0)
    await calls[1]?.answer()
    await look(4)
    expect(sent()).toEqual([[1], [2, 3], [4]])
  })

  test('waits until all before it are back, or its time is over', async () => {
    const { calls, look, sent, pass } = held()
    await look(1)
    await look(2)
    await pass(3)
    expect(sent()).toEqual([[1]])
    await pass(1)
    expect(sent()).toEqual([[1], [2]])
    await look(3)
    await calls[0]?.answer()
    expect(sent()).toEqual([[1], [2]])
    await calls[1]?.answer()
    expect(sent()).toEqual([[1], [2], [3]])
  })

  test('waits for one that is expected back, by what those before it took', async () => {
    const { calls, look, sent, pass } = held()
    await look(1)
    await pass(400)
    await calls[0]?.answer()
    await look(2)
    await pass(380)
    // The one before is expected in 20 ms, and what its requests need then 4 ms later.
    await look(3)
    await pass(23)
    expect(sent()).toEqual([[1], [2]])
    await pass(1)
    expect(sent()).toEqual([[1], [2], [3]])
  })

  test('waits at most 50 ms where nothing else is said, also with nothing left of the budget', async () => {
    const credentials: string[] = []
    const spent = (credential: string): number => {
      credentials.push(credential)
      return 1
    }
    const { calls, look, sent, pass } = held({ spent })
    await look(1, 'poor')
    await pass(400)
    await calls[0]?.answer()
    await look(2, 'poor')
    await look(3, 'poor')
    await pass(49)
    expect(sent()).toEqual([[1], [2]])
    await pass(1)
    expect(sent()).toEqual([[1], [2], [3]])
    expect(credentials).toEqual(['poor'])
  })

  test('knows what is on its way for a thousand credentials', async () => {
    const { look, sent } = held()
    await look(0, 'first')
    for (let other = 1; other < 1000; other++) await look(other, `other ${other}`)
    await look(1000, 'first')
    expect(sent()).toHaveLength(1000)
    await look(1001, 'one more')
    expect(sent()).toHaveLength(1001)
    // The one that was asked for least recently made room for it.
    await look(1002, 'other 1')
    expect(sent().at(-1)).toEqual([1002])
    await look(1003, 'first')
    expect(sent()).toHaveLength(1002)
  })

  test('is made for those who still wait for it', async () => {
    const { batch, fetches } = doubling(true)
    const [gone, staying] = [testRequest(), testRequest()]
    const results = Promise.all([batch.of(gone, 'k').one(1), batch.of(staying, 'k').one(2)])
    gone.cancel()
    expect(await results).toEqual([2, 4])
    expect(fetches[0]?.request).toBe(staying)
    expect([gone.calls.length, staying.calls.length]).toEqual([0, 1])
  })

  test('without requests that wait for it is a cancelled one', async () => {
    const { batch, fetches } = doubling(true)
    const [first, second] = [testRequest(), testRequest()]
    const results = Promise.all([batch.of(first, 'k').one(1), batch.of(second, 'k').one(2)])
    first.cancel()
    second.cancel()
    await results
    expect(fetches[0]?.request).toBe(first)
  })

  test('takes none that may be answered from the cache alone: each is a call of its own', async () => {
    const { batch, fetches } = doubling(true)
    const cacheOnly = { ...testRequest(), cacheOnly: true }
    const results = await Promise.allSettled([
      batch.of(cacheOnly, 'k').one(1),
      batch.of(cacheOnly, 'k').one(-2),
      batch.of(testRequest(), 'k').one(3),
    ])
    expect(fetches.map(({ keys }) => keys)).toEqual([[1], [-2], [3]])
    expect(fetches[0]?.request).toBe(cacheOnly)
    expect(results).toMatchObject([
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: { message: 'no -2' } },
      { status: 'fulfilled', value: 6 },
    ])
  })
})

test('chunks keep the order and the size', () => {
  expect(chunk([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(chunk([], 2)).toEqual([])
})
