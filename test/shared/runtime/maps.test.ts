import { expect, test, vi } from 'vitest'
import { append, getOrInsert } from '../../../shared/runtime/maps.ts'

test('a value is made once for each key, also for objects as keys', () => {
  const make = vi.fn((key: string | object) => ({ key }))
  const [texts, objects, object] = [new Map<string, object>(), new WeakMap<object, object>(), {}]
  const made = getOrInsert(texts, 'a', make)
  expect(getOrInsert(texts, 'a', make)).toBe(made)
  expect(getOrInsert(objects, object, make)).toBe(getOrInsert(objects, object, make))
  expect(make.mock.calls).toEqual([['a'], [object]])
})

test('items of one key are in one list, in their order', () => {
  const lists = new Map<string, number[]>()
  for (const [key, item] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
  ] as const)
    append(lists, key, item)
  expect([...lists]).toEqual([
    ['a', [1, 3]],
    ['b', [2]],
  ])
})
