import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { SharedBatches, type Sharing } from '../../../../subgraphs/kit/batching/shared-batches.ts'
import { testRequest } from '../../../support/request.ts'

/** Batches that are answered at once; one with a negative key fails. */
function noted() {
  const fetches: { readonly keys: readonly number[] }[] = []
  const batches = new SharedBatches<number>(async (keys) => {
    fetches.push({ keys })
    if (keys.some((key) => key < 0)) throw new Error('the call failed')
  })
  return { batches, fetches }
}

describe('shared batches', () => {
  test('send what requests with one credential load in one turn, each key as it was given', async () => {
    const { batches, fetches } = noted()
    const request = testRequest()
    await Promise.all([
      batches.load([3, 1], request, 'k'),
      batches.load([], request, 'k'),
      batches.load([3], testRequest(), 'k'),
    ])
    await batches.load([4], request, 'k')
    expect(fetches.map(({ keys }) => keys)).toEqual([[3, 1, 3], [4]])
  })

  test('fail all that is in a batch that fails, and nothing else', async () => {
    const { batches } = noted()
    const load = (key: number, credential: string) => batches.load([key], testRequest(), credential)
    const results = await Promise.allSettled([load(1, 'k'), load(-1, 'k'), load(2, 'other')])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect(results[0]).toMatchObject({ reason: { message: 'the call failed' } })
    await load(3, 'k')
  })

  test('never cross credentials', async () => {
    const { batches, fetches } = noted()
    await Promise.all([batches.load([1], testRequest(), 'k'), batches.load([1], testRequest(), 'other')])
    expect(fetches).toHaveLength(2)
  })
})

/** A service whose calls are answered one by one, on a clock that stands still but for `pass`. */
function held(sharing: Sharing = {}) {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const calls: { readonly keys: readonly number[]; answer(): Promise<void> }[] = []
  const turn = (): Promise<void> => new Promise(setImmediate)
  const batches = new SharedBatches<number>((keys) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const answer = async (): Promise<void> => {
      resolve()
      await turn()
      await turn()
    }
    calls.push({ keys, answer })
    return promise
  }, sharing)
  return {
    calls,
    /** Looks a key up, and gives it the time to leave. */
    async look(key: number, credential = 'k'): Promise<void> {
      batches.load([key], testRequest(), credential).catch(() => {})
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
  test('leaves as soon as the one before it is back, and nothing waits longer', async () => {
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

  test('waits at most 50 ms by default, also with nothing left of the budget', async () => {
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

  test('of 32 clients of a service 30 ms away holds twelve of their lookups on average, or more', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout', 'setImmediate'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
    let calls = 0
    let working = 32
    const batches = new SharedBatches<number>(() => {
      calls += 1
      return pause(30)
    })
    const client = async (number: number): Promise<void> => {
      for (let at = 0; at < 15; at++) {
        // From one answer to the next request a client takes from 0 to 6 ms.
        await pause((number * 5 + at * 3) % 7)
        await batches.load([number * 15 + at], testRequest(), 'k')
      }
      working -= 1
    }
    const clients = Array.from({ length: working }, (_, number) => client(number))
    while (working > 0) await vi.advanceTimersByTimeAsync(1)
    await Promise.all(clients)
    expect(calls).toBeLessThanOrEqual((32 * 15) / 12)
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

  test('takes none that may be answered only from the cache: each is a separate call', async () => {
    const { batches, fetches } = noted()
    const cacheOnly = { ...testRequest(), cacheOnly: true }
    const results = await Promise.allSettled([
      batches.load([1], cacheOnly, 'k'),
      batches.load([-2], cacheOnly, 'k'),
      batches.load([3], testRequest(), 'k'),
    ])
    expect(fetches.map(({ keys }) => keys)).toEqual([[1], [-2], [3]])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })
})
