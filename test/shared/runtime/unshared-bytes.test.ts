import { expect, test } from 'vitest'
import { unsharedBytes, unsharedLength } from '../../../shared/runtime/unshared-bytes.ts'

test('a small part of shared memory gets its own, most of it stays as it is', () => {
  const shared = Buffer.alloc(1000, 'ab')
  const small = unsharedBytes(shared.subarray(10, 110))
  expect(small.equals(shared.subarray(10, 110))).toBe(true)
  expect(small.buffer.byteLength).toBe(100)
  shared.fill('c')
  expect(small.toString()).toBe('ab'.repeat(50))
  const most = shared.subarray(100)
  expect(unsharedBytes(most)).toBe(most)
  expect(unsharedBytes(Buffer.alloc(0))).toHaveLength(0)
})

test('what they keep is known before they are copied', () => {
  const shared = Buffer.alloc(1000)
  for (const length of [0, 1, 499, 500, 501, 1000]) {
    const bytes = shared.subarray(0, length)
    expect(unsharedLength(bytes), `${length}`).toBe(unsharedBytes(bytes).buffer.byteLength)
  }
})
