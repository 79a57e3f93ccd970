/** Leaf values are valid exactly if graphql accepts them, and most invalid ones make no error object. */
import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLScalarType,
  GraphQLString,
} from 'graphql'
import { describe, expect, test, vi } from 'vitest'
import { leafValue } from '../../../engine/response/leaf.ts'
import { ExactNumber } from '../../../shared/json/exact-number.ts'

const scalars = [GraphQLString, GraphQLID, GraphQLInt, GraphQLFloat, GraphQLBoolean]
const values = [
  ...['', 'a', '1', '1.5', '1e3', ' 7 ', '2147483648', 'true'],
  ...[0, -0, 1, 1.5, -2_147_483_648, 2_147_483_648, 2 ** 53],
  ...[true, false, [], ['1'], {}, { id: 1 }, new Date(0), new ExactNumber('12345678901234567890')],
]

test('a leaf has the value that graphql gives it, or none', () => {
  for (const type of scalars)
    for (const value of values) {
      let expected: unknown
      try {
        expected = type.serialize(value)
      } catch {
        expected = undefined
      }
      expect(leafValue(type, value), `${type.name} of ${JSON.stringify(value)}`).toStrictEqual(expected)
    }
})

describe('wrong values are refused without an error for each', () => {
  test.each(scalars.map((type) => [type.name, type] as const))('of %s', (name, type) => {
    using serialize = vi.spyOn(type, 'serialize')
    const wrong = { String: {}, ID: true, Int: 1.5, Float: 'a', Boolean: 'true' }[name]
    expect(leafValue(type, wrong)).toBeUndefined()
    expect(leafValue(type, [])).toBeUndefined()
    expect(serialize).not.toHaveBeenCalled()
  })
})

test('a custom scalar has no value of thousands of levels, of lists or of objects', () => {
  const type = new GraphQLScalarType({ name: 'JSON' })
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const nested = (levels: number): unknown =>
      JSON.parse(`${open.repeat(levels)}null${close.repeat(levels)}`)
    expect(leafValue(type, nested(1000))).toEqual(nested(1000))
    for (const levels of [1001, 100_000]) expect(leafValue(type, nested(levels))).toBeUndefined()
  }
})
