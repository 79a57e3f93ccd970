import { composeServices as composeWithApollo } from '@apollo/composition'
import { parse, printSchema } from 'graphql'
import { describe, expect, test } from 'vitest'
import { compose } from '../../../engine/supergraph/compose/index.ts'
import { loadSupergraph, SupergraphError } from '../../../engine/supergraph/index.ts'

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

  test('shows clients nothing that is inaccessible and not how it is spread', () => {
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

test('a text that is read again gives the same object, another one its own', () => {
  const sdl = compose(subgraphs).supergraph!
  const other = compose(subgraphs.slice(0, 1)).supergraph!
  expect(loadSupergraph(sdl)).toBe(loadSupergraph(sdl))
  expect(loadSupergraph(other).sdl).toBe(other)
  expect(loadSupergraph(sdl).sdl).toBe(sdl)
})

describe('an invalid supergraph is refused with the reason', () => {
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

describe('a supergraph with features', () => {
  const withLinks = (links: string) => `
    schema ${links} { query: Query }
    enum join__Graph { A @join__graph(name: "a", url: "http://127.0.0.1:1/") }
    type Query @join__type(graph: A) { a: Int }`
  const spec = 'https://specs.apollo.dev'

  test.each([
    [
      'join before v0.3',
      `@link(url: "${spec}/join/v0.2", for: EXECUTION)`,
      // Federation 2.0 to 2.2 wrote it.
      /join v0\.2: expected v0\.3 to v0\.6\. Compose it again with a composer of Federation 2\.3/,
    ],
    ['join as core had it', `@core(feature: "${spec}/join/v0.1", for: EXECUTION)`, /join v0\.1/],
    ['join that is newer', `@link(url: "${spec}/join/v1.0")`, /join v1\.0/],
    [
      'a feature for execution that is not known',
      `@link(url: "${spec}/connect/v0.1", for: EXECUTION)`,
      /needs the feature .*connect\/v0\.1 \(for: EXECUTION\)/,
    ],
    [
      'a feature for security that is not known',
      '@link(url: "https://example.com/vault/v2.0", for: SECURITY)',
      /vault\/v2\.0 \(for: SECURITY\)/,
    ],
    [
      "somebody else's feature for security with a known name",
      '@link(url: "https://example.com/policy/v0.1", for: SECURITY)',
      /example\.com\/policy\/v0\.1 \(for: SECURITY\)/,
    ],
    [
      'a version that is not known',
      `@link(url: "${spec}/requiresScopes/v0.9", for: SECURITY)`,
      /requiresScopes.*expected v0\.1 to v0\.1/,
    ],
  ])('%s is refused', (_, links, message) => {
    expect(() => loadSupergraph(withLinks(links))).toThrow(SupergraphError)
    expect(() => loadSupergraph(withLinks(links))).toThrow(message)
  })

  test.each([
    [
      'a directive',
      '@join__futureThing',
      'A',
      /join v0\.6, of which @join__futureThing on Query is not supported/,
    ],
    ['an argument', '@join__type(graph: A, shard: "b")', 'A', /@join__type\(shard:\) on Query/],
    [
      'one of a subgraph',
      '',
      'A @join__graph(name: "a", url: "", via: "b")',
      /@join__graph\(via:\) on join__Graph\.A/,
    ],
    [
      'a part of a context',
      '@join__field(contextArguments: [{ name: "a", type: "Int", context: "c", selection: " { a }", once: true }])',
      'A',
      /contextArguments: \{ once: \}\) on Query/,
    ],
  ])('join v0.6 is refused by the name of what is new in it: %s', (_, more, graph, message) => {
    const link = `@link(url: "${spec}/join/v0.6", for: EXECUTION)`
    const sdl = withLinks(link)
      .replace('type Query @join__type(graph: A)', `type Query @join__type(graph: A) ${more}`)
      .replace('A @join__graph(name: "a", url: "http://127.0.0.1:1/")', graph === 'A' ? '$&' : graph)
    expect(() => loadSupergraph(sdl)).toThrow(SupergraphError)
    expect(() => loadSupergraph(sdl)).toThrow(message)
    // Earlier versions say nothing of such a part, as before.
    expect(loadSupergraph(sdl.replace('v0.6', 'v0.5')).subgraphs).toHaveLength(1)
  })

  test('join v0.6 is served if nothing new occurs', () => {
    const sdl = composeWithApollo(subgraphs).supergraphSdl!
    expect(sdl).toContain('/join/v0.3"')
    const { apiSchema } = loadSupergraph(sdl.replace('/join/v0.3"', '/join/v0.6"'))
    expect(printSchema(apiSchema)).toBe(printSchema(loadSupergraph(sdl).apiSchema))
  })

  test('hides types and values of enums if @inaccessible has another name', () => {
    const links = `@link(url: "${spec}/inaccessible/v0.2", as: "hide", for: SECURITY)`
    const { apiSchema, isHiddenType, isHiddenValue } = loadSupergraph(
      `${withLinks(links)} enum Kind { A B @hide } type Open { a: Int } type Shut @hide { a: Int }`,
    )
    expect([isHiddenValue('Kind', 'A'), isHiddenValue('Kind', 'B')]).toEqual([false, true])
    expect([isHiddenType('Open'), isHiddenType('Shut')]).toEqual([false, true])
    expect(printSchema(apiSchema)).toContain('enum Kind {\n  A\n}')
  })

  test('starts if a foreign directive has an argument of a hidden type', () => {
    const links = `@link(url: "${spec}/inaccessible/v0.2", for: SECURITY) @link(url: "https://example.com/owner/v1.0", import: ["@owner"])`
    const sdl = `${withLinks(links)} enum Team @inaccessible { A } directive @owner(team: Team!) on OBJECT`
    expect(printSchema(loadSupergraph(sdl).apiSchema)).not.toMatch(/owner|Team/)
  })

  test('that change nothing for a gateway is served', () => {
    const links = `@link(url: "${spec}/join/v0.5", for: EXECUTION) @link(url: "https://example.com/note/v1.0")`
    expect(loadSupergraph(withLinks(links)).subgraphs).toHaveLength(1)
  })
})
