import { getIntrospectionQuery, parse, print } from 'graphql'
import { describe, expect, it } from 'vitest'
import { anonymous } from '../../../../shared/identity.ts'
import { documentOf, normalisedOf } from '../../../support/normalised.ts'
import { answer, caller, filter, filteredFor, line, resolverOf, stage } from './kit.ts'

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

  it('keeps what has no rule and takes the rest away', () => {
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

  it('returns the same operation if all scopes are held', () => {
    const allowed = normalisedOf(shop.schema, query)
    const all = caller('profile', 'read:user', 'read:username', 'internal', 'test', 'another')
    expect(filteredFor(shop, query, all)).toEqual({ allowed, refusals: [] })
  })

  it('refuses a whole operation with its root type', () => {
    const all = filter(shop, 'mutation { ping { id } other }', caller('ping', 'read:user'))
    expect(all.allowed).toBeNull()
    expect(all.refused).toEqual(['Mutation.other', 'Mutation.ping'])
  })

  it('keeps introspection and a lone __typename under a refused root type', () => {
    const guarded = stage('type Query @authenticated { a: Int }')
    expect(line(filter(guarded, '{ __schema { types { name } } a }', anonymous).text)).toBe(
      '{ __schema { types { name } } }',
    )
    expect(line(filter(guarded, '{ t: __typename __schema { types { name } } }', anonymous).text)).toBe(
      '{ t: __typename __schema { types { name } } }',
    )
    // Nothing is fetched for it alone, and nothing is refused.
    for (const query of ['{ __typename }', '{ ... on Query { __typename } }'])
      expect(filter(guarded, query, anonymous)).toMatchObject({ allowed: null, refusals: [] })
    expect(line(filter(guarded, '{ __typename a }', caller()).text)).toBe('{ __typename a }')
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
      empty: Int @requiresScopes(scopes: [])
      emptyAnd: Int @requiresScopes(scopes: [[]])
      both: Int @authenticated @requiresScopes(scopes: [["a"]])
      signed: Int @authenticated
    }
  `)

  it('opens a field with an empty list of scopes to everybody', () => {
    expect(line(filter(on, '{ empty emptyAnd signed }', anonymous).text)).toBe('{ empty emptyAnd }')
  })

  it('demands a token for @authenticated, and scopes in addition', () => {
    expect(line(filter(on, '{ signed both }', caller()).text)).toBe('{ signed }')
    expect(line(filter(on, '{ signed both }', caller('a')).text)).toBe('{ signed both }')
    expect(filter(on, '{ signed both }', anonymous).allowed).toBeNull()
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
    expect(line(filter(on, query, anonymous, 'A').text)).toBe('query A { ... on Query { u } }')
  })

  it('drops a fragment on a refused type, its spreads and its definition', () => {
    const query = '{ topProducts { type } itf { ...F } } fragment F on User { id2: id name }'
    expect(line(filter(shop, query, caller()).text)).toBe('{ topProducts { type } }')
    expect(line(filter(shop, query, caller('read:user')).text)).toBe(
      '{ topProducts { type } itf { __typename ... on User { id2: id } } }',
    )
  })

  it('removes inline fragments that become empty, with their directives and variables', () => {
    const query =
      'query Q($x: Boolean!, $y: Boolean!) { topProducts { type ... @include(if: $x) { internal } ... @skip(if: $y) { price } } }'
    expect(line(filter(shop, query, caller()).text)).toBe(
      'query Q($y: Boolean!) { topProducts { type price @skip(if: $y) } }',
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

  it('keeps what is left of fragments within fragments, and the variables that only those use', () => {
    const on = stage(`
      type Query { a: Int @authenticated  t(v: Int): T }
      type T { b(v: Int): Int  c(v: Int): Int @authenticated  t: T }
    `)
    const query = `
      query ($s: Int, $t: Int, $u: Int, $v: Int, $w: Int) { a ...F ...F }
      fragment F on Query { t(v: $t) { ...G } }
      fragment G on T { b(v: $u) c(v: $v) t { ...H ...H ...I } }
      fragment H on T { b(v: $w) }
      fragment I on T { c(v: $s) }
    `
    expect(line(filter(on, query, anonymous).text)).toBe(
      line(`
        query ($t: Int, $u: Int, $w: Int) {
          ... on Query { t(v: $t) { ... on T { b(v: $u) t { ... on T { b(v: $w) } } } } }
        }
      `),
    )
  })

  it('looks through each once, however often they are spread', () => {
    const on = stage('type Query { a: Int @authenticated  b: Int  q: Query }')
    const deep = Array.from(
      { length: 60 },
      (_, index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`,
    )
    const { text, refused } = filter(
      on,
      `{ ...F0 } ${deep.join(' ')} fragment F60 on Query { a b }`,
      anonymous,
    )
    expect(line(text)).toBe('{ ... on Query { b } }')
    expect(refused).toEqual(['Query.a'])
  })

  it('keeps the fragments and variables of introspection', () => {
    const on = stage('type Query @authenticated { a: Int }')
    const query = `query ($d: Boolean, $n: String!) { a __schema { types { ...T } } __type(name: $n) { ...T } } fragment T on __Type { ...N fields(includeDeprecated: $d) { name } } fragment N on __Type { name }`
    const left = normalisedOf(on.schema, query.replace('{ a ', '{ '))
    expect(filter(on, query, anonymous).text).toBe(print(documentOf(left)))
    const introspection = normalisedOf(on.schema, getIntrospectionQuery())
    const { allowed } = filteredFor(on, getIntrospectionQuery(), anonymous)
    expect(allowed === null ? '' : print(documentOf(allowed))).toBe(print(documentOf(introspection)))
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
    const filtered = filteredFor(on, document, anonymous)
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
    const filtered = filteredFor(on, document, anonymous)
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
      '{ list { ... on List { edges { __typename } } } list { ... on List { total } } }',
    )
  })

  it('keeps nothing if nothing is wanted', () => {
    expect(filter(on, '{ list { edges { node { secret } } } }', anonymous).allowed).toBeNull()
  })

  it('does not run a mutation with nothing to show, and runs the others', () => {
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
