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

/** Few values, so that many objects are equal in a part of their fields; each is an object of its own. */
const value = fc
  .constantFrom<unknown>(1, '1', 2, 'a', '', null, true, 1.5, undefined, { x: 1 }, { x: 2 }, [1])
  .map((each) => structuredClone(each))
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

const wayOf = (...fields: Representation['fields']): Representation => ({
  types: undefined,
  typename: undefined,
  fields,
})
const twoObjects = [
  { __typename: 'A', id: '1', k: 1 },
  { __typename: 'A', id: '2', k: 1 },
]

test.each<[string, readonly Representation[], typeof twoObjects, 'quick' | 'plain']>([
  ['objects with one scalar', [wayOf(field('id'))], twoObjects, 'quick'],
  ['objects with several scalars', [wayOf(field('id'), field('k'))], twoObjects, 'quick'],
  ['objects that nothing names', [], twoObjects, 'plain'],
  ['a single object', [wayOf(field('id'))], twoObjects.slice(0, 1), 'plain'],
  ['objects that can be named in two ways', [wayOf(field('id')), wayOf(field('k'))], twoObjects, 'plain'],
  ['objects of which nothing is sent', [wayOf()], twoObjects, 'plain'],
  ['fields of objects within', [wayOf(field('id'), field('k', 'k', { fields: [] }))], twoObjects, 'plain'],
  ['fields of some types', [wayOf(field('id'), field('k', 'k', { types: ['A'] }))], twoObjects, 'plain'],
  ['keys that all objects inherit', [wayOf(field('id'), field('constructor'))], twoObjects, 'plain'],
  ['the prototype', [wayOf(field('id'), field('k', '__proto__'))], twoObjects, 'plain'],
])('for %s', (_, ways, those, expected) => {
  let plain = 0
  const plainly = distinctBy(compileRepresentation(ways))
  compileDistinct(ways, compileRepresentation(ways), (given) => {
    plain += 1
    return plainly(given)
  })(those)
  expect(plain === 0 ? 'quick' : 'plain').toBe(expected)
})

test('represents an object that is known once, and not again', () => {
  const ways = [wayOf(field('id'), field('k'))]
  let represented = 0
  const plain = compileRepresentation(ways)
  const represent: typeof plain = (object) => {
    represented += 1
    return plain(object)
  }
  const of = (id: unknown, k: unknown, __typename = 'A') => ({ __typename, id, k })
  const those = [of('1', 5), of('1', 5), of('2', 5), of('1', 6), of('1', 5, 'B'), of('1', 5), of('2', 5)]
  const found = compileDistinct(ways, represent, distinctBy(represent))(those)
  expect(found.indices).toEqual([0, 0, 1, 2, 3, 0, 1])
  expect(represented).toBe(4)
})
