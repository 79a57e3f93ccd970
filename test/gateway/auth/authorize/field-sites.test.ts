/** What the authorizer knows about the fields of an operation. */
import { buildSchema } from 'graphql'
import { expect, it } from 'vitest'
import {
  type FieldSite,
  type FieldSites,
  findFieldSites,
} from '../../../../gateway/auth/authorize/field-sites.ts'
import { normalisedOf } from '../../../support/normalised.ts'

const schema = buildSchema(`
  type Query { i: I  u: U  a: A  n: Int! }
  interface I { id: ID  list: [Int] }
  interface J implements I { id: ID  list: [Int] }
  type A implements I { id: ID  list: [Int!]!  own: I }
  type B implements I & J { id: ID  list: [Int] }
  union U = A | B
`)

const selected = (query: string): FieldSites => findFieldSites(schema, normalisedOf(schema, query))

/** The sites by the response keys of their fields, which the queries give once each. */
function sitesIn(query: string): Map<string, FieldSite> {
  return new Map([...selected(query).sites].map(([{ key }, site]) => [key, site]))
}

it.each([
  ['{ nothing }', 'Query has no field nothing'],
  ['{ u { id } }', 'U has no field id'],
  ['mutation { n }', 'Expected one operation of a kind that the schema has.'],
])('an operation that is not valid is refused: %s', (query, message) => {
  expect(() => selected(query)).toThrow(message)
})

it('a field may be selected on an abstract type', () => {
  const sites = sitesIn('{ i { one: id ... on A { two: id ... on I { four: id } } } }')
  expect(['i', 'one', 'two', 'four'].map((key) => sites.get(key)?.parentIsAbstract)).toEqual([
    false,
    true,
    false,
    true,
  ])
})

it('a field is non-null if it is non-null in one of the possible types', () => {
  const sites = sitesIn(
    '{ n i { abstract: list id } a { object: list } u { ... on B { nullable: list } ... on J { other: list } } }',
  )
  expect(
    ['n', 'abstract', 'id', 'object', 'nullable', 'other'].map((key) => sites.get(key)?.nonNull),
  ).toEqual([true, true, false, true, false, false])
})

it('introspection is selected as other fields are', () => {
  const { sites } = selected(
    '{ t: __typename __schema { types { ...T } } __type(name: "A") { ...T } } fragment T on __Type { name ofType { ...N } } fragment N on __Type { kind }',
  )
  expect(
    [...sites].map(([{ name, output }, { meta, nonNull }]) => [name, meta, output, nonNull]).sort(),
  ).toEqual([
    ['__schema', true, '__Schema', true],
    ['__type', true, '__Type', false],
    ['__typename', true, 'String', true],
    ['kind', false, '__TypeKind', true],
    ['name', false, 'String', false],
    ['ofType', false, '__Type', false],
    ['types', false, '__Type', true],
  ])
})

it('a type stands for the objects that it can be', () => {
  const { types } = selected('{ n }')
  const possible = (type: string) => types.possible(type).names
  expect(possible('I')).toEqual(['A', 'B'])
  expect(possible('U')).toEqual(['A', 'B'])
  expect(possible('J')).toEqual(['B'])
  expect(possible('A')).toEqual(['A'])
  expect(possible('Int')).toEqual([])
})
