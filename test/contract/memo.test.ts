import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RecentTexts } from '../../contract/memo.ts'

const texts = ['a', 'b', 'c', 'd', 'e', 'f']

test('the last four texts are found, with what was noted of each last', () => {
  const notes = fc.array(fc.tuple(fc.constantFrom(...texts), fc.integer()), { maxLength: 40 })
  fc.assert(
    fc.property(notes, (pairs) => {
      const latest = new RecentTexts<number>()
      // In the order in which they came in; a text that is noted again keeps its place.
      const expected = new Map<string, number>()
      for (const [text, value] of pairs) {
        latest.keep(text, value)
        expected.set(text, value)
        const [first] = expected.keys()
        if (expected.size > 4 && first !== undefined) expected.delete(first)
        for (const one of texts) expect(latest.find(one)).toBe(expected.get(one))
      }
    }),
  )
})
