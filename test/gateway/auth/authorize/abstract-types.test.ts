/** Rules on and behind interfaces and unions, as Apollo Router reads them and type by type. */
import { describe, expect, it } from 'vitest'
import type { Grant } from '../../../../gateway/auth/authorize/index.ts'
import { anonymous } from '../../../../shared/identity.ts'
import { analyze, caller, filter, line, stage } from './kit.ts'

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

  it('refuses a field selected on the interface as soon as one implementer refuses it', () => {
    expect(line(filter(fields, query, caller()).text)).toBe('{ test itf { other } }')
    expect(line(filter(fields, query, caller('a', 'b')).text)).toBe('{ test itf { other } }')
    expect(line(filter(fields, query, caller('a', 'b', 'c', 'd')).text)).toBe('{ test itf { id other } }')
    expect(filter(fields, query, caller('a', 'b')).refused).toEqual(['*.id'])
  })

  it('judges each implementer separately if the operation selects by type', () => {
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

  it('lets fragments by type and __typename through if the implementers differ', () => {
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

  it('leaves a field unchanged that is open for all types, if others are refused', () => {
    const all = '{ test itf { id } }'
    const withOther = stage(`
      type Query { test: String @requiresScopes(scopes: [["t"]])  itf: I! }
      interface I { id: ID }
      type A implements I { id: ID @requiresScopes(scopes: [["a"]]) }
      type B implements I { id: ID @requiresScopes(scopes: [["b"]]) }
    `)
    expect(line(filter(withOther, all, caller('a', 'b')).text)).toBe('{ itf { id } }')
  })

  it('refuses a field by the rules of the interface, also if no implementer repeats them', () => {
    const on = stage(`
      type Query { i: I }
      interface I { x: J }
      interface J @requiresScopes(scopes: [["k", "l"]]) { y: Int }
      type A implements I { x: K }
      type K implements J @requiresScopes(scopes: [["k"]]) { y: Int }
      type L implements J @requiresScopes(scopes: [["l"]]) { y: Int }
    `)
    const { allowed, refused } = filter(on, '{ i { x { ... on K { y } } } }', caller('k'))
    expect(allowed).toBeNull()
    expect(refused).toEqual(['*.x', 'Query.i > x'])
    expect(line(filter(on, '{ i { ... on A { x { y } } } }', caller('k', 'l')).text)).toBe(
      '{ i { ... on A { x { y } } } }',
    )
  })

  it('refuses for all types what each of them has from another interface', () => {
    const on = stage(`
      type Query { i: I  free: Int }
      interface I { x: Int }
      interface K { x: Int @requiresScopes(scopes: [["k"]]) }
      interface L { x: Int @requiresScopes(scopes: [["l"]]) }
      type A implements I & K { x: Int }
      type B implements I & L { x: Int }
    `)
    const [refusal] = filter(on, '{ i { x } free }', caller()).refusals
    expect(refusal).toMatchObject({
      parentType: '*',
      message: 'I.x requires `k` and `l`. This caller lacks them.',
    })
  })

  it('refuses a field that selects fields of the interface beside fragments', () => {
    const mixed = '{ test itf { id ... on A { a } } }'
    expect(line(filter(types, mixed, caller('a', 'b')).text)).toBe('{ test }')
    expect(line(filter(types, '{ test itf { ... on A { id a } } }', caller('a', 'b')).text)).toBe(
      '{ test itf { ... on A { id a } } }',
    )
  })

  it('refuses selections below a fragment with the rules of each type around it', () => {
    const on = stage(`
      type Query { u: U  free: Int }
      union U = A | B
      interface I { id: ID }
      interface G @requiresScopes(scopes: [["g"]]) { id: ID }
      type A implements I & G @requiresScopes(scopes: [["a"]]) { id: ID }
      type B implements I { id: ID }
    `)
    const nested = '{ free u { ... on A { ... on I { id } } } }'
    expect(filter(on, nested, caller('a'))).toMatchObject({ refused: ['*.id', 'Query.u > id'] })
    expect(line(filter(on, nested, caller('a', 'g')).text)).toBe(nested)
    // A type name as well: one of the two fragments is not open.
    const typed = '{ u { ... on A { ... on I { __typename } } ... on B { __typename } } }'
    expect(filter(on, '{ free u { ... on I { ... on A { __typename } } } }', caller('a'))).toMatchObject({
      refused: ['Query.u > __typename'],
    })
    expect(line(filter(on, typed, caller('a')).text)).toBe(typed.replace('{ u {', '{ u { __typename'))
    expect(line(filter(on, typed, caller('a', 'g')).text)).toBe(typed)
  })

  it('refuses an operation of which too much would remain, once for each open type at every level', () => {
    const nested = stage(`
      type Query { start: Start }
      type Start { itf: I }
      interface I { next: I  name: String }
      type A implements I { next: I  name: String }
      type B implements I { next: I  name: String }
      type C implements I { next: I  name: String }
      type D implements I @authenticated { next: I  name: String }
    `)
    const inFragments = (levels: number): string => {
      const fragments = Array.from(
        { length: levels },
        (_, level) => `fragment F${level} on I { next { ...F${level + 1} } }`,
      )
      return `{ start { itf { ...F0 } } } ${fragments.join(' ')} fragment F${levels} on I { name }`
    }
    const inline = (levels: number): string => {
      let below = '... on I { name }'
      for (let level = 0; level < levels; level++) below = `... on I { next { ${below} } }`
      return `{ start { itf { ${below} } } }`
    }
    const refused = expect.objectContaining({
      extensions: expect.objectContaining({ code: 'OPERATION_TOO_LARGE' }),
    })
    const guest = { ...caller(), authenticated: false }
    for (const query of [inline, inFragments]) {
      expect(() => filter(nested, query(19), guest)).toThrow(refused)
      // What would be refused can be told nevertheless.
      const requirements = analyze(nested, query(19))
      expect(requirements.filter(requirements.grant(guest) as Grant).refusals.length).toBeGreaterThan(0)
      expect(line(filter(nested, query(1), guest).text)).toContain('... on C { next {')
      // A caller for whom all types are open gets what was requested.
      expect(filter(nested, query(19), caller()).refused).toEqual([])
    }
  })

  it('says at each type what is required, if another place opens some of them', () => {
    const { refusals } = filter(fields, '{ itf { id ... on B { id } } }', caller('c', 'd'))
    expect(refusals.map(({ parentType, message }) => `${parentType}: ${message}`)).toEqual([
      'A: A.id requires `a`, `b`, `c` and `d`. This caller lacks `a` and `b`.',
    ])
    const [whole] = filter(fields, '{ itf { id } }', caller('c', 'd')).refusals
    expect(whole).toMatchObject({
      parentType: '*',
      message: 'I.id requires `a`, `b`, `c` and `d`. This caller lacks `a` and `b`.',
    })
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
