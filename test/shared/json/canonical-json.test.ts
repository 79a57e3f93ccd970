/** Canonical JSON, by which keys of caches and of changes are made. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../../shared/json/canonical-json.ts'
import { ExactNumber } from '../../../shared/json/exact-number.ts'
import { testSeed } from '../../support/seed.ts'

/** The same value with the members of all objects in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, each]) => [key, reversed(each)]),
  )
}

test('it is the same for any order of members, and keeps the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = canonicalJson(value)
      expect(canonicalJson(reversed(value))).toBe(json)
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
    { seed: testSeed },
  )
})

test('an object differs from a list of its members', () => {
  expect(canonicalJson({ a: 1 })).not.toBe(canonicalJson([['a', 1]]))
})

test('a number that no double holds differs from other numbers and from an object with its digits', () => {
  const digits = '12345678901234567890'
  const exact = canonicalJson({ a: new ExactNumber(digits) })
  expect(exact).toBe(`{"a":${digits}}`)
  expect(canonicalJson({ a: JSON.rawJSON(digits) })).toBe(exact)
  expect(canonicalJson({ a: new ExactNumber('12345678901234567891') })).not.toBe(exact)
  expect(canonicalJson({ a: { rawJSON: digits } })).not.toBe(exact)
})
