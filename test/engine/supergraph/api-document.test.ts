/** The API document of a supergraph, compared with that of the composer's own library. */
import { readFileSync } from 'node:fs'
import { transformSupergraphToPublicSchema } from '@theguild/federation-composition'
import { type DocumentNode, parse, print, visit } from 'graphql'
import { describe, expect, test } from 'vitest'
import { apiDocumentOf } from '../../../engine/supergraph/api-document.ts'
import { campaignSize } from '../../support/campaign-size.ts'
import { randomGraph } from '../../support/random-federation/graph.ts'
import { testSeed } from '../../support/seed.ts'

const spec = 'https://specs.apollo.dev'
const shown = (sdl: string): string => print(apiDocumentOf(parse(sdl)))
const inOneLine = (sdl: string): string => shown(sdl).replace(/\s+/g, ' ')

/** Definitions in the order of their text. The library leaves unions naming what is hidden; we do not. */
function definitionsOf(document: DocumentNode): string[] {
  const types = new Set(
    document.definitions.flatMap((definition) =>
      'fields' in definition && 'name' in definition ? definition.name?.value : [],
    ),
  )
  const withoutHiddenMembers = visit(document, {
    UnionTypeDefinition: (node) => ({
      ...node,
      types: node.types?.filter(({ name }) => types.has(name.value)) ?? [],
    }),
  })
  return withoutHiddenMembers.definitions.map(print).sort()
}

describe("agrees with the composer's library", () => {
  test.each(['schema/supergraph.graphql', 'bench/public/benchmark/supergraph.graphql'])('on %s', (path) => {
    const document = parse(readFileSync(path, 'utf8'))
    expect(definitionsOf(apiDocumentOf(document))).toEqual(
      definitionsOf(transformSupergraphToPublicSchema(document)),
    )
  })

  test(`on random supergraphs, seed ${testSeed}`, () => {
    for (let index = 0; index < campaignSize(200); index++) {
      const { document } = randomGraph(testSeed + index).supergraph
      expect(definitionsOf(apiDocumentOf(document))).toEqual(
        definitionsOf(transformSupergraphToPublicSchema(document)),
      )
    }
  })
})

describe('features', () => {
  test('a directive and a type that a link imports are hidden, under the names that they have here', () => {
    const sdl = `
      schema @link(url: "${spec}/link/v1.0") @link(url: "${spec}/cost/v0.1", import: ["@cost", { name: "@listSize", as: "@size" }, "Weight"]) { query: Query }
      directive @size(most: Int) on FIELD_DEFINITION
      scalar Weight
      scalar cost__Unit
      type Query { a: [Int] @cost(weight: 5) @size(most: 5) @deprecated(reason: "old") }`
    expect(inOneLine(sdl)).toBe('type Query { a: [Int] @deprecated(reason: "old") }')
  })

  test.each(['as: "hide"', 'import: [{ name: "@inaccessible", as: "@hide" }]'])(
    '@inaccessible hides by %s, too',
    (renamed) => {
      const sdl = `
      schema @link(url: "${spec}/inaccessible/v0.2", ${renamed}, for: SECURITY) { query: Query }
      directive @hide on FIELD_DEFINITION
      interface Hidden @hide { id: ID }
      interface Shown implements Hidden { id: ID }
      type Thing implements Hidden & Shown { id: ID  secret: ID @hide }
      type Ghost @hide { id: ID }
      union Any = Thing | Ghost
      enum Kind { A B @hide }
      input Filter { kind: Kind  inner: Int @hide }
      type Query { any(filter: Filter, by: Int @hide): Any  ghost: Ghost @hide }`
      expect(inOneLine(sdl)).toBe(
        'interface Shown { id: ID } type Thing implements Shown { id: ID } union Any = Thing enum Kind { A } input Filter { kind: Kind } type Query { any(filter: Filter): Any }',
      )
    },
  )

  test('directives of a foreign feature are part of it if operations can have them', () => {
    const sdl = `
      schema @link(url: "https://example.com/note/v1.0", as: "remark", import: ["@mark", "@live"]) { query: Query }
      directive @mark(text: String) on FIELD_DEFINITION
      directive @live(every: Int) on FIELD_DEFINITION | QUERY | FIELD
      directive @remark on FIELD
      type Query { a: Int @mark(text: "b") @live(every: 2) @remark @deprecated(reason: "old") }`
    expect(inOneLine(sdl)).toBe(
      'directive @live(every: Int) on QUERY | FIELD type Query { a: Int @deprecated(reason: "old") }',
    )
  })

  test('what is inaccessible is no argument of a directive either', () => {
    const sdl = `
      schema @link(url: "${spec}/inaccessible/v0.2", for: SECURITY) { query: Query }
      enum Team @inaccessible { A B }
      enum Zone { C }
      directive @owner(team: [Team!]!) on FIELD_DEFINITION
      directive @as(team: Team, zone: [Zone!], by: Int @inaccessible) on FIELD
      directive @given(team: Team! = A) on QUERY
      directive @locked(team: Team!) on QUERY
      type Query { a: Int @owner(team: [A]) }`
    expect(inOneLine(sdl)).toBe(
      'enum Zone { C } directive @as(zone: [Zone!]) on FIELD directive @given on QUERY type Query { a: Int }',
    )
  })

  test('a type that has the name of a directive stays, and so does a field that is named like what a feature has', () => {
    const sdl = `
      schema @link(url: "${spec}/tag/v0.3", import: ["@tag"]) { query: Query }
      enum tag { A }
      type Query { tag: tag @tag(name: "x")  tag__a: Int }`
    expect(inOneLine(sdl)).toBe('enum tag { A } type Query { tag: tag tag__a: Int }')
  })
})

test('a default names nothing that clients must not see', () => {
  const given = (...inputs: readonly string[]) =>
    inOneLine(`
      schema @link(url: "${spec}/inaccessible/v0.2", for: SECURITY) { query: Query }
      enum E { A B @inaccessible }
      input In { n: Int secret: Int @inaccessible e: E of: [In!] any: Any }
      scalar Any
      type Query { a(${inputs.map((input, at) => `a${at}: ${input}`).join(' ')}): Int }`)
  const seen = given(
    'In = { n: 1, secret: 2, of: [{ secret: 3 }, { e: A }] }',
    '[In!]! = { secret: 4 }',
    'E = A',
  )
  expect(seen).toContain('a(a0: In = {n: 1, of: [{}, {e: A}]}, a1: [In!]! = {}, a2: E = A): Int')
  // A hidden value cannot be left out of a default alone.
  const hidden = given(
    'E = B',
    '[E] = [A, B]',
    '[[E!]!]! = B',
    'In = { n: 1, of: { e: B } }',
    '[In] = [null, { e: B }]',
  )
  expect(hidden).toContain('a(a0: E, a1: [E], a2: [[E!]!]!, a3: In, a4: [In]): Int')
  // Custom scalars have no such names.
  expect(given('Any = { secret: B }', 'In = { any: [{ secret: B }] }')).toContain(
    'a(a0: Any = {secret: B}, a1: In = {any: [{secret: B}]}): Int',
  )
})
