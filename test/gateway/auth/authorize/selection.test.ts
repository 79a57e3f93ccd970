/** What an operation selects, node by node. */
import { buildSchema, type FieldNode, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { type FieldSite, type Selection, select } from '../../../../gateway/auth/authorize/selection.ts'

const schema = buildSchema(`
  type Query { i: I  u: U  a: A  n: Int! }
  interface I { id: ID  list: [Int] }
  interface J implements I { id: ID  list: [Int] }
  type A implements I { id: ID  list: [Int!]!  own: I }
  type B implements I & J { id: ID  list: [Int] }
  union U = A | B
`)

const selected = (query: string, name?: string): Selection => select(schema, parse(query), name)

/** The sites by the response keys of their nodes, which the queries give once each. */
function sitesIn(query: string): Map<string, Omit<FieldSite, 'node'>> {
  const key = ({ alias, name }: FieldNode): string => (alias ?? name).value
  return new Map([...selected(query).sites.values()].map(({ node, ...site }) => [key(node), site]))
}

describe('the operation', () => {
  const two = 'query A { i { id } } query B { n }'

  it.each([
    ['A', two, 'A'],
    ['B', two, 'B'],
    ['B', '{ __typename } query B { n }', 'B'],
    [undefined, 'query A { n }', undefined],
    [undefined, '{ n }', ''],
  ])('named %s is taken', (_, query, name) => {
    const { operation, rootType } = selected(query, name)
    if (name) expect(operation.name?.value).toBe(name)
    expect(rootType).toBe('Query')
  })

  it.each([
    [two, undefined, 'expected one operation, found 2'],
    [two, '', 'expected one operation, found 2'],
    [two, 'C', 'expected one operation named C, found 0'],
    ['query A { n } query A { n }', 'A', 'expected one operation named A, found 2'],
    ['fragment F on I { id }', undefined, 'expected one operation, found 0'],
    ['mutation { n }', undefined, 'the schema has no mutation type'],
    ['{ nothing }', undefined, 'Query has no field nothing'],
    ['{ u { id } }', undefined, 'U has no field id'],
  ])('is refused where it is not one that may run: %s %s', (query, name, message) => {
    expect(() => selected(query, name)).toThrow(message)
  })
})

describe('a field', () => {
  it('stands on the type that it is asked of, through inline fragments with and without conditions', () => {
    const sites = sitesIn(
      '{ i { one: id ... on A { two: id ... { three: id ... on I { four: id } } } ... @include(if: true) { five: id } } }',
    )
    const at = (key: string) => [sites.get(key)?.parent, sites.get(key)?.conditions]
    expect(at('i')).toEqual(['Query', ['Query']])
    expect(at('one')).toEqual(['I', []])
    expect(at('two')).toEqual(['A', ['A']])
    expect(at('three')).toEqual(['A', ['A']])
    expect(at('four')).toEqual(['I', ['A', 'I']])
    expect(at('five')).toEqual(['I', []])
    expect(['i', 'one', 'two', 'four'].map((key) => sites.get(key)?.parentIsAbstract)).toEqual([
      false,
      true,
      false,
      true,
    ])
  })

  it('stands on the condition of its fragment, whatever spreads it', () => {
    const { fragments, sites } = selected(
      '{ u { ...F } i { ... on A { ...F } } n } fragment F on A { ...G own { ...F2 } } fragment G on I { id } fragment F2 on I { id } fragment Unused on A { id }',
    )
    expect([...fragments.keys()].sort()).toEqual(['F', 'F2', 'G'])
    expect([...sites.values()].map(({ parent, node }) => `${parent}.${node.name.value}`).sort()).toEqual([
      'A.own',
      'I.id',
      'I.id',
      'Query.i',
      'Query.n',
      'Query.u',
    ])
    const own = [...sites.values()].find(({ node }) => node.name.value === 'own')
    expect(own?.conditions).toEqual(['A'])
  })

  it('is of the root where it stands on the root type, in fragments as well', () => {
    const sites = sitesIn(
      '{ i { id ...G } ... on Query { n } ...F } fragment F on Query { a { own { x: id } } } fragment G on I { y: id }',
    )
    expect(['i', 'n', 'a', 'id', 'own', 'x', 'y'].map((key) => sites.get(key)?.rootOf)).toEqual([
      'query',
      'query',
      'query',
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('returns a type', () => {
    const sites = sitesIn('{ n a { id list own { __typename } } u { t: __typename } }')
    expect(['n', 'a', 'id', 'list', 'own', 't', 'u'].map((key) => sites.get(key)?.output)).toEqual([
      'Int',
      'A',
      'ID',
      'Int',
      'I',
      'String',
      'U',
    ])
  })

  it('must not be null where it must not in one of the types that can stand there', () => {
    const sites = sitesIn(
      '{ n i { abstract: list id } a { object: list } u { ... on B { nullable: list } ... on J { other: list } } }',
    )
    expect(
      ['n', 'abstract', 'id', 'object', 'nullable', 'other'].map((key) => sites.get(key)?.nonNull),
    ).toEqual([true, true, false, true, false, false])
  })

  it('selects others itself, or through fragments alone', () => {
    const sites = sitesIn(`{
      direct: i { __typename id ... on A { list } }
      fragments: i { __typename ... on A { id } ...F }
      typed: i { __typename }
      n
    } fragment F on I { id }`)
    expect(['direct', 'fragments', 'typed', 'n'].map((key) => sites.get(key)?.selectsDirectly)).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})

it('introspection is selected as other fields are, with the fragments that it uses', () => {
  const { fragments, sites } = selected(
    '{ __schema { types { ...T } } __type(name: "A") { ...T } } fragment T on __Type { name ofType { ...N } } fragment N on __Type { kind }',
  )
  expect([...fragments.keys()].sort()).toEqual(['N', 'T'])
  expect([...sites.values()].map(({ node, meta, output }) => [node.name.value, meta, output]).sort()).toEqual(
    [
      ['__schema', true, '__Schema'],
      ['__type', true, '__Type'],
      ['kind', false, '__TypeKind'],
      ['name', false, 'String'],
      ['ofType', false, '__Type'],
      ['types', false, '__Type'],
    ],
  )
})

it('a type stands for the objects that it can be', () => {
  const { possible } = selected('{ n }')
  expect(possible('I')).toEqual(['A', 'B'])
  expect(possible('U')).toEqual(['A', 'B'])
  expect(possible('J')).toEqual(['B'])
  expect(possible('A')).toEqual(['A'])
  expect(possible('Int')).toEqual(['Int'])
})
