import { expect, test } from 'vitest'
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'

test('holds so many entries, and those that were used last', () => {
  const cache = createGrowingCache<number>(1000)
  for (let n = 0; n < 5000; n++) {
    cache.set(`key ${n}`, n)
    cache.get('key 0')
  }
  expect([cache.size, cache.get('key 0'), cache.get('key 4001'), cache.get('key 4000')]).toEqual([
    1000,
    0,
    4001,
    undefined,
  ])
  for (let n = 0; n < 5000; n++) cache.set('one key', n)
  expect([cache.size, cache.get('one key')]).toEqual([1000, 4999])
})

test('holds them for so long', () => {
  let time = 1000
  const cache = createGrowingCache<number>(10, { ttl: 50, ttlResolution: 0, perf: { now: () => time } })
  cache.set('a', 1)
  time += 50
  expect(cache.get('a')).toBe(1)
  time += 1
  expect(cache.get('a')).toBeUndefined()
})
