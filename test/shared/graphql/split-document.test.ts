/** A document that is parsed in pieces is the document that is parsed at once. */
import fc from 'fast-check'
import { parse } from 'graphql'
import { expect, test } from 'vitest'
import { parsingSdl } from '../../../shared/graphql/parse-sdl.ts'
import { definitionsIn } from '../../../shared/graphql/split-document.ts'
import { runToEnd } from '../../../shared/runtime/steps.ts'
import { readSchemaFile } from '../../../subgraphs/kit/subgraph.ts'

const options = { noLocation: true, experimentalDirectivesOnDirectiveDefinitions: true } as const

function outcomeOf(read: () => readonly unknown[]): unknown {
  try {
    return read()
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

/** Tokens, whole and broken ones, so that documents are mostly wrong and sometimes right. */
const token = fc.constantFrom(
  ...['type A', 'extend type B', 'enum E', 'scalar S', 'directive @d on FIELD', 'schema', 'interface I'],
  ...['{ a: Int }', '{ A B }', '{ query: A }', '{ a(b: C = {d: [1]}): E @d(x: "}") }', '@d(x: {y: 1})'],
  ...[
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    '"',
    '"""',
    '\\"""',
    '\\',
    '""',
    '"}"',
    '"\\"}"',
    '"""}"""',
    '"""a\\"""}"""',
  ],
  ...['# }', '#', '\n', '\r', ',', ' ', '\uFEFF', 'a', '1', '$', '\u00a0'],
)
const document = fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(' '))

test('pieces have the definitions of the whole, or the same fault', () => {
  fc.assert(
    fc.property(document, fc.integer({ min: 0, max: 30 }), (text, most) => {
      const pieces = [...definitionsIn(text, most)]
      const inPieces = outcomeOf(() => pieces.flatMap((piece) => parse(piece, options).definitions))
      expect(inPieces).toEqual(outcomeOf(() => parse(text, options).definitions))
    }),
    { numRuns: 1000 },
  )
})

test('a supergraph is parsed in several steps', () => {
  const sdl = readSchemaFile('supergraph')
  expect(runToEnd(() => parsingSdl(sdl)).definitions).toEqual(parse(sdl, options).definitions)
  expect([...parsingSdl(sdl)].length).toBeGreaterThan(3)
})
