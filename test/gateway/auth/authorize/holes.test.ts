/** Ways around the rules that other engines have left open, each shut here. */
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { createAuthorizer } from '../../../../gateway/auth/authorize/index.ts'
import { anonymous } from '../../../../shared/identity.ts'
import { normalisedOf } from '../../../support/normalised.ts'
import { answer, caller, filter, filteredFor, line, resolverOf, stage } from './kit.ts'

describe('a rule on an interface', () => {
  const on = stage(`
    type Query { i: I  a: A  b: B }
    interface I { id: ID  secret: Int @requiresScopes(scopes: [["s"]]) }
    type A implements I { id: ID  secret: Int }
    type B implements I { id: ID  secret: Int }
  `)

  it('holds when it is asked through a fragment on the implementer', () => {
    expect(line(filter(on, '{ i { id ... on A { secret } } }', caller()).text)).toBe(
      '{ i { __typename id } }',
    )
    expect(line(filter(on, '{ a { id secret } b { x: secret } }', caller()).text)).toBe('{ a { id } }')
    expect(line(filter(on, '{ i { ... on A { secret } } }', caller('s')).text)).toBe(
      '{ i { ... on A { secret } } }',
    )
  })

  it('as a rule on the whole interface, holds for its implementers', () => {
    const types = stage(`
      type Query { u: U  a: A }
      interface I @authenticated { id: ID }
      type A implements I { id: ID }
      type B { id: ID }
      union U = A | B
    `)
    expect(filter(types, '{ a { id } }', anonymous).allowed).toBeNull()
    expect(line(filter(types, '{ u { ... on A { id } ... on B { id } } }', anonymous).text)).toBe(
      '{ u { __typename ... on B { id } } }',
    )
  })
})

describe('a rule on an implementer', () => {
  const on = stage(`
    type Query { u: U  i: I  a: A }
    interface I { id: ID }
    type A implements I @authenticated { id: ID }
    type B implements I { id: ID }
    type C { c: Int }
    union U = A | B | C
  `)

  it('holds when it is asked through the interface', () => {
    expect(filter(on, '{ i { id } }', anonymous).allowed).toBeNull()
  })

  it('holds when it is requested through a fragment on the interface, and does not affect the others', () => {
    for (const query of ['{ u { ... on I { id } } }', '{ u { ...F } } fragment F on I { id }']) {
      const { text, refused } = filter(on, query, anonymous)
      expect(line(text)).toContain('on I { ... on B { id } }')
      expect(refused).toEqual(['A.id'])
    }
    expect(line(filter(on, '{ i { ... { id } } }', anonymous).text)).toBe(
      '{ i { __typename ... on B { id } } }',
    )
    expect(line(filter(on, '{ i { ... on I { id } } }', anonymous).text)).toBe(
      '{ i { __typename ... on I { ... on B { id } } } }',
    )
  })

  it('holds behind a type that clients cannot name but that may stand behind the interface', () => {
    const seen = 'type Query { i: I } interface I { id: ID } type A implements I { id: ID }'
    const { schema } = stage(seen)
    const whole = stage(`${seen} type Hidden implements I @authenticated { id: ID }`)
    const authorizer = createAuthorizer(whole.supergraph, schema)
    expect(filter({ ...whole, schema, authorizer }, '{ i { id } }', anonymous).allowed).toBeNull()
  })
})

describe('a refused place beside an allowed one', () => {
  const on = stage(`
    type Query { i: I }
    interface I { id: ID  sub: S }
    type A implements I { id: ID @authenticated  sub: S @authenticated }
    type B implements I { id: ID  sub: S }
    type C implements I { id: ID  sub: S }
    type S { x: Int  y: Int }
  `)
  const resolve = resolverOf(on.schema)

  it.each(['every', 'some'] as const)('does not null it (a key is refused where %s place is)', (reading) => {
    const document = parse('{ i { id ... on B { id } } j: i { sub { x } ... on B { sub { y } } } }')
    const both = answer(on, document, filteredFor(on, document, anonymous), resolve, reading)
    // Whatever stands there: B is answered in full, A and C are refused as the Router refuses them.
    const typed = '{ i { __typename } j: i { __typename } }'
    const all = { allowed: normalisedOf(on.schema, typed), refusals: [] }
    const types = answer(on, parse(typed), all, resolve)
    const { i, j } = types.data as { i: { __typename: string }; j: { __typename: string } }
    const data = both.data as { i: { id: unknown }; j: { sub: unknown } }
    expect(data.i.id === null).toBe(i.__typename !== 'B')
    expect(data.j.sub === null).toBe(j.__typename !== 'B')
    expect(both.errors.length).toBe(Number(i.__typename !== 'B') + Number(j.__typename !== 'B'))
  })

  it('is opened for the types of the allowed place and for no others', () => {
    const { text, refused } = filter(on, '{ i { id ... on B { id } } }', anonymous)
    expect(line(text)).toBe('{ i { __typename ... on B { id id } } }')
    expect(refused).toEqual(['A.id', 'C.id'])
  })

  it('is not opened if the other place has another key', () => {
    expect(line(filter(on, '{ i { id ... on B { other: id } } }', anonymous).text)).toBe(
      '{ i { ... on B { other: id } } }',
    )
  })

  it('nulls nothing of a sibling fragment on another type', () => {
    const { text, refused } = filter(on, '{ i { ... on A { id } ... on B { id } } }', anonymous)
    expect(line(text)).toBe('{ i { __typename ... on B { id } } }')
    expect(refused).toEqual(['A.id'])
  })
})

describe('renamed directives', () => {
  const types =
    'type Query { a: Int @scopes(scopes: [["s"]])  b: Int @signedIn  c: Int @sec__pol(policies: [["p"]])  d: Int }'
  const query = '{ a b c d }'

  it('are read if an import renames them, or a whole feature has another name', () => {
    const on = stage(
      types,
      {},
      `schema
        @link(url: "https://specs.apollo.dev/link/v1.0")
        @link(url: "https://specs.apollo.dev/requiresScopes/v0.1", import: [{ name: "@requiresScopes", as: "@scopes" }], for: SECURITY)
        @link(url: "https://specs.apollo.dev/authenticated/v0.1", as: "signedIn", for: SECURITY)
        @link(url: "https://specs.apollo.dev/policy/v0.1", import: [{ name: "@policy", as: "@sec__pol" }])`,
    )
    expect(line(filter(on, query, anonymous).text)).toBe('{ d }')
    expect(line(filter(on, query, caller('s')).text)).toBe('{ a b d }')
  })

  it('are read from @core too, and from a link to the federation feature itself', () => {
    const core = stage(
      types,
      {},
      `schema
        @core(feature: "https://specs.apollo.dev/core/v0.2")
        @core(feature: "https://specs.apollo.dev/requiresScopes/v0.1", as: "scopes", for: SECURITY)
        @core(feature: "https://specs.apollo.dev/authenticated/v0.1", as: "signedIn")
        @core(feature: "https://specs.apollo.dev/policy/v0.1", as: "sec__pol")`,
    )
    expect(line(filter(core, query, anonymous).text)).toBe('{ d }')
    const federation = stage(
      'type Query { a: Int @scopes(scopes: [["s"]])  b: Int @federation__authenticated  d: Int }',
      {},
      `schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [{ name: "@requiresScopes", as: "@scopes" }])`,
    )
    expect(line(filter(federation, '{ a b d }', anonymous).text)).toBe('{ d }')
  })

  it('are read without any link: to ignore them would open what they shut', () => {
    const on = stage('type Query { a: Int @authenticated  d: Int }', {}, 'schema')
    expect(line(filter(on, '{ a d }', anonymous).text)).toBe('{ d }')
  })

  it('are not confused with a directive of another feature with that name', () => {
    const on = stage(
      'type Query { a: Int @policy(name: "x")  b: Int @pol(policies: [["p"]]) }',
      {},
      `schema
        @link(url: "https://specs.apollo.dev/policy/v0.1", import: [{ name: "@policy", as: "@pol" }])
        @link(url: "https://example.com/insurance/v1.0", import: ["@policy"])`,
    )
    expect(line(filter(on, '{ a b }', anonymous).text)).toBe('{ a }')
  })
})

describe('root rules', () => {
  it('are not bypassed by node: the rules of fields apply on the type as well', () => {
    const on = stage(`
      type Query { node(id: ID!): Node  message(id: ID!): Message @requiresScopes(scopes: [["read"]]) }
      interface Node { id: ID! }
      type Message implements Node { id: ID!  text: String @requiresScopes(scopes: [["read"]]) }
    `)
    expect(line(filter(on, '{ node(id: 1) { id ... on Message { text } } }', anonymous).text)).toBe(
      '{ node(id: 1) { __typename id } }',
    )
  })
})

describe('names of objects themselves', () => {
  it('are names like others: scopes and types called constructor or __proto__ open nothing', () => {
    const on = stage(`
      type Query { a: Int @requiresScopes(scopes: [["constructor"]])  b: Int @requiresScopes(scopes: [["__proto__"]])  c: constructor }
      type constructor @requiresScopes(scopes: [["toString"]]) { toString: Int }
    `)
    const query = '{ __proto__: a hasOwnProperty: b c { toString } }'
    expect(filter(on, query, anonymous).allowed).toBeNull()
    expect(line(filter(on, query, caller('__proto__')).text)).toBe('{ hasOwnProperty: b }')
  })
})
