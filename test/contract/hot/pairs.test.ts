import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readWhole, valueEnd } from '../../../contract/json/bytes.ts'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('lists of pairs are taken where they are JSON, and only there', () => {
  const number = fc.oneof(
    fc.integer().map(String),
    fc.constantFrom('1795206056.5', '0', '01', '1.', '.5', '-1', '1e3', '9'.repeat(20)),
  )
  const text = fc.constantFrom('"0.25"', '"NaN"', '"+Inf"', '""', '"a\\n"', '"', '1', '"\u2014"')
  const pair = fc
    .tuple(number, fc.constantFrom(',', ',', ',', ' ,', ''), text)
    .map((parts) => `[${parts.join('')}]`)
  const list = fc
    .tuple(fc.array(pair, { maxLength: 6 }), fc.constantFrom(',', ',', ',', ', ', ',,', ''))
    .map(([pairs, between]) => `[${pairs.join(between)}]`)
  const whole = fc.oneof(
    list,
    list.map((values) => `{"values":${values},"more":[${values}]}`),
    pair.map((one) => `[[${one},${one}]`),
    pair,
  )
  fc.assert(
    fc.property(whole, (json) => {
      const bytes = Buffer.from(json)
      expect(
        readWhole(bytes, (at) => valueEnd(bytes, at)),
        json,
      ).toBe(isJson(json))
    }),
    { numRuns: 2000 },
  )
})
