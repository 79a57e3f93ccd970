import fc from 'fast-check'
import { expect, test } from 'vitest'
import { latin1Json } from '../../../../../subgraphs/kit/upstream/hot/latin1-json.ts'

const letters = fc.constantFrom(
  'é',
  '—',
  '😀',
  '\u2028',
  '日本',
  '\\u00e9',
  '\\n',
  '\\\\—',
  '\ufeff',
  '\u0301',
)

/** JSON of a length for which it matters, with some letters beyond ASCII in it, in a buffer that begins anywhere. */
const body = fc
  .record({
    pieces: fc.array(letters, { minLength: 1, maxLength: 400 }),
    between: fc.integer({ min: 150, max: 700 }),
    head: fc.integer({ min: 0, max: 7 }),
    wrong: fc.boolean(),
  })
  .map(({ pieces, between, head, wrong }) => {
    const filler = 'abcdefgh"'.slice(0, 8).repeat(Math.ceil(between / 8))
    const texts = Array.from({ length: Math.ceil(90_000 / (pieces.length * filler.length)) }, () =>
      pieces.map((piece) => `${filler}${piece}`).join(''),
    )
    const text = Buffer.from(JSON.stringify(texts).replaceAll('\\\\', '\\'))
    const bytes = Buffer.concat([Buffer.alloc(head), text]).subarray(head)
    // Not UTF-8: what a parser makes of it is what it makes of the replacement.
    if (wrong) bytes[bytes.length >> 1] = 0xff
    return bytes
  })

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return 'no JSON'
  }
}

test('it says to a parser what the bytes say in UTF-8, and is one byte a letter where it can be', () => {
  let narrow = 0
  fc.assert(
    fc.property(body, (bytes) => {
      const text = latin1Json(bytes)
      const plain = bytes.toString('utf8')
      expect(parsed(text)).toEqual(parsed(plain))
      if (text !== plain && !/[\u0100-\uffff]/.test(text)) narrow += 1
    }),
    { numRuns: 150 },
  )
  expect(narrow).toBeGreaterThan(20)
})

test('short and very long texts, and those in ASCII, are left as they are', () => {
  for (const text of ['"—"', `"${'a'.repeat(100_000)}"`, `"${'—'.repeat(60_000)}"`])
    expect(latin1Json(Buffer.from(text))).toBe(text)
})
