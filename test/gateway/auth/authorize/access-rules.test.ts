/** The rules that are read from a supergraph, by the place that they guard. */
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import {
  type AccessRequirements,
  distinctRequirements,
  type Rules,
  readRules,
} from '../../../../gateway/auth/authorize/access-rules.ts'
import { allOf, scopeClaim } from '../../../../gateway/auth/authorize/requirement.ts'

const read = (sdl: string): Rules => readRules(parse(sdl, { noLocation: true }))

const scopes = (...names: string[]): string => `@requiresScopes(scopes: [${JSON.stringify(names)}])`

/** Requirements in short, each by its alternatives, with claims by their names alone. */
const inShort = (requirements: AccessRequirements): string[] =>
  requirements.map((requirement) =>
    requirement.map((claims) => claims.map((claim) => claim.replace(/^\w+:/, '')).join(' and ')).join(' or '),
  )

describe('one rule', () => {
  const ruleOf = (rule: string): string[] =>
    inShort(read(`type Query { a: Int ${rule} }`).fieldRequirements('Query', 'a'))

  it.each([
    ['@requiresScopes(scopes: [["a", "b"], ["c"]])', ['c or a and b']],
    // A list of strings, or one string, as scalars are coerced to lists.
    ['@requiresScopes(scopes: ["a", "b"])', ['a or b']],
    ['@requiresScopes(scopes: "a")', ['a']],
    ['@policy(policies: [["p", "q"]])', ['p and q']],
    ['@policy(policies: "p")', ['p']],
    ['@authenticated', ['authenticated']],
    ['@stepUp(maxAge: 60)', ['authenticated and [[],60]']],
    [`@authenticated ${scopes('a')} @deprecated`, ['authenticated', 'a']],
  ])('%s', (rule, expected) => {
    expect(ruleOf(rule)).toEqual(expected)
  })

  it.each([
    '@requiresScopes',
    '@requiresScopes(scopes: 1)',
    '@requiresScopes(scopes: [])',
    '@requiresScopes(scopes: [[]])',
    '@requiresScopes(scopes: [["a"], []])',
    '@policy(policies: [1])',
    '@requiresScopes(other: [["a"]])',
    '@deprecated',
  ])('demands nothing: %s', (rule) => {
    expect(ruleOf(rule)).toEqual([])
  })

  it('ignores what is not a string among alternatives and among scopes, as Apollo Router does', () => {
    expect(ruleOf('@requiresScopes(scopes: [1, ["a", 2], A])')).toEqual(['a'])
  })
})

describe('a rule on a type', () => {
  it.each([
    ['type T', 'type T @authenticated { x: Int }'],
    ['interface T', 'interface T @authenticated { x: Int }'],
    ['union T', 'union T @authenticated = Query'],
    ['scalar T', 'scalar T @authenticated'],
    ['enum T', 'enum T @authenticated { A }'],
    ['type T', 'type T { x: Int } extend type T @authenticated'],
    ['interface T', 'interface T { x: Int } extend interface T @authenticated'],
    ['union T', 'union T = Query extend union T @authenticated'],
    ['scalar T', 'scalar T extend scalar T @authenticated'],
    ['enum T', 'enum T { A } extend enum T @authenticated'],
  ])('guards %s, and fields that return it: %s', (_, sdl) => {
    const rules = read(`type Query { t: [T!]!  free: Int } ${sdl}`)
    expect(inShort(rules.typeRequirements('T'))).toEqual(['authenticated'])
    expect(inShort(rules.ownTypeRequirements('T'))).toEqual(['authenticated'])
    expect(inShort(rules.fieldRequirements('Query', 't'))).toEqual(['authenticated'])
    expect(inShort(rules.ownFieldRequirements('Query', 't'))).toEqual(['authenticated'])
    expect(rules.fieldRequirements('Query', 'free')).toEqual([])
    expect(rules.ownFieldRequirements('Query', 'free')).toEqual([])
    expect(rules.claims).toEqual(['authenticated'])
  })

  it('adds up over its definition and its extensions, with the rules of fields that they bring', () => {
    const rules = read(`
      type Query { t: T ${scopes('c')} }
      type T ${scopes('a')} { x: Int }
      extend type T ${scopes('b')} { y: Int ${scopes('c')} }
    `)
    expect(inShort(rules.typeRequirements('T'))).toEqual(['a', 'b'])
    expect(inShort(rules.fieldRequirements('T', 'y'))).toEqual(['c'])
    expect(inShort(rules.fieldRequirements('Query', 't'))).toEqual(['c', 'a', 'b'])
    expect(inShort(rules.ownFieldRequirements('Query', 't'))).toEqual(['c', 'a', 'b'])
    expect(rules.claims).toEqual(['a', 'b', 'c'].map(scopeClaim))
  })

  it('that a field repeats counts once', () => {
    const rules = read(`type Query { t: T ${scopes('a')} } type T ${scopes('a')} { x: Int }`)
    expect(inShort(rules.fieldRequirements('Query', 't'))).toEqual(['a'])
    expect(inShort(rules.ownFieldRequirements('Query', 't'))).toEqual(['a'])
  })

  it('does not count on inputs, arguments and directives', () => {
    const rules = read(`
      schema @authenticated { query: Query }
      directive @x(y: Int @authenticated) on FIELD
      type Query { a(i: In @authenticated): Int }
      input In @authenticated { x: Int @authenticated }
    `)
    expect(rules.claims).toEqual([])
    expect(rules.typeRequirements('In')).toEqual([])
    expect(rules.fieldRequirements('In', 'x')).toEqual([])
    expect(rules.fieldRequirements('Query', 'a')).toEqual([])
  })
})

describe('inheritance', () => {
  it('binds implementers by the rules of an interface and its fields, and tells them apart from own ones', () => {
    const rules = read(`
      type Query { a: A }
      interface I ${scopes('type')} { x: Int ${scopes('field')}  y: Int }
      type A implements I { x: Int ${scopes('own')}  y: Int }
    `)
    expect(inShort(rules.typeRequirements('A'))).toEqual(['type'])
    expect(rules.ownTypeRequirements('A')).toEqual([])
    expect(inShort(rules.fieldRequirements('A', 'x'))).toEqual(['own', 'field'])
    expect(inShort(rules.ownFieldRequirements('A', 'x'))).toEqual(['own'])
    expect(rules.fieldRequirements('A', 'y')).toEqual([])
    expect(inShort(rules.fieldRequirements('Query', 'a'))).toEqual(['type'])
    expect(rules.ownFieldRequirements('Query', 'a')).toEqual([])
  })

  it('leaves out what composers sum up on the interface from rules of the implementers', () => {
    const rules = read(`
      type Query { i: I }
      interface I ${scopes('a', 'b')} { x: Int ${scopes('c', 'd')} }
      type A implements I ${scopes('a')} { x: Int ${scopes('c')} }
      type B implements I ${scopes('b')} { x: Int ${scopes('d')} }
    `)
    expect(inShort(rules.typeRequirements('A'))).toEqual(['a'])
    expect(inShort(rules.fieldRequirements('A', 'x'))).toEqual(['c'])
    expect(inShort(rules.fieldRequirements('B', 'x'))).toEqual(['d'])
  })

  it('holds if the rules of the implementers are too many to be summed up', () => {
    // Ten rules of two alternatives each: 1,024 alternatives in all.
    const types = Array.from({ length: 10 }, (_, index) => index)
    const alternatives = (index: number): string => `@requiresScopes(scopes: [["l${index}"], ["r${index}"]])`
    const rules = read(`
      type Query { i: I }
      interface I @authenticated { x: Int }
      ${types.map((index) => `type T${index} implements I ${alternatives(index)} { x: Int }`).join('\n')}
    `)
    expect(
      allOf(distinctRequirements(types.flatMap((index) => rules.ownTypeRequirements(`T${index}`)))),
    ).toBeUndefined()
    expect(inShort(rules.typeRequirements('T3'))).toEqual(['l3 or r3', 'authenticated'])
  })

  it('knows the implementers of each interface, also those that an extension adds', () => {
    const rules = read(`
      type Query { i: I }
      interface I { x: Int }
      interface J implements I { x: Int }
      type A implements I & J { x: Int }
      type B { x: Int }
      extend type B implements I
    `)
    expect(rules.implementers('I')).toEqual(['J', 'A', 'B'])
    expect(rules.implementers('J')).toEqual(['A'])
    expect(rules.implementers('A')).toEqual([])
    expect(['I', 'J', 'A', 'Query', 'Int', 'Nowhere'].filter((type) => rules.isInterface(type))).toEqual([
      'I',
      'J',
    ])
  })
})

it('has none for unknown names', () => {
  const rules = read('type Query @authenticated { a: Int @authenticated }')
  expect(rules.typeRequirements('Nowhere')).toEqual([])
  expect(rules.ownTypeRequirements('Nowhere')).toEqual([])
  expect(rules.fieldRequirements('Nowhere', 'a')).toEqual([])
  expect(rules.ownFieldRequirements('Nowhere', 'a')).toEqual([])
  expect(rules.fieldRequirements('Query', 'nothing')).toEqual([])
  expect(rules.ownFieldRequirements('Query', 'nothing')).toEqual([])
})
