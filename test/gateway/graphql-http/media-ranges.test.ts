/** What is remembered of `Accept` headers is bounded in their number and their length. */
import { expect, test, vi } from 'vitest'
import { readOnce } from '../../../gateway/graphql-http/media-ranges.ts'

test('a usual header is read once, and a long one is not remembered', () => {
  const read = vi.fn((accept: string) => accept.length)
  const once = readOnce(read)
  const long = 'a/b,'.repeat(200)
  for (const accept of ['*/*', '*/*', long, long]) expect(once(accept)).toBe(accept.length)
  expect(read.mock.calls).toEqual([['*/*'], [long], [long]])
})
