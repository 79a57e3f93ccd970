import { composeServices as composeWithApollo } from '@apollo/composition'
import { parse, printSchema } from 'graphql'
import { describe, expect, test } from 'vitest'
import { compose } from '../../gateway/compose.ts'
import { loadSupergraph, SupergraphError } from '../../gateway/supergraph.ts'

const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@inaccessible", "@shareable"])\n'
const subgraphs = [
  {
    name: 'a-b.C',
    url: 'http://127.0.0.1:1/graphql',
    typeDefs: parse(`${link}
      type Query { things: [Thing] secret: Ghost @inaccessible }
      union Thing = Book | Ghost
      interface Named { name: String }
      "Something to read."
      type Book implements Named @key(fields: "id") { id: ID! name: String }
      type Ghost implements Named @inaccessible { name: String }
      enum Kind { A B @inaccessible }
      input Filter { kind: Kind hidden: Int @inaccessible }`),
  },
  {
    name: 'other',
    url: '',
    typeDefs: parse(
      `${link} type Book @key(fields: "id") { id: ID! pages(filter: Filter): Int } enum Kind { A B @inaccessible } input Filter { kind: Kind hidden: Int @inaccessible }`,
    ),
  },
]

describe.each([
  ['the composer of this gateway', () => compose(subgraphs).supergraph!],
  ['another composer', () => composeWithApollo(subgraphs).supergraphSdl!],
])('a supergraph of %s', (_, sdlOf) => {
  test('tells its subgraphs by their own names', () => {
    expect(loadSupergraph(sdlOf()).subgraphs.map(({ name, url }) => ({ name, url }))).toEqual([
      { name: 'a-b.C', url: 'http://127.0.0.1:1/graphql' },
      { name: 'other', url: '' },
    ])
  })

  test('shows clients nothing that is inaccessible, nor how it is spread', () => {
    const api = printSchema(loadSupergraph(sdlOf()).apiSchema)
    expect(api).not.toMatch(/Ghost|hidden|secret|join__|link__|inaccessible|\bB\b/)
    expect(api).toContain('"""Something to read."""')
    expect(api).toContain('union Thing = Book')
  })

  test('knows which types an interface or union can be, those too that clients do not see', () => {
    const { possibleTypes } = loadSupergraph(sdlOf())
    expect(possibleTypes.get('Thing')).toEqual(new Set(['Book', 'Ghost']))
    expect(possibleTypes.get('Named')).toEqual(new Set(['Book', 'Ghost']))
  })
})

describe('what is no supergraph is refused with the reason', () => {
  test.each([
    ['text', 'this is not graphql', /not GraphQL: Syntax Error/],
    ['nothing', '', /not GraphQL/],
    ['a plain schema', 'type Query { a: Int }', /no enum join__Graph/],
    [
      'subgraphs without names',
      'enum join__Graph { A @join__graph(url: "x") } type Query { a: Int }',
      /does not name its subgraph A/,
    ],
    [
      'no query type',
      'enum join__Graph { A @join__graph(name: "a", url: "x") } type Thing { a: Int }',
      /public schema cannot be built/,
    ],
    [
      'types that are not there',
      'enum join__Graph { A @join__graph(name: "a", url: "x") } type Query { a: Nowhere }',
      /public schema cannot be built: Unknown type "Nowhere"/,
    ],
  ])('%s', (_, sdl, message) => {
    expect(() => loadSupergraph(sdl)).toThrow(SupergraphError)
    expect(() => loadSupergraph(sdl)).toThrow(message)
  })
})
