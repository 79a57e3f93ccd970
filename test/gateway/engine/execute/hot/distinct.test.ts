/** The quick search for distinct representations, against the plain one. */
import '../../../../support/seed.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distinctBy } from '../../../../../gateway/engine/execute/distinct.ts'
import { compileDistinct } from '../../../../../gateway/engine/execute/hot/distinct.ts'
import { compileRepresentation } from '../../../../../gateway/engine/execute/represent.ts'
import type { Representation } from '../../../../../gateway/engine/plan/index.ts'

const field = (key: string, name = key, more: Partial<Representation['fields'][number]> = {}) => ({
  key,
  name,
  types: undefined,
  fields: undefined,
  ...more,
})

/** Few values, so that many objects are equal in a part of their fields. */
const value = fc.constantFrom<unknown>(
  1,
  '1',
  2,
  'a',
  '',
  null,
  true,
  1.5,
  undefined,
  { x: 1 },
  { x: 2 },
  [1],
)
const objects = fc.array(
  fc.record(
    { __typename: fc.constantFrom<unknown>('A', 'B', 'C', undefined, 7), id: value, k: value, n: value },
    { requiredKeys: [] },
  ),
  { maxLength: 12 },
)
const fields = fc.constantFrom(
  [field('id')],
  [field('id', 'key'), field('k')],
  [field('k'), field('n', 'm'), field('id')],
  [field('id'), field('k', 'k', { types: ['A'] })],
  [field('n', 'n', { fields: [field('x')] })],
  [field('constructor'), field('id')],
)
const way = fc.record({
  types: fc.constantFrom<readonly string[] | undefined>(undefined, ['A'], ['A', 'B']),
  typename: fc.constantFrom<string | undefined>(undefined, 'I'),
  fields,
})

test('finds what the plain way finds', () => {
  fc.assert(
    fc.property(objects, fc.array(way, { minLength: 1, maxLength: 2 }), (those, ways) => {
      const represent = compileRepresentation(ways)
      const plainly = distinctBy(represent)
      expect(compileDistinct(ways, represent, plainly)(those)).toEqual(plainly(those))
    }),
    { numRuns: 3000 },
  )
})

test('an object that differs in a later field is asked for by itself', () => {
  const ways = [{ types: undefined, typename: undefined, fields: [field('upc'), field('price')] }]
  const represent = compileRepresentation(ways)
  const product = (upc: string, price: number) => ({ __typename: 'Product', upc, price })
  const found = compileDistinct(
    ways,
    represent,
    distinctBy(represent),
  )([
    product('1', 5),
    product('1', 6),
    product('2', 5),
    product('1', 6),
    { __typename: 'Product', upc: '1' },
    product('1', 5),
  ])
  expect(found.indices).toEqual([0, 1, 2, 1, -1, 0])
  expect(found.representations).toEqual([product('1', 5), product('1', 6), product('2', 5)])
})
