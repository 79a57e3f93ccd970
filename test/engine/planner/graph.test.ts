/**
 * The planner reads from a supergraph which subgraph has which types and fields, and by which keys it can be entered.
 */
import { type OperationDefinitionNode, parse, print, type SelectionSetNode } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createGraph, type Graph, providedIn } from '../../../engine/planner/graph/graph.ts'
import { namedType } from '../../../shared/graphql/named-type.ts'

const names = ['a', 'b', 'c']
const subgraphs = names.map((name) => ({ name, graph: name.toUpperCase() }))

/**
 * A supergraph of subgraphs `a`, `b` and `c`: `@A(key: "id")` is short for its `@join__type`, `@a` for that
 * `@join__field`, `@iA(interface: "I")` and `@mA(member: "M")` for those of its interfaces and unions.
 */
function graphOf(sdl: string, decide: (label: string) => boolean = () => false): Graph {
  const joined = sdl.replace(/@([im]?)([a-cA-C])\b(\(?)/g, (_, of: string, name: string, open: string) => {
    const directive =
      of === 'i' ? 'implements' : of === 'm' ? 'unionMember' : name === name.toUpperCase() ? 'type' : 'field'
    return `@join__${directive}(graph: ${name.toUpperCase()}${open === '' ? ')' : ', '}`
  })
  return createGraph({ document: parse(joined), subgraphs }, decide)
}

/** As `a.T`, with the keys of an entry: `a.T as I by id named`. */
const viewsOf = (graph: Graph, type: string) =>
  graph.views(type).map((view) => `${names[view.graph]}.${view.name}`)
const entriesOf = (graph: Graph, type: string) =>
  graph
    .entries(type)
    .map(
      ({ view, as, key, named }) =>
        `${names[view.graph]}.${view.name}${as === view ? '' : ` as ${as.name}`} by ${key.text}${named ? ' named' : ''}`,
    )
const membersOf = (graph: Graph, index: number, type: string) =>
  graph.in(index, type)?.members.map(({ name }) => name)
/** For a field in each subgraph: whether it is resolved there, `-` if the subgraph does not have it. */
const resolvedIn = (graph: Graph, type: string, field: string) =>
  names
    .map((name, index) => {
      const own = graph.in(index, type)?.fields.get(field)
      return own === undefined ? '-' : own.external ? 'x' : name
    })
    .join('')

describe('a type of the supergraph', () => {
  const graph = graphOf(`
    interface I { id: ID } interface J implements I { id: ID } interface Lonely { id: [ID!] }
    type T implements I & J { id: ID! n: [Int] } type S implements I { id: ID } union U = T | S
    scalar Date enum E { X } input In { id: ID }`)

  test('has its kind, its interfaces and the types of its fields', () => {
    expect(
      ['I', 'J', 'T', 'S', 'U'].map((name) => {
        const type = graph.type(name)
        const fields = [...(type?.fields ?? [])].map(([key, of]) => `${key}: ${print(of)}`)
        return [type?.name, type?.kind, [...(type?.interfaces ?? [])].join(), fields.join()]
      }),
    ).toEqual([
      ['I', 'interface', '', 'id: ID'],
      ['J', 'interface', 'I', 'id: ID'],
      ['T', 'object', 'I,J', 'id: ID!,n: [Int]'],
      ['S', 'object', 'I', 'id: ID'],
      ['U', 'union', '', ''],
    ])
    expect(['Date', 'E', 'In', 'None'].map((name) => graph.type(name))).toEqual(Array(4).fill(undefined))
  })

  test('stands for its object types, or for itself if it has none', () => {
    expect(['I', 'J', 'T', 'U', 'Lonely'].map((name) => [...(graph.type(name)?.possible ?? [])])).toEqual([
      ['T', 'S'],
      ['T'],
      ['T'],
      ['T', 'S'],
      ['Lonely'],
    ])
  })

  test('is named without lists and non-null', () => {
    const id = graph.type('Lonely')?.fields.get('id')
    expect(id && namedType(id)).toBe('ID')
  })
})

describe('the roots', () => {
  test('have their usual names, if there are such types', () => {
    expect(graphOf('type Query { n: Int }').roots).toEqual({
      query: 'Query',
      mutation: undefined,
      subscription: undefined,
    })
    expect(graphOf('type Mutation { n: Int } type Subscription { n: Int }').roots).toEqual({
      query: undefined,
      mutation: 'Mutation',
      subscription: 'Subscription',
    })
  })

  test('have the names that the schema gives them', () => {
    expect(
      graphOf('schema { query: Q } extend schema { mutation: M } type Q { n: Int } type Mutation { n: Int }')
        .roots,
    ).toEqual({ query: 'Q', mutation: 'M', subscription: undefined })
    expect(graphOf('extend schema @link(url: "x") type Query { n: Int }').roots.query).toBe('Query')
  })
})

test('each context is set by the object types of the types that declare it', () => {
  const graph = graphOf(`
    interface I @context(name: "one") { id: ID } type T implements I @context(name: "two") { id: ID }
    type S implements I { id: ID } type R @context(name: "one") { id: ID }`)
  expect([...graph.contextTypes].map(([name, types]) => [name, ...types])).toEqual([
    ['one', 'T', 'S', 'R'],
    ['two', 'T'],
  ])
})

describe('a subgraph', () => {
  test('has the types that are joined to it, with the keys by which it resolves them', () => {
    const graph = graphOf(`
      type T @A(key: "id") @A(key: "n") @A(key: "m", resolvable: false) @B @join__type(graph: OTHER, key: "id") {
        id: ID n: Int m: Int }`)
    expect(graph.subgraphs).toEqual(names)
    expect(names.map((_, index) => graph.in(index, 'T')?.keys.map(({ text }) => text))).toEqual([
      ['id', 'n'],
      [],
      undefined,
    ])
    const found = [graph.in(0, 'T'), graph.in(1, 'T')]
    expect(found.map((type) => [type?.graph, type?.kind, type?.interfaceObject])).toEqual([
      [0, 'object', false],
      [1, 'object', false],
    ])
    expect(new Set(found.map((type) => type?.id)).size).toBe(2)
    expect([graph.in(0, 'None'), graph.in(7, 'T')]).toEqual([undefined, undefined])
  })

  test('has the fields that are joined to it, and fields without a join if it has their type', () => {
    const graph =
      graphOf(`type T @A @B { both: Int one: [Int!] @b(type: "[Int]") other: T @a @b(external: true)
      @join__field(graph: OTHER) none: Int @join__field }`)
    expect(['both', 'one', 'other', 'none'].map((field) => resolvedIn(graph, 'T', field))).toEqual([
      'ab-',
      '-b-',
      'ax-',
      '---',
    ])
    const one = graph.in(1, 'T')?.fields.get('one')
    expect([one?.name, one?.named, one && print(one.type)]).toEqual(['one', 'Int', '[Int]'])
    expect(graph.in(0, 'T')?.fields.get('other')?.named).toBe('T')
  })

  test('has for a field what it requires, what it provides and where its arguments come from', () => {
    const graph = graphOf(`type T @A { plain: Int given: Int @a(requires: "plain", provides: "other",
      contextArguments: [{ context: "c", name: "n", type: "ID", selection: "{ id }" }]) }`)
    const [plain, given] = ['plain', 'given'].map((name) => graph.in(0, 'T')?.fields.get(name))
    expect([plain?.requires, plain?.provides, plain?.contextArguments]).toEqual([undefined, undefined, []])
    expect([given?.requires?.text, given?.provides?.text]).toEqual(['plain', 'other'])
    expect(given?.contextArguments.map(({ context }) => context)).toEqual(['c'])
  })
})

describe('a field that is overridden', () => {
  /** Where it is resolved while the label is decided for the new subgraph, and while it is not. */
  const resolved = (joins: string) =>
    [true, false].map((value) =>
      resolvedIn(
        graphOf(`type T @A @B @C { f: Int ${joins} }`, () => value),
        'T',
        'f',
      ),
    )

  test.each([
    ['is resolved by the one that takes it', '@a(override: "b") @b', ['ax-', 'ax-']],
    ['of which others keep it', '@a(override: "b") @b @c', ['axc', 'axc']],
    [
      'with a label by either',
      '@a(override: "b", overrideLabel: "l") @b(overrideLabel: "l")',
      ['ax-', 'xb-'],
    ],
    ['with a label that only the taker has', '@a(override: "b", overrideLabel: "l") @b', ['ax-', 'xb-']],
    ['that is kept for what uses it', '@a(override: "b") @b(usedOverridden: true)', ['ax-', 'ax-']],
    ['from a subgraph that has gone', '@a(override: "gone") @c', ['a-c', 'a-c']],
    ['by a subgraph that is not in the supergraph', '@b(usedOverridden: true) @a', ['ax-', 'ax-']],
    ['with a label by a subgraph that is not named', '@b(overrideLabel: "l") @a', ['ax-', 'ab-']],
    [
      'twice, the second time from the one that took it',
      '@a(override: "b") @b(override: "c") @c',
      ['axx', 'axx'],
    ],
    [
      'twice, with a label the second time',
      '@a(override: "b", overrideLabel: "l") @b(override: "c") @c',
      ['axx', 'xbx'],
    ],
  ])('%s', (_, joins, expected) => {
    expect(resolved(joins)).toEqual(expected)
  })

  test('goes by the label that it has', () => {
    const graph = graphOf(
      `type T @A @B { f: Int @a(override: "b", overrideLabel: "x") @b(overrideLabel: "x")
        g: Int @a(override: "b", overrideLabel: "y") @b(overrideLabel: "y") }`,
      (label) => label === 'x',
    )
    expect([resolvedIn(graph, 'T', 'f'), resolvedIn(graph, 'T', 'g')]).toEqual(['ax-', 'xb-'])
  })
})

describe('the members', () => {
  test('of an object type are the type itself', () => {
    expect(membersOf(graphOf('type T @A { id: ID }'), 0, 'T')).toEqual(['T'])
  })

  test('of a union are those that the subgraph gives it', () => {
    const graph =
      graphOf(`union U @A @B @mA(member: "T") @mB(member: "T") @mB(member: "S") @mB(member: "R") = T | S
      type T @A @B { id: ID } type S @A @B { id: ID }`)
    expect([membersOf(graph, 0, 'U'), membersOf(graph, 1, 'U')]).toEqual([['T'], ['T', 'S']])
    const silent = graphOf('union U @A @B = T | S type T @A @B { id: ID } type S @A { id: ID }')
    expect([membersOf(silent, 0, 'U'), membersOf(silent, 1, 'U')]).toEqual([['T', 'S'], ['T']])
  })

  test('of an interface are the types that implement it in the subgraph', () => {
    const graph = graphOf(`interface I @A @B { id: ID } interface K @A { id: ID }
      type T implements I & K @A @B @iA(interface: "I") @iB(interface: "I") @iA(interface: "K") { id: ID }
      type S implements I @A @B @iB(interface: "I") @iB(interface: "T") { id: ID } union U @A @mA(member: "S") = S`)
    expect([membersOf(graph, 0, 'I'), membersOf(graph, 1, 'I'), membersOf(graph, 0, 'K')]).toEqual([
      ['T'],
      ['T', 'S'],
      ['T'],
    ])
    expect([membersOf(graph, 1, 'T'), membersOf(graph, 0, 'U')]).toEqual([['T'], ['S']])
    const silent = graphOf(
      'interface I @A @B { id: ID } type T implements I @A @B { id: ID } type S implements I @A { id: ID }',
    )
    expect([membersOf(silent, 0, 'I'), membersOf(silent, 1, 'I')]).toEqual([['T', 'S'], ['T']])
  })

  test('of an interface that no type implements are the interface itself', () => {
    const graph = graphOf('interface I @A @B(isInterfaceObject: true) { id: ID }')
    expect([membersOf(graph, 0, 'I'), membersOf(graph, 1, 'I')]).toEqual([['I'], ['I']])
    expect([graph.in(0, 'I')?.kind, graph.in(1, 'I')?.kind]).toEqual(['interface', 'object'])
    expect(graph.in(1, 'I')?.interfaceObject).toBe(false)
  })
})

describe('an interface object', () => {
  const graph = graphOf(`
    interface I @A(key: "id") @B(key: "id", isInterfaceObject: true) { id: ID n: Int r: Int @b(requires: "n { x }") o: Int }
    interface K @A(key: "k") { id: ID }
    type T implements I & K @A(key: "id") @iA(interface: "I") @iA(interface: "K") @C(key: "t") {
      id: ID n: Int r: Int @join__field o: Int }
    type S implements I @A @iC(interface: "I") { id: ID n: Int r: Int @join__field o: Int }`)

  test('stands for each type of the interface in its subgraph', () => {
    expect([viewsOf(graph, 'T'), viewsOf(graph, 'S'), viewsOf(graph, 'I')]).toEqual([
      ['a.T', 'b.I', 'c.T'],
      ['a.S', 'b.I'],
      ['a.I', 'b.I'],
    ])
    expect(graph.views('T')).toBe(graph.views('T'))
    expect([graph.in(1, 'I')?.interfaceObject, graph.in(0, 'I')?.interfaceObject]).toEqual([true, false])
    expect(membersOf(graph, 1, 'I')).toEqual(['I'])
  })

  test('is entered without the type of the object', () => {
    expect([entriesOf(graph, 'T'), entriesOf(graph, 'S'), entriesOf(graph, 'None')]).toEqual([
      ['a.T by id named', 'a.T as I by id', 'a.T as K by k', 'b.I by id', 'c.T by t named'],
      ['b.I by id'],
      [],
    ])
    expect(graph.entries('T')).toBe(graph.entries('T'))
  })

  test('does not resolve what it requires, written down or not', () => {
    expect(['id', 'n', 'r', 'o'].map((field) => resolvedIn(graph, 'I', field))).toEqual([
      'ab-',
      'ax-',
      '-b-',
      'ab-',
    ])
    // It says nothing about another subgraph's requirement, or about a requirement of a type that is not an
    // interface.
    const other = graphOf(`
      interface I @A(key: "id") @B(isInterfaceObject: true) @C(isInterfaceObject: true) {
        id: ID n: Int r: Int @b(requires: "n") s: Int @c(requires: "... on T { id }") t: Int @join__field }
      type T implements I @A @iA(interface: "I") { id: ID n: Int @a q: Int @a(requires: "n") }
      type P @A { n: Int q: Int @a(requires: "n") }`)
    expect([resolvedIn(other, 'I', 'n'), resolvedIn(other, 'I', 'id')]).toEqual(['axc', 'abc'])
    expect(resolvedIn(other, 'P', 'n')).toBe('a--')
  })
})

describe('what @provides says of a field', () => {
  const graph = graphOf(
    'interface I { id: ID } type T implements I { id: ID } type S implements I { id: ID }',
  )
  const set = (text: string): SelectionSetNode =>
    (parse(`{ ${text} }`, { noLocation: true }).definitions[0] as OperationDefinitionNode).selectionSet
  const provided = (texts: readonly string[], type = 'T') =>
    providedIn(texts.map(set), 'f', type, graph)?.map((each) => print(each).replace(/\s+/g, ' '))

  test.each([
    ['nothing where it does not name it', ['g { id }'], undefined],
    ['that it is there', ['g f'], []],
    ['what is below, each time', ['f { a } g f { b }', 'f { c }'], ['{ a }', '{ b }', '{ c }']],
    [
      'what is below for the type',
      ['... on T { f { a } } ... on I { f { b } } ... { f { c } }'],
      ['{ a }', '{ b }', '{ c }'],
    ],
    ['nothing below for other types', ['... on S { f { a } } ... on None { f }'], undefined],
    ['what fragments add to what is before', ['f { a } ... on T { f { b } }'], ['{ a }', '{ b }']],
    ['nothing of fragments without it', ['... on T { g }'], undefined],
    ['nothing where there is nothing', [], undefined],
  ])('is %s', (_, texts, expected) => {
    expect(provided(texts)).toEqual(expected)
  })
})
