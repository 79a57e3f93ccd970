/** Sets of object types, of which equal ones are one object. */
import { expect, test } from 'vitest'
import { TypeSets } from '../../../engine/operation/type-sets.ts'

test('equal sets are one object, whatever the order of their names', () => {
  const sets = new TypeSets()
  const both = sets.of(['Song', 'Film'])
  expect(sets.of(['Film', 'Song'])).toBe(both)
  expect(both.names).toEqual(['Film', 'Song'])
  expect(sets.of(['FilmSong'])).not.toBe(both)
  expect([both.has('Film'), both.has('Book')]).toEqual([true, false])
  expect(new Set([both, sets.of(['Film']), sets.of([])].map(({ id }) => id)).size).toBe(3)
})

test('a set within another one is that of the names in both', () => {
  const sets = new TypeSets()
  const both = sets.of(['Song', 'Film'])
  expect(sets.within(both, new Set(['Film', 'Book']))).toBe(sets.of(['Film']))
  expect(sets.within(both, new Set(['Film', 'Song', 'Book']))).toBe(both)
  expect(sets.within(both, new Set()).names).toEqual([])
})
