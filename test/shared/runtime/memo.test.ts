import { expect, test, vi } from 'vitest'
import { memoByObject } from '../../../shared/runtime/memo.ts'

test('a value is computed once for each object', () => {
  const read = vi.fn(({ name }: { readonly name: string }) => ({ length: name.length }))
  const lengthOf = memoByObject(read)
  const [one, two] = [{ name: 'one' }, { name: 'three' }]
  expect([lengthOf(one), lengthOf(two), lengthOf(one), lengthOf(two)]).toEqual([
    { length: 3 },
    { length: 5 },
    { length: 3 },
    { length: 5 },
  ])
  expect(read).toHaveBeenCalledTimes(2)
  expect(lengthOf(one)).toBe(lengthOf(one))
})
