/** What the judge of incremental responses lets pass where the plain answer loses something, and that it lets pass no more. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Expected, isRight } from './incremental.ts'
import { testSeed } from './seed.ts'

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, 0, 1, 'a', 'b', true),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any'), { noNullPrototype: true }),
  ),
})).any

test('if the plain answer loses nothing, only the right answer is right', () => {
  fc.assert(
    fc.property(value, value, (got, right) => {
      const all: Expected = { right, plainly: right, leniently: right }
      expect(isRight(right, all)).toBe(true)
      const isSame = fc.stringify(sorted(got)) === fc.stringify(sorted(right))
      expect(isRight(got, all)).toBe(isSame)
    }),
    { seed: testSeed, numRuns: 2000 },
  )
})

function sorted(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(sorted)
  if (typeof given !== 'object' || given === null) return given
  const entries = Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
}

// A list of two items, of which graphql-js streams one: `part` of the first fails if it must not be null.
const streamed: Expected = {
  right: { list: [{ id: 1 }] },
  plainly: null,
  leniently: {
    list: [
      { id: 1, part: null },
      { id: 2, part: 3 },
    ],
  },
}

test.each<[string, unknown, Expected, boolean]>([
  [
    'null where the plain answer is',
    { a: null },
    { right: { a: 1 }, plainly: { a: null }, leniently: { a: 1 } },
    true,
  ],
  [
    'null where the plain answer has something',
    { a: null },
    { right: { a: 1 }, plainly: { a: 1 }, leniently: { a: 1 } },
    false,
  ],
  [
    'no field where the plain answer has none',
    {},
    { right: { a: 1 }, plainly: null, leniently: { a: 1 } },
    true,
  ],
  [
    'no field where the plain answer has something',
    {},
    { right: { a: 1 }, plainly: { a: 1 }, leniently: { a: 1 } },
    false,
  ],
  [
    'a field that is not there',
    { a: 1, b: 2 },
    { right: { a: 1 }, plainly: null, leniently: { a: 1 } },
    false,
  ],
  [
    'a field that graphql-js lost',
    { a: 1, b: 2 },
    { right: { a: 1 }, plainly: null, leniently: { a: 1, b: 2 } },
    true,
  ],
  [
    'the same with another value',
    { a: 1, b: 3 },
    { right: { a: 1 }, plainly: null, leniently: { a: 1, b: 2 } },
    false,
  ],
  [
    'something in place of null',
    { a: {} },
    { right: { a: null }, plainly: null, leniently: { a: null } },
    false,
  ],
  ['another value', { a: 2 }, { right: { a: 1 }, plainly: null, leniently: { a: 2 } }, false],
  ['the whole list', { list: [{ id: 1 }, { id: 2 }] }, streamed, true],
  ['the list as it was streamed', { list: [{ id: 1 }] }, streamed, true],
  ['the list in another order', { list: [{ id: 2 }, { id: 1 }] }, streamed, false],
  ['an item with another value', { list: [{ id: 1 }, { id: 3 }] }, streamed, false],
  ['an item with a field more', { list: [{ id: 1 }, { id: 2, part: 3, other: 4 }] }, streamed, false],
  ['a list with an item too many', { list: [{ id: 1 }, { id: 2 }, { id: 3 }] }, streamed, false],
  ['no item', { list: [] }, streamed, false],
])('%s', (_, got, all, expected) => {
  expect(isRight(got, all)).toBe(expected)
})
