import { buildSchema, executeSync, type GraphQLResolveInfo, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { type Selection, selectionOf } from '../../../subgraphs/kit/selection.ts'

const schema = buildSchema(`
  interface Node { id: ID }
  type Person implements Node { id: ID name: String friends: Friends }
  type Place implements Node { id: ID town: String }
  type Friends { nodes: [Person] edges: [Edge] }
  type Edge { node: Person cursor: String }
  union Thing = Person | Place
  type Query { person: Person things: [Thing] node: Node }
`)

/** What `read` sees of the only root field of the operation. */
function see<T>(operation: string, read: (info: GraphQLResolveInfo) => T, variables = {}): T {
  const seen: T[] = []
  const resolve = (_: unknown, __: unknown, ___: unknown, info: GraphQLResolveInfo) => {
    seen.push(read(info))
    return null
  }
  for (const field of Object.values(schema.getQueryType()!.getFields())) field.resolve = resolve
  const document = typeof operation === 'string' ? parse(operation) : operation
  executeSync({ schema, document, variableValues: variables })
  return seen[0]!
}

const names = (selection: Selection): string[] => [...selection.names].sort()

describe('look-ahead', () => {
  test('names fields by their names in the schema, whatever their aliases', () => {
    expect(see('{ person { a: name b: name id } }', (info) => names(selectionOf(info)))).toEqual([
      'id',
      'name',
    ])
  })

  test('sees through inline fragments and named fragments, nested ones too', () => {
    const operation = `
      { person { ... { id } ... on Person { ...A } } }
      fragment A on Person { ...B }
      fragment B on Node { ... on Person { name } }
    `
    expect(see(operation, (info) => names(selectionOf(info)))).toEqual(['id', 'name'])
  })

  test('leaves out what is skipped or not included, by literals and by variables', () => {
    const operation = `query ($yes: Boolean!, $no: Boolean!) {
      person { id @skip(if: true) name @include(if: $no) friends @skip(if: $no) @include(if: $yes) { nodes { id } } }
    }`
    const read = (info: GraphQLResolveInfo) => names(selectionOf(info))
    expect(see(operation, read, { yes: true, no: false })).toEqual(['friends'])
  })

  test('does not remember a selection that hangs on variables', () => {
    const document = parse('query ($with: Boolean!) { person { id name @include(if: $with) } }')
    const seen: string[][] = []
    schema.getQueryType()!.getFields().person!.resolve = (_, __, ___, info) => {
      seen.push(names(selectionOf(info)))
      return null
    }
    executeSync({ schema, document, variableValues: { with: false } })
    executeSync({ schema, document, variableValues: { with: true } })
    expect(seen).toEqual([['id'], ['id', 'name']])
  })

  test('remembers one that depends on none', () => {
    const document = parse('{ person { id name } }')
    const seen: Selection[] = []
    schema.getQueryType()!.getFields().person!.resolve = (_, __, ___, info) => {
      seen.push(selectionOf(info))
      return null
    }
    executeSync({ schema, document })
    executeSync({ schema, document })
    expect(seen[0]).toBe(seen[1])
  })

  test('merges a field that is selected several times', () => {
    const read = (info: GraphQLResolveInfo) => names(selectionOf(info).below('friends').below('nodes'))
    const operation = '{ person { friends { nodes { id } } } person { friends { nodes { name } } } }'
    expect(see(operation, read)).toEqual(['id', 'name'])
  })

  test('keeps the types of a union apart', () => {
    const operation = '{ things { ... on Person { name } ... on Place { town } ... on Node { id } } }'
    expect(see(operation, (info) => names(selectionOf(info, 'Person')))).toEqual(['id', 'name'])
    expect(see(operation, (info) => names(selectionOf(info, 'Place')))).toEqual(['id', 'town'])
  })

  test('counts every type of an interface if none is named', () => {
    const operation = '{ node { id ... on Person { name } ... on Place { town } } }'
    expect(see(operation, (info) => names(selectionOf(info)))).toEqual(['id', 'name', 'town'])
  })

  test('answers an empty selection below what is not selected', () => {
    const read = (info: GraphQLResolveInfo) => selectionOf(info).below('friends').below('edges').has('node')
    expect(see('{ person { id } }', read)).toBe(false)
  })

  test('tells whether anything but some fields is selected', () => {
    const ids = new Set(['id'])
    expect(see('{ person { __typename id } }', (info) => selectionOf(info).hasBeside(ids))).toBe(false)
    expect(see('{ person { id name } }', (info) => selectionOf(info).hasBeside(ids))).toBe(true)
  })

  test('is not misled by fields that are called like members of every object', () => {
    const read = (info: GraphQLResolveInfo) => selectionOf(info).has('constructor')
    expect(see('{ person { id } }', read)).toBe(false)
  })
})
