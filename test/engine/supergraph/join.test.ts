/** The join directives of a supergraph as data, and the errors for field sets that cannot be parsed. */
import { composeServices } from '@apollo/composition'
import { type FieldDefinitionNode, parse, print, type TypeDefinitionNode } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createGraph } from '../../../engine/planner/graph/graph.ts'
import { createPlanner } from '../../../engine/planner/index.ts'
import { loadSupergraph, SupergraphError } from '../../../engine/supergraph/index.ts'
import { type FieldSet, JoinReader } from '../../../engine/supergraph/join.ts'

/** A supergraph of one subgraph, with these arguments of its join directives. */
const planned = (type: string, field = ''): unknown =>
  createPlanner(
    loadSupergraph(`
      enum join__Graph { A @join__graph(name: "a", url: "http://127.0.0.1:1/") }
      type Query @join__type(graph: A) { book: Book @join__field(graph: A) }
      type Book @join__type(graph: A${type}) { id: ID @join__field(graph: A${field}) }`),
  )

test.each([
  ['a key', [', key: "id {"'], /@join__type of Book, key: "id {" is not a selection of fields: Syntax Error/],
  ['a key with more behind it', [', key: "id } fragment F on Book { id"'], /Expected fields alone/],
  ['a key that is a type', [', key: "{ id } type Other { id: ID }"'], /Expected fields alone/],
  ['what is required', ['', ', requires: "!"'], /@join__field of Book.id, requires: "!" is not a selection/],
  ['what is provided', ['', ', provides: "a b("'], /@join__field of Book.id, provides: "a b\("/],
  ['a type', ['', ', type: "[ID"'], /@join__field of Book.id, type: "\[ID" is not a type: Syntax Error/],
  [
    'what is selected of a context',
    ['', ', contextArguments: [{ context: "c", name: "n", type: "ID", selection: "{" }]'],
    /@join__field of Book.id, selection: "{" is not a selection/,
  ],
  [
    'the type of a context argument',
    ['', ', contextArguments: [{ context: "c", name: "n", type: "ID!!", selection: "{ id }" }]'],
    /@join__field of Book.id, type: "ID!!" is not a type/,
  ],
])('%s that cannot be read is refused with its place', (_, [type = '', field], message) => {
  expect(() => planned(type, field)).toThrow(SupergraphError)
  expect(() => planned(type, field)).toThrow(message)
})

test('quotes only the beginning of a long text', () => {
  const error = (() => {
    try {
      planned(`, key: "id ${'{ a '.repeat(5000)}"`)
    } catch (thrown) {
      return thrown as Error
    }
    return undefined
  })()
  expect(error).toBeInstanceOf(SupergraphError)
  expect(error?.message.length).toBeLessThan(400)
  expect(error?.message).toContain(`, key: "id ${'{ a '.repeat(24)}{…" is not a selection of fields: `)
  expect(error?.cause).toBeInstanceOf(Error)
})

test('a text of a hundred characters is quoted whole', () => {
  const text = `{ ${'a'.repeat(98)}`
  expect(() => planned(`, key: "${text}"`)).toThrow(`key: "${text}" is not`)
})

test('a readable supergraph is used for planning', () => {
  expect(planned(', key: "id"', ', requires: "", type: "ID!"')).toBeDefined()
})

describe('the join directives say', () => {
  const read = new JoinReader()
  const typed = (sdl: string): TypeDefinitionNode => parse(sdl).definitions[0] as TypeDefinitionNode
  const fieldWith = (directives: string): FieldDefinitionNode => {
    const type = typed(`type Book { id: ID ${directives} }`)
    const found = 'fields' in type ? type.fields?.[0] : undefined
    if (found?.kind !== 'FieldDefinition') throw new Error('it has no field')
    return found
  }
  const textOf = (set: FieldSet | undefined) => set && print(set.selectionSet).replace(/\s+/g, ' ')

  test('which subgraph has a type, and by which keys', () => {
    const found = read.typesOf(
      typed(`type Book @join__type(graph: A) @other @join__type(graph: B, key: "id author { id }")
        @join__type(graph: "C", key: " { id } ", resolvable: false, isInterfaceObject: true)
        @join__type(graph: D, key: "  ", resolvable: true) { id: ID }`),
    )
    expect(found.map(({ key, ...rest }) => ({ ...rest, key: textOf(key) }))).toEqual([
      { graph: 'A', key: undefined, resolvable: true, interfaceObject: false },
      { graph: 'B', key: '{ id author { id } }', resolvable: true, interfaceObject: false },
      { graph: 'C', key: '{ id }', resolvable: false, interfaceObject: true },
      { graph: 'D', key: undefined, resolvable: true, interfaceObject: false },
    ])
    expect(read.typesOf(typed('type Book { id: ID }'))).toEqual([])
  })

  test('equal keys by one object, without the places in their texts', () => {
    const [one, other] = read.typesOf(
      typed('type Book @join__type(graph: A, key: "id n") @join__type(graph: B, key: "id n") { id: ID }'),
    )
    expect(one?.key).toBe(other?.key)
    expect(one?.key?.text).toBe('id n')
    expect(one?.key?.selectionSet.loc).toBeUndefined()
  })

  test('which subgraph resolves a field, and under which conditions', () => {
    const [found, elsewhere, ...others] =
      read.fieldsOf(
        fieldWith(`@join__field(graph: A, external: true, requires: "a", provides: "b", type: "[ID!]", override: "b",
          overrideLabel: "percent(5)", usedOverridden: true,
          contextArguments: [{ context: "c", name: "n", type: "ID", selection: "{ id }" }, "none", { context: "c" },
            { name: "n", type: "ID" }, { name: "n", selection: "id" }, { selection: "id", type: "Int" }]) @join__field`),
        'Book',
      ) ?? []
    expect(others).toEqual([])
    expect({ ...found, type: undefined, contextArguments: undefined }).toEqual({
      graph: 'A',
      external: true,
      requires: { text: 'a', selectionSet: expect.anything() },
      provides: { text: 'b', selectionSet: expect.anything() },
      type: undefined,
      override: 'b',
      overrideLabel: 'percent(5)',
      usedOverridden: true,
      contextArguments: undefined,
    })
    expect(found?.type && print(found.type)).toBe('[ID!]')
    expect(found?.type?.loc).toBeUndefined()
    expect(
      found?.contextArguments.map(({ type, selection, ...rest }) => ({
        ...rest,
        type: print(type),
        selection: textOf(selection),
      })),
    ).toEqual([
      { argument: 'n', context: 'c', type: 'ID', selection: '{ id }' },
      { argument: '', context: '', type: 'Int', selection: '{ id }' },
    ])
    expect(elsewhere).toEqual({
      graph: undefined,
      external: false,
      requires: undefined,
      provides: undefined,
      type: undefined,
      override: undefined,
      overrideLabel: undefined,
      usedOverridden: false,
      contextArguments: [],
    })
    expect(read.fieldsOf(fieldWith('@other'), 'Book')).toBeUndefined()
    expect(
      read.fieldsOf(fieldWith('@join__field(contextArguments: "none")'), 'Book')?.[0]?.contextArguments,
    ).toEqual([])
  })

  test('the interfaces of a type, the members of a union and the contexts of a type', () => {
    expect(
      read.implementsOf(
        typed(`type Book implements Sold & Named @join__implements(graph: A, interface: "Sold")
          @join__implements(graph: B, interface: "Named") @join__implements { id: ID }`),
      ),
    ).toEqual([
      { graph: 'A', name: 'Sold' },
      { graph: 'B', name: 'Named' },
      { graph: '', name: '' },
    ])
    expect(read.implementsOf(typed('type Book implements Sold { id: ID }'))).toBeUndefined()
    expect(read.membersOf(typed('union U @join__unionMember(graph: A, member: "Book") = Book'))).toEqual([
      { graph: 'A', name: 'Book' },
    ])
    expect(read.membersOf(typed('union U = Book'))).toBeUndefined()
    expect(
      read.contextsOf(
        typed('type Book @context(name: "a") @ctx(name: "c") @context(name: "b") @context { id: ID }'),
        new Set(['context']),
      ),
    ).toEqual(['a', 'b', ''])
  })
})

test.each([
  ['as it is', '"@context", "@fromContext"', 'context'],
  ['under another name', '{ name: "@context", as: "@ctx" }, "@fromContext"', 'ctx'],
  ['not at all', '"@fromContext"', 'federation__context'],
])('contexts are read if a subgraph imports @context %s', (_how, imports, name) => {
  const typeDefs = parse(`
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", ${imports}])
    type Query { shop: Shop }
    type Shop @key(fields: "id") @${name}(name: "c") { id: ID! rate: Int item: Item }
    type Item @key(fields: "id") { id: ID! price(rate: Int @fromContext(field: "$c { rate }")): Int }`)
  const { supergraphSdl = '' } = composeServices([{ name: 'a', url: 'http://127.0.0.1:1', typeDefs }])
  const { contextTypes } = createGraph(loadSupergraph(supergraphSdl), () => false)
  expect([...contextTypes]).toEqual([['a__c', new Set(['Shop'])]])
})
