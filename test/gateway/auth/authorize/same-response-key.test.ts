/** What is left of fields that share a response key, or of whose fields nothing is left. */

import { parse, print } from 'graphql'
import { describe, expect, it } from 'vitest'
import type { NormalisedField } from '../../../../engine/operation/normalised.ts'
import { type Decision, openToAll } from '../../../../gateway/auth/authorize/decision.ts'
import { findFieldSites } from '../../../../gateway/auth/authorize/field-sites.ts'
import { findExceptions } from '../../../../gateway/auth/authorize/same-response-key.ts'
import { anonymous } from '../../../../shared/identity.ts'
import { documentOf, normalisedOf } from '../../../support/normalised.ts'
import { caller, filter, filteredFor, line, namesOf, stage } from './kit.ts'

const on = stage(`
  type Query { open: W  shut: W @authenticated  i: I  v: Video  free: Int }
  type W { i: I  v: Video }
  interface I { id: ID  x: Int  sub: Video }
  type A implements I { id: ID @authenticated  x: Int  sub: Video  secret: Int @authenticated }
  type B implements I { id: ID  x: Int  sub: Video }
  type Video { title: Int  edges: [Edge!]!  user: User  secret: Int @authenticated }
  type Edge { secret: Int @authenticated  node: Int }
  type User { name: Int  secret: Int @authenticated }
`)

/** What may run, in one line, and what is refused. */
function left(query: string): [text: string, ...refused: string[]] {
  const { text, refused } = filter(on, query, anonymous)
  return [line(text), ...refused]
}

/** The same of what is too long for graphql-js to validate, or not valid. */
function leftOfAny(query: string): [text: string, ...refused: string[]] {
  const document = parse(query, { noLocation: true })
  const filtered = filteredFor(on, document, anonymous)
  const { allowed } = filtered
  return [allowed === null ? '' : line(print(documentOf(allowed))), ...namesOf(on, document, filtered)]
}

describe('a field that another one asks for as well', () => {
  it('is opened for the types of that one', () => {
    expect(left('{ i { id ... on B { id } } }')).toEqual(['{ i { __typename ... on B { id id } } }', 'A.id'])
    // Of the very same type: nothing is left to be narrowed down.
    const types = stage(`
      type Query { i: I }
      interface I { id: ID }
      type A implements I @authenticated { id: ID }
      type B implements I { id: ID  own: Int }
    `)
    const { text, refused } = filter(types, '{ i { id } i { ... on B { own } } }', anonymous)
    expect(line(text)).toBe('{ i { __typename ... on B { id } } i { __typename ... on B { own } } }')
    expect(refused).toEqual(['A.id'])
  })

  it('is not opened by fields below a refused field', () => {
    expect(
      left('{ open { ...F } shut { ...F i { ... on B { id } } } } fragment F on W { i { id x } }'),
    ).toEqual(['{ open { ... on W { i { x } } } }', '*.id', 'Query.shut'])
  })

  it('is not opened if both are refused', () => {
    expect(left('{ i { x id ... on A { id } } }')).toEqual(['{ i { __typename x } }', '*.id', 'A.id'])
  })

  it('stays shut in an operation that gives the key to another field of the type, which is not valid', () => {
    expect(leftOfAny('{ i { ... on A { x: secret } ... on A { x } } }')).toEqual([
      '{ i { __typename ... on A { x } } }',
      'A.secret',
    ])
  })

  it('is not compared with each of the others, however many there are', () => {
    const fields = 1_000
    const query = parse(`{ i { ${'id '.repeat(fields)} ... on B { id } } }`, { noLocation: true })
    const selection = findFieldSites(on.schema, normalisedOf(on.schema, query))
    let decided = 0
    const decision = ({ parent }: NormalisedField): Decision => {
      decided += 1
      return parent === 'I' ? { ...openToAll, open: [] } : openToAll
    }
    const open = { whole: [], around: [], byType: new Map([['B', []]]) }
    const gates = new Map([...selection.sites.keys()].map((field) => [field, open]))
    const found = findExceptions(selection, gates, decision, () => true, new Map())
    expect([...(found ?? [])]).toHaveLength(fields)
    expect([...(found?.values() ?? [])].every((types) => [...types].join() === 'B')).toBe(true)
    expect(decided).toBeLessThan(10 * fields)
  })
})

describe('a field with nothing left', () => {
  it('is not reported if another one requests the same object', () => {
    expect(left('{ v { secret } v { title } }')).toEqual(['{ v { title } }', 'Video.secret'])
    expect(left('{ ...F v { title } } fragment F on Query { v { secret } }')).toEqual([
      '{ v { title } }',
      'Video.secret',
    ])
  })

  it('is named if none does', () => {
    expect(left('{ v { secret } free }')).toEqual(['{ free }', 'Query.v > secret', 'Video.secret'])
    expect(left('{ v { secret } v { user { secret } } free }')).toEqual([
      '{ free }',
      'Query.v > secret',
      'Query.v > user.secret',
      'User.secret',
      'Video.secret',
      'Video.user > secret',
    ])
  })

  it('is named if another one requests only some of the types', () => {
    expect(left('{ i { sub { secret } ... on A { sub { title } } } }')).toEqual([
      '{ i { ... on A { sub { title } } } }',
      '*.sub > secret',
      'Video.secret',
    ])
  })

  it('is named if another one requests it only at one of its places', () => {
    const query = (second: string): string =>
      `{ a: v { title ...F } b: v { title ...F ${second} } } fragment F on Video { user { secret } }`
    expect(left(query('user { name }'))).toEqual([
      '{ a: v { title } b: v { title user { name } } }',
      'User.secret',
      'Video.user > secret',
    ])
  })

  it('stays for a non-null part of it, if another one requests the object', () => {
    expect(left('{ v { edges { secret } } v { title } }')).toEqual([
      '{ v { edges { __typename } } v { title } }',
      'Edge.secret',
    ])
    // A field that is refused for all types is nothing that would be left out.
    expect(left('{ i { id } i { x } }')[0]).toBe('{ i { x } }')
    // Nothing of the object is left here, so that it is null as a whole.
    expect(left('{ v { edges { secret } } v { secret } free }')).toEqual([
      '{ free }',
      'Edge.secret',
      'Query.v > edges.secret',
      'Query.v > secret',
      'Video.edges > secret',
      'Video.secret',
    ])
    expect(left('{ v { edges { secret } } free }')[0]).toBe('{ free }')
  })

  it('stays also if only fragments show that something is wanted', () => {
    const kept = 'v { title edges { __typename } }'
    expect(left('{ ... { v { title edges { secret } } } }')[0]).toBe(`{ ${kept} }`)
    expect(left('{ ...F } fragment F on Query { v { title edges { secret } } }')[0]).toBe(
      `{ ... on Query { ${kept} } }`,
    )
    expect(
      left(
        '{ ...E ...F ...E } fragment E on Query { v { edges { secret } } } fragment F on Query { v { title } }',
      )[0],
    ).toBe('{ ... on Query { v { edges { __typename } } v { title } } }')
  })
})

describe('an object is asked for its type', () => {
  it('if it decides what is refused', () => {
    expect(left('{ i { x ... on A { secret } } }')[0]).toBe('{ i { __typename x } }')
    expect(left('{ i { x ...F } } fragment F on A { secret }')[0]).toBe('{ i { __typename x } }')
    // Of what is left empty as well.
    expect(left('{ i { x ... on A { sub { secret } } } }')[0]).toBe('{ i { __typename x } }')
  })

  it('by each that asks for the object', () => {
    expect(left('{ i { x } i { ... on A { secret } } }')[0]).toBe('{ i { __typename x } }')
    expect(left('{ i { x } i { id: x ... on A { secret } } }')[0]).toBe(
      '{ i { __typename x } i { __typename id: x } }',
    )
  })

  it('not if it is the same for all types', () => {
    expect(left('{ i { x id } }')[0]).toBe('{ i { x } }')
    expect(left('{ i { x sub { secret } } }')[0]).toBe('{ i { x } }')
    expect(left('{ v { title secret } }')[0]).toBe('{ v { title } }')
  })

  it('not twice, and under another key if its own is taken', () => {
    expect(left('{ i { x __typename ... on A { secret } } }')[0]).toBe('{ i { x __typename } }')
    // Whatever the client's conditions are.
    const sometimes = 'query ($x: Boolean!) { i { x __typename @include(if: $x) ... on A { secret } } }'
    expect(left(sometimes)[0]).toBe('query ($x: Boolean!) { i { __typename x __typename @include(if: $x) } }')
    expect(left('{ i { x type: __typename ... on A { secret } } }')[0]).toBe(
      '{ i { __typename x type: __typename } }',
    )
  })

  it('not only for what depends on it below a refused field', () => {
    const query = '{ open { ...F } shut { ...F i { ... on A { secret } } } } fragment F on W { i { x } }'
    expect(left(query)[0]).toBe('{ open { ... on W { i { x } } } }')
  })
})

describe('an operation that is too wide to be walked', () => {
  const wide = (fields: number): string => 'free '.repeat(fields)
  const short = (text: string): string => text.replaceAll('free ', '')

  it('has no exceptions, and keeps what is left empty and must not be null', () => {
    const query = (fields: number): string =>
      `{ ${wide(fields)} v { edges { secret } } v { title } i { id ... on B { id } x } }`
    const [few, ...refused] = leftOfAny(query(19_980))
    expect(short(few)).toBe(
      '{ v { edges { __typename } } v { title } i { __typename ... on B { id id } x } }',
    )
    expect(refused).toContain('A.id')
    const [many, ...more] = leftOfAny(query(20_001))
    expect(short(many)).toBe('{ v { title } i { ... on B { id } x } }')
    expect(more).toContain('*.id')
    const [kept, ...others] = leftOfAny(`{ ${wide(20_001)} v { title edges { secret } } }`)
    expect(short(kept)).toBe('{ v { title edges { __typename } } }')
    expect(others).toContain('Edge.secret')
  })
})

it('fragments are looked through once each, however often they are spread', () => {
  const deep = Array.from(
    { length: 60 },
    (_, index) => `fragment F${index} on I { ...F${index + 1} ...F${index + 1} }`,
  )
  const query = `{ i { x ...F0 } } ${deep.join(' ')} fragment F60 on I { id y: x }`
  expect(left(query)[0]).toBe('{ i { x ... on I { y: x } } }')
  expect(filter(on, query, caller()).refusals).toEqual([])
})
