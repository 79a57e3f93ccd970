/**
 * Adding and removing fields: the operation is valid and has the change, and the rest of its text is unchanged.
 */
import fc from 'fast-check'
import { buildSchema, getVariableValues, Kind, OperationTypeNode, parse, print, validate } from 'graphql'
import { expect, test } from 'vitest'
import {
  addField,
  builtOperation,
  fieldAt,
  removeField,
} from '../../../../explorer/page/builder/edit-selection.ts'

const { QUERY, MUTATION } = OperationTypeNode

const schema = buildSchema(`
  type Query { shop: Shop product(number: ID!): Product products(first: Int): [Product!]! now: String }
  type Mutation { rename(product: ID!, to: String!): Product }
  type Shop { name: String owner: Person best: Product sells(number: ID!): Product }
  type Person { name: String friends: [Person!] shop: Shop }
  type Product { number: ID! name: String maker(number: ID!): Person }
`)
const faultsOf = (query: string) => validate(schema, parse(query)).map(({ message }) => message)

test('the first field begins an operation, with variables for required arguments', () => {
  const { query, variables } = addField(schema, '# mine\n', QUERY, ['product', 'maker', 'name'])!
  expect(query).toBe(`# mine
query Product($number: ID!, $makerNumber: ID!) {
  product(number: $number) {
    maker(number: $makerNumber) {
      name
    }
  }
}
`)
  expect(variables).toEqual({ number: '<number>', makerNumber: '<number>' })
  expect(addField(schema, '', MUTATION, ['rename', 'name'])?.query).toMatch(
    /^mutation Rename\(\$product: ID!/,
  )
})

test('a field is added beside what is there, comments included, and leaves alone what cannot be read', () => {
  const before = 'query Mine($first: Int) { # all\n  products(first: $first) { number } # some\n}\n'
  const { query } = addField(schema, before, QUERY, ['shop', 'sells', 'name'])!
  expect(faultsOf(query)).toEqual([])
  for (const kept of ['# all', '# some', 'query Mine($first: Int, $number: ID!)'])
    expect(query).toContain(kept)
  expect(removeField(query, ['shop', 'sells', 'name'])).toBe(
    'query Mine($first: Int) { # all\n  products(first: $first) { number } # some\n}\n',
  )
  expect(addField(schema, '{ broken', QUERY, ['now'])).toBeUndefined()
  expect(addField(schema, '{ now }', MUTATION, ['rename'])).toBeUndefined()
  expect(addField(schema, '{ now }', QUERY, ['nothing'])).toBeUndefined()
  expect(addField(schema, '{ shop }', QUERY, ['shop', 'name'])).toBeUndefined()
  expect(removeField('{ now }', ['now'])).toBe('')
})

const paths: readonly (readonly string[])[] = [
  ['now'],
  ['shop', 'name'],
  ['shop', 'owner', 'friends', 'name'],
  ['shop', 'owner', 'shop', 'best', 'number'],
  ['shop', 'sells', 'maker', 'name'],
  ['product', 'name'],
  ['product', 'maker', 'shop', 'sells', 'name'],
  ['products'],
]

test('whatever is ticked in whatever order, the operation is valid, holds it, and loses it again', () => {
  fc.assert(
    fc.property(
      fc
        .subarray([...paths], { minLength: 1 })
        .chain((list) => fc.shuffledSubarray(list, { minLength: list.length })),
      (chosen) => {
        let query = ''
        for (const path of chosen) {
          query = addField(schema, query, QUERY, path)!.query
          expect(faultsOf(query)).toEqual([])
          expect(fieldAt(builtOperation(query), path)).toBeDefined()
        }
        const [first = []] = chosen
        const before = query
        const without = removeField(query, first)
        if (without !== '') {
          expect(faultsOf(without)).toEqual([])
          expect(fieldAt(builtOperation(without), first)).toBeUndefined()
        }
        const again = addField(schema, without, QUERY, first)!.query
        expect(print(parse(again)).length).toBeLessThanOrEqual(print(parse(before)).length + 40)
      },
    ),
    { numRuns: 20 },
  )
})

test('placeholders of input types that contain themselves fit their types', () => {
  const recursive = buildSchema(`
    type Query { find(where: Where!, deep: [[Deep!]!]!, one: One!): Int }
    input Where { and: [Where!]! more: Deep! name: String }
    input Deep { self: [Deep!]! where: [Where!]! value: Int! }
    input One @oneOf { again: One many: [One!] }
  `)
  const { query, variables } = addField(recursive, '', QUERY, ['find'])!
  expect(variables).toEqual({
    where: { and: [], more: { self: [], where: [], value: 1 } },
    deep: [[{ self: [], where: [{ and: [], more: { self: [], where: [], value: 1 } }], value: 1 }]],
    one: { many: [] },
  })
  const [operation] = parse(query).definitions
  const declared = operation?.kind === Kind.OPERATION_DEFINITION ? operation.variableDefinitions : []
  expect(getVariableValues(recursive, declared ?? [], variables).errors).toBeUndefined()
})
