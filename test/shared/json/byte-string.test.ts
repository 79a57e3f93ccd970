import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byteString } from '../../../shared/json/byte-string.ts'
import { codePoint } from '../../support/code-point.ts'

const anyText = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary-ascii', maxLength: 200 }),
  // Lone surrogates, too.
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes)),
)

describe('byteString', () => {
  it('holds the bytes of the text in UTF-8, one character for each, however long it is', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(1, 1, 1, 500, 20_000), (text, times) => {
        const long = text.repeat(times)
        const wire = byteString(long)
        expect(Buffer.from(wire, 'latin1').equals(Buffer.from(long))).toBe(true)
        expect(wire.length).toBe(Buffer.byteLength(long))
      }),
    )
  })

  it.each([
    ['early', `€${'a'.repeat(5000)}`],
    ['late', `${'a'.repeat(5000)}€`],
    ['nowhere, with others', 'ü'.repeat(5000)],
    ['above the basic plane', '🜁 and ü '.repeat(1000)],
    ['beside half of a pair', `€${'a'.repeat(5000)}\ud800`],
    ['in more text than is converted at once', '€'.repeat(300_000)],
  ])('holds the bytes of a text whose characters of two bytes stand %s', (_where, text) => {
    expect(Buffer.from(byteString(text), 'latin1').equals(Buffer.from(text))).toBe(true)
  })

  it('is the same text if that is ASCII', () => {
    const text = '{"data":{"video":{"title":"A title"}}}'
    expect(byteString(text)).toBe(text)
  })
})
