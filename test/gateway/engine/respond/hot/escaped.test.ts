/** Texts in JSON from the table of the last ones, against those that are made anew. */
import '../../../../support/seed.ts'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { readPlain, runPlainly } from '../../../../../contract/hot/switch.ts'
import { escaped, escapePlainly } from '../../../../../gateway/engine/respond/hot/escaped.ts'
import { codePoint } from '../../../../support/code-point.ts'

afterEach(() => runPlainly(readPlain(process.env.TESSERA_PLAIN)))

/** Whether the text is in the table. */
function isKept(text: string): boolean {
  const stringify = vi.spyOn(JSON, 'stringify')
  try {
    escaped(text)
    return stringify.mock.calls.length === 0
  } finally {
    stringify.mockRestore()
  }
}

test('a text is written as it is without the table, however often it comes', () => {
  const text = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 40 }),
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

test.each([
  [15, false],
  [16, true],
  [1024, true],
  [1025, false],
])('a text of %i characters that was written before is kept: %s', (length, kept) => {
  runPlainly([])
  const text = '–'.repeat(length)
  escaped(text)
  expect(isKept(text)).toBe(kept)
})

test('nothing is kept where the table is switched off', () => {
  const text = 'switched off for this text'
  runPlainly([])
  escaped(text)
  runPlainly(['escaped'])
  expect(isKept(text)).toBe(false)
})

test('of many texts as many are kept as the table has places', () => {
  runPlainly([])
  const texts: string[] = []
  for (const early of ['a', '\u5000', '\uff00'])
    for (const middle of ['a', '\u5000', '\uff00'])
      for (let code = 0x100; code < 0x300; code++)
        texts.push(`0123456${early}89${middle}1234567${String.fromCharCode(code)}9`)
  for (const text of texts) escaped(text)
  // The last one of a place is kept: backwards it is met before those that would take its place.
  expect(texts.reverse().filter(isKept)).toHaveLength(256)
})
