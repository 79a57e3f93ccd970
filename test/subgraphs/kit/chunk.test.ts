import { expect, test } from 'vitest'
import { chunk } from '../../../subgraphs/kit/chunk.ts'

test('chunks keep the order and the size', () => {
  expect(chunk([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(chunk([1, 2, 3, 4], 2)).toEqual([
    [1, 2],
    [3, 4],
  ])
  expect(chunk([1, 2], Number.POSITIVE_INFINITY)).toEqual([[1, 2]])
  expect(chunk([], 2)).toEqual([])
})
