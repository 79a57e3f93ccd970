/** Texts in JSON from the table of the last ones, against those that are made anew. */
import '../../../../support/seed.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escaped, escapePlainly } from '../../../../../gateway/engine/respond/hot/escaped.ts'

test('a text is written as it is without the table, however often it comes', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ minLength: 10, maxLength: 1100, size: 'max' }),
    // Equal in all that the table looks at first.
    fc
      .array(fc.constantFrom('a', '"', '–', '\u2028'), { minLength: 100, maxLength: 110 })
      .map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 30 }), (texts) => {
      for (const each of [...texts, ...texts]) {
        const json = escaped(each)
        expect(json).toBe(escapePlainly(each))
        expect(JSON.parse(`"${Buffer.from(json, 'latin1').toString('utf8')}"`)).toBe(each.toWellFormed())
      }
    }),
  )
})
