/** Texts that graphql's parser cannot follow. */
import { GraphQLError } from 'graphql'
import { expect, test } from 'vitest'
import { parseFieldSet } from '../../../shared/graphql/field-set.ts'
import { parseSdl, parsingSdl } from '../../../shared/graphql/parse-sdl.ts'
import { parseText, parseTypeText } from '../../../shared/graphql/parse-text.ts'

const levels = 100_000
const sdl = `type Query { a(b: ${'['.repeat(levels)}Int${']'.repeat(levels)}): Int }`

test.each([
  ['an operation', () => parseText('{a'.repeat(levels) + '}'.repeat(levels))],
  ['a selection of fields', () => parseFieldSet(`${'a{'.repeat(levels)}a${'}'.repeat(levels)}`)],
  ['a type', () => parseTypeText(`${'['.repeat(levels)}Int${']'.repeat(levels)}`)],
  ['a schema', () => parseSdl(sdl)],
  ['a schema that is parsed in steps', () => [...parsingSdl(sdl)]],
])('too many brackets within each other are a fault of %s, in words', (_, parsed) => {
  expect(parsed).toThrow(new GraphQLError('It has too many brackets within each other.'))
})

test('a syntax error keeps its place', () => {
  expect(() => parseText('{ a')).toThrow(expect.objectContaining({ locations: [{ line: 1, column: 4 }] }))
})
