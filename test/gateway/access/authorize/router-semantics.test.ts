import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { anonymous } from '../../../../contract/identity.ts'
import { answer, caller, filter, line, resolverOf, stage } from './kit.ts'

/** The graph on which Apollo Router's own cases can be asked again. */
const shop = stage(`
  type Query { topProducts: Product  customer: User  me: User @requiresScopes(scopes: [["profile"]])  itf: I }
  type Mutation @requiresScopes(scopes: [["mut"]]) {
    ping: User @requiresScopes(scopes: [["ping"]])
    other: String
  }
  interface I { id: ID }
  type Product { type: String  price(setPrice: Int): Int  reviews: [Review]  internal: Internal  publicReviews: [Review] }
  scalar Internal @requiresScopes(scopes: [["internal", "test"]])
  type Review @requiresScopes(scopes: [["review"]]) { body: String  author: User }
  type User implements I @requiresScopes(scopes: [["read:user"]]) {
    id: ID
    name: String @requiresScopes(scopes: [["read:username"]])
  }
`)

describe('rules on fields and types', () => {
  const query = '{ topProducts { type internal } me { id name } }'

  it('keeps what nobody guards and takes the rest away', () => {
    const { text, refused } = filter(shop, query, caller())
    expect(line(text)).toBe('{ topProducts { type } }')
    expect(refused).toEqual(['Product.internal', 'Query.me', 'User.id', 'User.name'])
  })

  it('adds up the rule of a field and the rule of the type that it returns', () => {
    expect(line(filter(shop, query, caller('profile', 'internal')).text)).toBe('{ topProducts { type } }')
    expect(line(filter(shop, query, caller('profile', 'read:user', 'internal', 'test')).text)).toBe(
      '{ topProducts { type internal } me { id } }',
    )
    expect(line(filter(shop, query, caller('profile', 'read:user', 'read:username')).text)).toBe(
      '{ topProducts { type } me { id name } }',
    )
  })

  it('hands back the very document to whoever holds everything', () => {
    const document = parse(query)
    const requirements = shop.authorizer.analyze(document)
    const grant = requirements.grant(
      caller('profile', 'read:user', 'read:username', 'internal', 'test', 'another'),
    )
    expect(requirements.filter(grant as number)).toEqual({ allowed: document, refusals: [] })
  })

  it('refuses a whole operation with its root type', () => {
    const all = filter(shop, 'mutation { ping { id } other }', caller('ping', 'read:user'))
    expect(all.allowed).toBeNull()
    expect(all.refused).toEqual(['Mutation.other', 'Mutation.ping'])
  })

  it('leaves introspection and a lone __typename alone under a refused root type', () => {
    const guarded = stage('type Query @authenticated { a: Int }')
    expect(line(filter(guarded, '{ __schema { types { name } } a }', anonymous).text)).toBe(
      '{ __schema { types { name } } }',
    )
  })

  it('is not misled by an alias', () => {
    expect(line(filter(shop, '{ topProducts { type } moi: me { name } }', caller()).text)).toBe(
      '{ topProducts { type } }',
    )
    expect(filter(shop, '{ customer: topProducts { type: internal } }', caller()).allowed).toBeNull()
  })

  it('refuses lists of a refused type, and scalars and enums', () => {
    const query = '{ topProducts { type publicReviews { body author { name } } } }'
    expect(line(filter(shop, query, caller()).text)).toBe('{ topProducts { type } }')
    const colours = stage('type Query { c: Colour d: Int } enum Colour @authenticated { RED }')
    expect(line(filter(colours, '{ c d }', anonymous).text)).toBe('{ d }')
  })
})

describe('the logic of rules', () => {
  const on = stage(`
    type Query {
      or: Int @requiresScopes(scopes: [["a", "b"], ["c"]])
      empty: Int @requiresScopes(scopes: [])
      emptyAnd: Int @requiresScopes(scopes: [[]])
      both: Int @authenticated @requiresScopes(scopes: [["a"]])
      signed: Int @authenticated
    }
  `)

  it.each([
    [['a'], false],
    [['b'], false],
    [['a', 'b'], true],
    [['c'], true],
    [['b', 'c'], true],
    [[], false],
  ] as const)('reads [[a, b], [c]] as a and b, or c: %j', (scopes, allowed) => {
    expect(filter(on, '{ or }', caller(...scopes)).allowed !== null).toBe(allowed)
  })

  it('opens a field with an empty list of scopes to everybody', () => {
    expect(line(filter(on, '{ empty emptyAnd signed }', anonymous).text)).toBe('{ empty emptyAnd }')
  })

  it('demands a token where @authenticated stands, and scopes on top', () => {
    expect(line(filter(on, '{ signed both }', caller()).text)).toBe('{ signed }')
    expect(line(filter(on, '{ signed both }', caller('a')).text)).toBe('{ signed both }')
    expect(filter(on, '{ signed both }', anonymous).allowed).toBeNull()
  })
})

describe('interfaces', () => {
  const query = '{ test itf { id other } }'
  const spread = '{ test itf { ... on A { id other } ... on B { id other } } }'
  const fields = stage(`
    type Query { test: String  itf: I! }
    interface I { id: ID  other: String }
    type A implements I { id: ID @requiresScopes(scopes: [["a", "b"]])  other: String  a: String }
    type B implements I { id: ID @requiresScopes(scopes: [["c", "d"]])  other: String  b: String }
  `)
  const types = stage(`
    type Query { test: String  itf: I! }
    interface I { id: ID }
    type A implements I @requiresScopes(scopes: [["a", "b"]]) { id: ID  a: String }
    type B implements I @requiresScopes(scopes: [["c", "d"]]) { id: ID  b: String }
  `)

  it('refuses a field asked of the interface as soon as one implementer refuses it', () => {
    expect(line(filter(fields, query, caller()).text)).toBe('{ test itf { other } }')
    expect(line(filter(fields, query, caller('a', 'b')).text)).toBe('{ test itf { other } }')
    expect(line(filter(fields, query, caller('a', 'b', 'c', 'd')).text)).toBe('{ test itf { id other } }')
    expect(filter(fields, query, caller('a', 'b')).refused).toEqual(['*.id'])
  })

  it('judges each implementer by itself where the operation asks by type', () => {
    expect(line(filter(fields, spread, caller('a', 'b')).text)).toBe(
      '{ test itf { __typename ... on A { id other } ... on B { other } } }',
    )
    expect(filter(fields, spread, caller('a', 'b')).refused).toEqual(['B.id'])
  })

  it('refuses a field that returns an interface when an implementer is refused as a type', () => {
    expect(line(filter(types, '{ test itf { id } }', caller('a', 'b')).text)).toBe('{ test }')
    expect(line(filter(types, '{ test itf { id } }', caller('a', 'b', 'c', 'd')).text)).toBe(
      '{ test itf { id } }',
    )
  })

  it('lets fragments by type and __typename through where the implementers differ', () => {
    const byType = '{ test itf { __typename ... on A { id } ... on B { id } } }'
    expect(line(filter(types, byType, caller()).text)).toBe('{ test itf { __typename } }')
    expect(line(filter(types, byType, caller('a', 'b')).text)).toBe(
      '{ test itf { __typename ... on A { id } } }',
    )
    expect(filter(types, byType, caller('a', 'b')).refused).toEqual(['B.id'])
  })

  it('drops the field when all its fragments are refused', () => {
    const byType = '{ test itf { ... on A { id } ... on B { id } } }'
    expect(line(filter(types, byType, caller()).text)).toBe('{ test itf { __typename } }')
    const nullable = stage(`
      type Query { test: String  itf: I }
      interface I { id: ID }
      type A implements I @authenticated { id: ID }
    `)
    expect(line(filter(nullable, '{ test itf { ... on A { id } } }', anonymous).text)).toBe('{ test }')
  })

  it('judges alike whether the composer has summed up the rules on the interface or not', () => {
    const summed = stage(`
      type Query { test: String  itf: I! }
      interface I { id: ID @requiresScopes(scopes: [["a", "b", "c", "d"]])  other: String }
      type A implements I { id: ID @requiresScopes(scopes: [["a", "b"]])  other: String  a: String }
      type B implements I { id: ID @requiresScopes(scopes: [["c", "d"]])  other: String  b: String }
    `)
    for (const each of [query, spread])
      for (const scopes of [[], ['a', 'b'], ['c', 'd'], ['a', 'b', 'c', 'd']])
        expect(filter(summed, each, caller(...scopes)).text).toBe(
          filter(fields, each, caller(...scopes)).text,
        )
  })
})

describe('unions', () => {
  const on = stage(`
    type Query { test: String  uni: U! }
    union U = A | B
    type A @requiresScopes(scopes: [["a", "b"]]) { id: ID }
    type B @requiresScopes(scopes: [["c", "d"], ["e"]]) { id: ID }
  `)
  const query = '{ test uni { ... on A { id } ... on B { id } } }'

  it('opens each member by its own rule', () => {
    expect(line(filter(on, query, caller('a', 'b')).text)).toBe('{ test uni { __typename ... on A { id } } }')
    expect(line(filter(on, query, caller('e')).text)).toBe('{ test uni { __typename ... on B { id } } }')
    expect(line(filter(on, query, caller('a', 'b', 'e')).text)).toBe(
      '{ test uni { ... on A { id } ... on B { id } } }',
    )
  })

  it('does not add up the alternatives of different members', () => {
    expect(filter(on, query, caller('a', 'd')).refused).toEqual(['A.id', 'B.id'])
  })
})

describe('fragments', () => {
  it('takes refused fields out of named fragments, for every place that spreads them', () => {
    const query = `
      query A { ...F3 }
      query B($id: ID, $u: Int, $include: Boolean!, $skip: Boolean!) { ...F1 u(u: $u) @include(if: $include) }
      fragment F1 on Query { ...F2 }
      fragment F2 on Query { t { ...F3onT @skip(if: $skip) } }
      fragment F3onT on T { f(id: $id) }
      fragment F3 on Query { u }
    `
    const on = stage(
      'type Query { t: T  u(u: Int): Int  v(v: Int): Int } type T @authenticated { f(id: ID): Int }',
    )
    expect(line(filter(on, query, anonymous, 'B').text)).toBe(
      'query B($u: Int, $include: Boolean!) { u(u: $u) @include(if: $include) }',
    )
    expect(line(filter(on, query, anonymous, 'A').text)).toContain('fragment F3 on Query { u }')
  })

  it('drops a fragment on a refused type, its spreads and its definition', () => {
    const query = '{ topProducts { type } itf { ...F } } fragment F on User { id2: id name }'
    expect(line(filter(shop, query, caller()).text)).toBe('{ topProducts { type } }')
    expect(line(filter(shop, query, caller('read:user')).text)).toBe(
      '{ topProducts { type } itf { __typename ...F } } fragment F on User { id2: id }',
    )
  })

  it('removes inline fragments that become empty, with their directives and variables', () => {
    const query =
      'query Q($x: Boolean!, $y: Boolean!) { topProducts { type ... @include(if: $x) { internal } ... @skip(if: $y) { price } } }'
    expect(line(filter(shop, query, caller()).text)).toBe(
      'query Q($y: Boolean!) { topProducts { type ... @skip(if: $y) { price } } }',
    )
  })

  it('drops @skip and @include with the refused field, and variables in nested input values', () => {
    const on = stage(`
      type Query { a(i: In): Int @authenticated  b(l: [Int]): Int }
      input In { x: [In]  y: Int }
    `)
    const query =
      'query ($s: Boolean!, $v: Int, $w: Int) { a(i: { x: [{ y: $v }] }) @skip(if: $s) b(l: [$w]) }'
    expect(line(filter(on, query, anonymous).text)).toBe('query ($w: Int) { b(l: [$w]) }')
    expect(filter(on, 'query ($s: Boolean!) { a @include(if: $s) }', anonymous).allowed).toBeNull()
  })

  it('keeps variables that directives of the operation use', () => {
    const on = stage('directive @tag(v: Int) on QUERY  type Query { a: Int @authenticated  b: Int }')
    expect(line(filter(on, 'query ($v: Int) @tag(v: $v) { a b }', anonymous).text)).toBe(
      'query ($v: Int) @tag(v: $v) { b }',
    )
  })
})

describe('what is left empty', () => {
  const on = stage(`
    type Query { video: Video  list: List!  count: Int }
    type Mutation { change: Payload!  drop: Payload  other: Int }
    type Payload { video: Video  secret: Int @authenticated }
    type List { edges: [Edge!]!  total: Int }
    type Edge { node: Video }
    type Video { title: String  file: File @authenticated  secret: Int @authenticated }
    type File { name: String }
  `)

  it('fetches nothing for a field whose fields are all refused, and still names them', () => {
    const { allowed, refusals } = filter(on, '{ video { file { name } s: secret } }', anonymous)
    expect(allowed).toBeNull()
    expect(refusals.map(({ below }) => below)).toContainEqual(['s'])
    const document = parse('{ video { file { name } s: secret } count }')
    const requirements = on.authorizer.analyze(document)
    const filtered = requirements.filter(requirements.grant(anonymous) as number)
    expect(answer(on, document, filtered, resolverOf(on.schema))).toEqual({
      data: { video: null, count: expect.any(Number) },
      errors: [
        { path: ['video', 'file'], code: 'UNAUTHORIZED_FIELD_OR_TYPE' },
        { path: ['video', 's'], code: 'UNAUTHORIZED_FIELD_OR_TYPE' },
      ],
    })
  })

  it('does not let a field that is left empty but must not be null take its siblings along', () => {
    const query = '{ list { edges { node { secret } } total } }'
    expect(line(filter(on, query, anonymous).text)).toBe('{ list { edges { __typename } total } }')
    const document = parse(query)
    const requirements = on.authorizer.analyze(document)
    const filtered = requirements.filter(requirements.grant(anonymous) as number)
    const { data, errors } = answer(on, document, filtered, resolverOf(on.schema))
    expect(data).toEqual({
      list: { edges: [{ node: null }, { node: null }, { node: null }], total: expect.any(Number) },
    })
    expect(errors.map(({ path }) => path)).toEqual([
      ['list', 'edges', 0, 'node', 'secret'],
      ['list', 'edges', 1, 'node', 'secret'],
      ['list', 'edges', 2, 'node', 'secret'],
    ])
  })

  it('keeps such a field also when it and its siblings come from different fragments', () => {
    const query =
      '{ list { ...E } list { ...T } } fragment E on List { edges { node { secret } } } fragment T on List { total }'
    expect(line(filter(on, query, anonymous).text)).toBe(
      '{ list { ...E } list { ...T } } fragment E on List { edges { __typename } } fragment T on List { total }',
    )
  })

  it('keeps nothing where nothing at all is wanted', () => {
    expect(filter(on, '{ list { edges { node { secret } } } }', anonymous).allowed).toBeNull()
  })

  it('does not run a mutation of which nothing may be shown, and runs the others', () => {
    const query = 'mutation { change { secret } drop { secret } other }'
    expect(line(filter(on, query, anonymous).text)).toBe('mutation { other }')
  })
})

describe('modes', () => {
  const types =
    'type Query { a: A  b: Int } type A @authenticated { x: Int @requiresScopes(scopes: [["s"]]) }'
  const query = '{ one: a { y: x } b }'

  it('refuses the operation whole in mode reject, with every path', () => {
    const on = stage(types, { mode: 'reject' })
    const { allowed, reject } = filter(on, query, anonymous)
    expect(allowed).toBeNull()
    expect(reject?.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['one'], 'UNAUTHORIZED_FIELD_OR_TYPE'],
    ])
    expect(filter(on, '{ b }', anonymous).reject).toBeUndefined()
    expect(filter(on, query, caller('s')).reject).toBeUndefined()
  })

  it('filters nothing in mode dryRun and tells what it would have refused', () => {
    const on = stage(types, { mode: 'dryRun' })
    const { text, refusals, report } = filter(on, query, anonymous)
    expect(line(text)).toBe('{ one: a { y: x } b }')
    expect(refusals).toEqual([])
    expect(report?.map(({ path }) => path)).toEqual([['one'], ['one', 'y']])
    expect(filter(on, query, caller()).report?.map(({ path }) => path)).toEqual([['one', 'y']])
  })
})
