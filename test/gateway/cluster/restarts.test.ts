import { expect, test } from 'vitest'
import { createRestarts, mostRestarts, withinMs } from '../../../gateway/cluster/restarts.ts'

test('the first worker that ends is replaced immediately, the next ones after longer and longer times', () => {
  const restarts = createRestarts()
  const waits = Array.from({ length: mostRestarts }, (_, n) => restarts.next(n))
  expect(waits.slice(0, 5)).toEqual([0, 100, 200, 400, 800])
  expect(waits.at(-1)).toBe(10_000)
  expect(restarts.next(mostRestarts)).toBeUndefined()
})

test('an end long ago does not count', () => {
  const restarts = createRestarts()
  for (let n = 0; n < 5; n++) restarts.next(n)
  expect(restarts.next(withinMs + 10)).toBe(0)
})
