/**
 * Faults that the composer accepts silently are refused by coordinate. Newer versions of the specification are
 * composed.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { composeContract } from '../../../../engine/supergraph/compose/contract.ts'
import { compose, type SubgraphSource } from '../../../../engine/supergraph/compose/index.ts'
import { loadSupergraph } from '../../../../engine/supergraph/index.ts'

const link = (version: string, imports: string): string =>
  `extend schema @link(url: "https://specs.apollo.dev/federation/${version}", import: [${imports}])\n`

const sources = (...sdls: string[]): SubgraphSource[] =>
  sdls.map((typeDefs, index) => ({ name: 'abc'[index]!, url: 'http://127.0.0.1:1', typeDefs }))

const errorsOf = (...sdls: string[]): string[] => (compose(sources(...sdls)).errors ?? []).map(String)

describe('a rule that requires nothing', () => {
  const imports = link('v2.9', '"@key", "@policy", { name: "@requiresScopes", as: "@scopes" }')
  test.each([
    ['Query.a', 'type Query { a: Int @scopes(scopes: []) }'],
    ['Query.a', 'type Query { a: Int @scopes(scopes: [[]]) }'],
    ['Query.a', 'type Query { a: Int @scopes(scopes: [["b"], []]) }'],
    ['Query.a', 'type Query { a: Int @policy(policies: []) }'],
    ['T', 'type Query { a: T } type T @policy(policies: [[]]) { a: Int }'],
    ['S', 'type Query { a: S } scalar S @scopes(scopes: [])'],
  ])('is refused at %s: %s', (coordinate, sdl) => {
    const [error, ...others] = errorsOf(imports + sdl)
    expect(others).toEqual([])
    expect(error).toContain(`[a] ${coordinate} has @`)
    expect(error).toContain('opens it to everybody')
  })

  test('any that demands something composes, and stays in the supergraph', () => {
    const scope = fc.stringMatching(/^[a-z.]{1,8}$/)
    const lists = fc.array(fc.array(scope, { maxLength: 3 }), { maxLength: 3 })
    fc.assert(
      fc.property(lists, (scopes) => {
        const sdl = `${imports} type Query { a: Int @scopes(scopes: ${JSON.stringify(scopes)}) }`
        const { supergraph, errors } = compose(sources(sdl))
        const isEmpty = scopes.length === 0 || scopes.some((each) => each.length === 0)
        expect(errors === undefined).toBe(!isEmpty)
        if (!isEmpty) expect(supergraph).toMatch(/a: Int @(scopes|requiresScopes)\(/)
      }),
      { numRuns: 60 },
    )
  })
})

test('a default that only one subgraph has is refused: a served query would fail in the other one', () => {
  const shared = link('v2.9', '"@shareable"')
  const field = (argument: string): string => `${shared} type Query { f(x: ${argument}): Int @shareable }`
  expect(errorsOf(field('Int! = 5'), field('Int!'))).toEqual([
    'Argument "Query.f(x:)" has incompatible default values across subgraphs: it has default value 5 in subgraph "a" but no default value in subgraph "b"',
  ])
  expect(errorsOf(field('Int'), field('Int = 5'))).toHaveLength(1)
  expect(errorsOf(field('Int = 5'), field('Int = 5'))).toEqual([])
  expect(errorsOf(field('Int = 5'), field('Int = 6'))).toHaveLength(1)
  // It is in neither query if one subgraph lacks it.
  expect(errorsOf(field('Int = 5'), `${shared} type Query { f: Int @shareable }`)).toEqual([])
})

test('a default of an input field that only one subgraph has is refused: it would be lost silently', () => {
  const shared = link('v2.9', '"@shareable"')
  const input = (field: string): string =>
    `${shared} type Query { f(x: I): Int @shareable } input I { ${field} b: Int }`
  expect(errorsOf(input('a: Int! = 5'), input('a: Int!'))).toEqual([
    'Input field "I.a" has incompatible default values across subgraphs: it has default value 5 in subgraph "a" but no default value in subgraph "b"',
  ])
  expect(errorsOf(input('a: Int'), input('a: [Int] = [1]'))).not.toEqual([])
  expect(errorsOf(input('a: [Int] = [1]'), input('a: [Int] = [1]'))).toEqual([])
  expect(errorsOf(input('a: Int = 5'), input('a: Int = 6'))).toHaveLength(1)
  // Clients cannot give a field that one subgraph lacks.
  expect(errorsOf(input('a: Int = 5'), input(''))).toEqual([])
  const extended = `${shared} type Query { f(x: I): Int @shareable } input I { b: Int } extend input I { a: Int = 5 }`
  expect(errorsOf(extended, input('a: Int'))).toHaveLength(1)
})

describe('a field whose type is narrower in the first subgraph', () => {
  const head = `${link('v2.9', '"@external", "@key", "@shareable"')}
    interface Media { id: ID }
    type Book implements Media @shareable { id: ID }`
  const more = `${head} type Film implements Media { id: ID } union Any = Book | Film`
  const found = (sdl: string, type: string): string => `${sdl} type Query { found: ${type} @shareable }`
  test.each([
    ['Book', 'Media'],
    ['[Book!]!', '[Media]'],
    ['Book', 'Any'],
  ])('is refused, because the composer would take %s and lose %s', (narrow, wide) => {
    const [error, ...others] = errorsOf(found(head, narrow), found(more, wide))
    expect(others).toEqual([])
    expect(error).toContain('Field "Query.found" would lose what only subgraph "b" returns')
  })
  test('composes in the other order, with equal types, and if it is external', () => {
    const { supergraph } = compose(sources(found(more, '[Media]'), found(head, '[Book!]!')))
    expect(supergraph).toContain('found: [Media]')
    expect(errorsOf(found(head, 'Media'), found(more, 'Media'))).toEqual([])
    const entity = (field: string): string => `type E @key(fields: "id") { id: ID! ${field} }`
    const reads = `${head} type Query { e: E } ${entity('of: Book @external')}`
    expect(errorsOf(reads, `${more} ${entity('of: Media')}`)).not.toContainEqual(
      expect.stringContaining('would lose'),
    )
  })
})

describe('a directive that is not repeatable', () => {
  const owned = (team: string, repeatable = ''): string => `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@shareable", "@composeDirective", "@key"])
      @link(url: "https://example.com/owner/v1.0", import: ["@owner"]) @composeDirective(name: "@owner")
    directive @owner(team: String) ${repeatable} on OBJECT | FIELD_DEFINITION
    type Query { t: T @shareable }
    type T @key(fields: "id") @owner(team: "x") { id: ID! n: Int @shareable @owner(team: "${team}") }`
  test('is refused if it would be there twice, by its place', () => {
    expect(errorsOf(owned('a'), owned('b'))).toEqual([
      'T.n gets @owner more than once, with other arguments in each subgraph, and it is not repeatable',
    ])
  })
  test('composes if all subgraphs agree, or if it may be repeated', () => {
    expect(errorsOf(owned('a'), owned('a'))).toEqual([])
    expect(errorsOf(owned('a', 'repeatable'), owned('b', 'repeatable'))).toEqual([])
  })
})

describe('a composed directive that operations can have', () => {
  const own = 'directive @owner(team: String) on OBJECT | FIELD\n'
  const owned = `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@composeDirective", "@key"])
      @link(url: "https://example.com/owner/v1.0", import: ["@owner"]) @composeDirective(name: "@owner")
    ${own} type Query { t: T }
    type T @key(fields: "id") @owner(team: "x") { id: ID! }`
  const other = `${link('v2.9', '"@key"')} type T @key(fields: "id") { id: ID! n: Int }`
  test('is refused if a subgraph lacks it, because the supergraph would apply it without a definition', () => {
    const [error, ...others] = errorsOf(owned, other)
    expect(others).toEqual([])
    expect(error).toContain('T gets @owner, whose definition is lost')
  })
  test('composes if all subgraphs define it', () => {
    expect(errorsOf(owned, own + other)).toEqual([])
  })
})

describe('an input field of a hidden type', () => {
  const input = (what: string): string =>
    `${link('v2.9', '"@inaccessible", "@tag"')} type Query { f(i: In): Int } input In { a: [Inner!] b: Int } input Inner ${what} { a: Int }`
  const said = 'Type "Inner" is @inaccessible but is referenced by "In.a", which is in the API schema.'
  test('is refused by its name, because no valid schema is left', () => {
    expect(errorsOf(input('@inaccessible'))).toEqual([said])
  })
  test('is refused in a contract, too', () => {
    const { errors = [] } = composeContract(sources(input('@tag(name: "x")')), {
      include: [],
      exclude: ['x'],
    })
    expect(errors.map(String)).toEqual([said])
  })
})

describe('a version of federation that is younger than the composer', () => {
  const entity = 'type T @key(fields: "id") { id: ID! }'
  test.each(['v2.10', 'v2.11', 'v2.12', 'v2.13', 'v2.14', 'v2.15'])(
    '%s composes if nothing new is used',
    (version) => {
      const young = `${link(version, '"@key", "@shareable"')} type Query { t: T @federation__tag(name: "x") } ${entity}`
      const old = `${link('v2.3', '"@key"')} ${entity} type Query { other: T }`
      const { supergraph, errors } = compose(sources(young, old))
      expect(errors).toBeUndefined()
      expect(Object.keys(loadSupergraph(supergraph!).apiSchema.getQueryType()!.getFields())).toEqual([
        't',
        'other',
      ])
    },
  )
  test.each([
    ['imports', '"@key", "@cacheTag", "@tag"', ''],
    ['renamed imports', '"@key", { name: "@cacheTag", as: "@cached" }, "@tag"', ''],
    // As a code-first server prints all that it could apply.
    ['imports and defines', '"@key", "@cacheTag", "@tag"', 'directive @cacheTag(format: String!) on OBJECT'],
  ])('composes if the subgraph %s a new directive, and never applies it', (_, imports, definition) => {
    const young = `${link('v2.14', imports)} ${definition} type Query { t: T @tag(name: "x") } ${entity}`
    const { supergraph, errors } = compose(sources(young))
    expect(errors).toBeUndefined()
    expect(supergraph).toContain('@tag(name: "x")')
    expect(supergraph).not.toMatch(/cacheTag|cached/)
  })
  test.each([
    [
      'an import',
      `${link('v2.12', '"@key", "@cacheTag"')} type U { a: Int @cacheTag(format: "a") }`,
      '@cacheTag of federation v2.12',
    ],
    [
      'a renamed import',
      `${link('v2.12', '"@key", { name: "@cacheTag", as: "@key2" }')} type U { a: Int @key2(format: "a") }`,
      '@cacheTag of federation v2.12',
    ],
    ['a type', link('v2.12', '"@key", "CacheFormat"'), 'CacheFormat of federation v2.12'],
    [
      'a composed directive',
      `${link('v2.12', '"@key", "@cacheTag", "@composeDirective"')} extend schema @composeDirective(name: "@cacheTag") directive @cacheTag(format: String!) on OBJECT`,
      '@cacheTag',
    ],
    [
      'a full name',
      `${link('v2.12', '"@key"')} type U { a: Int @federation__cacheTag(format: "a") }`,
      '@cacheTag',
    ],
  ])('is refused by the name of what is new: %s', (_, head, said) => {
    const [error, ...others] = errorsOf(`${head} ${entity} type Query { t: T }`)
    expect(others).toEqual([])
    expect(error).toContain(said)
  })
  test('a later one is refused as before', () => {
    for (const version of ['v2.16', 'v3.0'])
      expect(errorsOf(`${link(version, '"@key"')} ${entity} type Query { t: T }`).join()).toContain(version)
  })
})

describe('a contract', () => {
  const tagged = `${link('v2.9', '"@tag"')}
    type Query { open: Int u: U hidden: Int @tag(name: "internal") }
    union U = A | B
    type A @tag(name: "internal") @tag(name: "a") { a: Int }
    type B @tag(name: "internal") { b: Int }`
  const contract = (include: string[], exclude: string[]) =>
    composeContract(sources(tagged), { include, exclude })

  test('of a tag that no element has is refused with the list of tags', () => {
    for (const { errors } of [
      contract([], ['internl']),
      contract(['internl'], []),
      contract(['a'], ['internl']),
    ])
      expect(errors?.map(String)).toEqual(['No element has the tag internl. There are: a, internal.'])
    const { errors } = composeContract(sources('type Query { a: Int }'), { include: [], exclude: ['x', 'y'] })
    expect(errors?.map(String)).toEqual(['No element has the tag x, nor y. There are no tags.'])
  })
  test('that leaves nothing of a union says so in a sentence', () => {
    expect(contract([], ['internal']).errors?.map(String)).toEqual([
      'The union U loses all of its members (A, B): keep one of them, or take out the union and what returns it.',
    ])
    const { supergraph } = contract([], ['a'])
    expect(Object.keys(loadSupergraph(supergraph!).apiSchema.getTypeMap())).not.toContain('A')
  })
  test('is refused for what a composition is refused for, and takes the same versions', () => {
    const young = `${link('v2.12', '"@tag"')} type Query { a: Int b: Int @tag(name: "x") }`
    expect(composeContract(sources(young), { include: [], exclude: ['x'] }).errors).toBeUndefined()
    const empty = `${link('v2.9', '"@tag", "@requiresScopes"')} type Query { a: Int @requiresScopes(scopes: []) b: Int @tag(name: "x") }`
    expect(composeContract(sources(empty), { include: [], exclude: ['x'] }).errors).toHaveLength(1)
  })
})
