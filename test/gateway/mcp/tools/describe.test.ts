/** SDL for a model, by the coordinates that it has, within the bound whatever the schema is. */
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { describeCoordinates, mostDescribed } from '../../../../gateway/mcp/tools/describe.ts'

const schema = buildSchema(`
  type Query implements Named {
    ${Array.from({ length: 900 }, (_, n) => `"Number ${n}." field${n}(a: Kind): String`).join('\n')}
    name: String
  }
  interface Named { name: String }
  enum Kind { ${Array.from({ length: 3_000 }, (_, n) => `VALUE_${n}`).join(' ')} }
  input Wanted { "What it is." kind: Kind! = VALUE_1 words: [String!] }
  type Small { "The search." find(wanted: Wanted): [String] }
`)

const tokensOf = (text: string): number => Buffer.byteLength(text) / 4

test('a type that is too long is shortened, and what is not shown is named or counted', () => {
  const text = describeCoordinates(schema, ['Query', 'Small'])
  expect(tokensOf(text)).toBeLessThanOrEqual(mostDescribed)
  expect(text).toContain('type Query implements Named {\n  field0(a: Kind): String\n')
  expect(text).toMatch(/# Not shown: field\d+, .*\n {2}# \d+ more\n}/)
  const values = describeCoordinates(schema, ['Kind'])
  expect(tokensOf(values)).toBeLessThanOrEqual(mostDescribed)
  expect(values).toContain('enum Kind {\n  VALUE_0\n')
})

test.each(['Small.find(wanted): [String]', 'Small.find(wanted:)', 'Small.find'])(
  '%s is a field with its arguments',
  (coordinate) => {
    expect(describeCoordinates(schema, [coordinate])).toContain(
      'extend type Small {\n  # The search.\n  find(wanted: Wanted): [String]\n}\ninput Wanted {',
    )
  },
)

test('a field of an input and a value of an enum are told with their type', () => {
  expect(describeCoordinates(schema, ['Wanted.kind'])).toContain('kind: Kind! = VALUE_1')
  expect(describeCoordinates(schema, ['Kind.VALUE_7'])).toContain('enum Kind')
  expect(describeCoordinates(schema, ['Wanted.nothing', 'Kind.NOTHING'])).toBe(
    '# Not in the schema: Wanted.nothing, Kind.NOTHING. search_schema finds names.',
  )
})
