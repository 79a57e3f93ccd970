/** How much is kept of what was cut off: of one caller, and of all together, in memory and in Redis. */
import { expect, test } from 'vitest'
import { createRemainderStore, type RemainderStore } from '../../../../gateway/mcp/results/remainder-store.ts'
import { createRedisStores, memoryStores } from '../../../../gateway/stores/index.ts'
import { createLogger } from '../../../../gateway/telemetry/log.ts'
import { startRedis, withRedis } from '../../../support/redis.ts'

const limits = { ofCaller: 1_000, ofAll: 5_000 }

async function expectCallersBound(store: RemainderStore): Promise<void> {
  const first = await store.put('greedy', 'x'.repeat(900))
  expect(first).toEqual(expect.any(String))
  expect(await store.put('greedy', 'x'.repeat(200))).toBeUndefined()
  // Another caller is not hindered by that.
  expect(await store.put('modest', 'x'.repeat(200))).toEqual(expect.any(String))
  expect(await store.get('greedy', first ?? '')).toHaveLength(900)
}

async function expectNewestSixteen(store: RemainderStore): Promise<void> {
  const handles: string[] = []
  for (let n = 0; n < 20; n += 1) handles.push((await store.put('steady', `text ${n}`)) ?? '')
  const kept = handles.map((_, n) => (n < 4 ? undefined : `text ${n}`))
  const found = () => Promise.all(handles.map((handle) => store.get('steady', handle)))
  expect(await found()).toEqual(kept)
  for (const handle of handles.slice(4)) {
    expect(await store.get('other', handle)).toBeUndefined()
    expect(await store.get('steady', `0${handle}`)).toBeUndefined()
    expect(await store.get('steady', `${handle}A`)).toBeUndefined()
  }
}

test('the newest sixteen of a caller are kept, for that caller and by their exact handles', () =>
  expectNewestSixteen(createRemainderStore(memoryStores)))

test('one remainder has at most four million characters, and a caller exactly what is its share', async () => {
  const whole = createRemainderStore(memoryStores)
  expect(await whole.put('me', 'x'.repeat(4_000_000))).toEqual(expect.any(String))
  expect(await whole.put('me', 'x'.repeat(4_000_001))).toBeUndefined()
  const bounded = createRemainderStore(memoryStores, { ...limits, ofAll: 100_000 })
  // The seventeenth takes the place of the first, which counts no more.
  for (let n = 0; n < 17; n += 1) expect(await bounded.put('me', 'x'.repeat(60))).toEqual(expect.any(String))
  expect(await bounded.put('me', 'x'.repeat(101))).toBeUndefined()
  expect(await bounded.put('me', 'x'.repeat(100))).toEqual(expect.any(String))
})

test('in memory one caller keeps no more than its share, and all together no more than theirs', async () => {
  const store = createRemainderStore(memoryStores, limits)
  await expectCallersBound(store)
  const handles = []
  for (let n = 0; n < 20; n += 1) handles.push(await store.put(`caller ${n}`, 'y'.repeat(900)))
  const found = await Promise.all(handles.map((handle, n) => store.get(`caller ${n}`, handle ?? '')))
  // The newest are there.
  expect(found.at(-1)).toHaveLength(900)
  expect(found.filter((text) => text !== undefined).length * 900).toBeLessThanOrEqual(limits.ofAll)
})

test.runIf(withRedis('bounds of rests of answers'))('in Redis it is the same over all replicas', async () => {
  await using redis = await startRedis()
  const stores = [0, 1].map(() =>
    createRemainderStore(
      createRedisStores({ url: redis.url, log: createLogger({ level: 'silent' }) }),
      limits,
    ),
  )
  const [one, two] = stores as [RemainderStore, RemainderStore]
  await expectNewestSixteen(one)
  await expectCallersBound(one)
  expect(await two.put('greedy', 'x'.repeat(200))).toBeUndefined()
  const kept = []
  for (let n = 0; n < 10; n += 1)
    kept.push(await (n % 2 === 0 ? one : two).put(`caller ${n}`, 'y'.repeat(900)))
  const number = kept.filter((handle) => handle !== undefined).length
  expect(number).toBeGreaterThan(0)
  expect(number * 900).toBeLessThanOrEqual(limits.ofAll)
  for (const store of stores) store.close()
})
