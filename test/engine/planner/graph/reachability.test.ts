/** Which subgraphs can resolve an object at its position, and which of its fields. */
import { type OperationDefinitionNode, parse, type SelectionSetNode } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createGraph, type Graph } from '../../../../engine/planner/graph/graph.ts'
import {
  addResolvedIn,
  localSelections,
  Reachability,
  type ResolvedIn,
  resolvedBelow,
} from '../../../../engine/planner/graph/reachability.ts'
import { joined } from '../../../support/plans.ts'

const graphOf = (sdl: string): Graph => createGraph(joined(`type Query @A { none: Int } ${sdl}`), () => false)

const set = (text: string): SelectionSetNode =>
  (parse(`{ ${text} }`, { noLocation: true }).definitions[0] as OperationDefinitionNode).selectionSet

/** Questions about one supergraph, which share what is known. */
function asking(graph: Graph) {
  const reachability = new Reachability(graph)
  const view = (type: string, name: string) => {
    const found = graph.in(graph.subgraphs.indexOf(name), type)
    if (found === undefined) throw new Error(`${name} does not have ${type}`)
    return found
  }
  /** `a`, `a b`, or with what `@provides` adds: `a(id)`; `b:I` is delivered as an `I`. */
  const resolvedIn = (type: string, by: string): ResolvedIn[] =>
    [...by.matchAll(/(\w)(?::(\w+))?(?:\(([^)]*)\))?/g)].map(([, name = '', as = type, provided]) => ({
      view: view(as, name),
      provided: provided === undefined ? [] : [set(provided)],
    }))
  const reachabilityOf = (type: string, by: string, isRoot = false) =>
    reachability.reachabilityOf(type, resolvedIn(type, by), isRoot)
  return {
    view,
    resolvedIn,
    seen: (type: string, by: string, isRoot?: boolean): string =>
      [...reachabilityOf(type, by, isRoot).views]
        .map((each) => `${graph.subgraphs[each.graph]}${each.name === type ? '' : `:${each.name}`}`)
        .sort()
        .join(' '),
    resolved: (type: string, by: string, field: string): string =>
      reachability
        .resolvers(reachabilityOf(type, by), field)
        .map(([index]) => graph.subgraphs[index])
        .join(' '),
  }
}

describe('an object is seen', () => {
  const chain = () =>
    asking(
      graphOf(`type P @A(key: "x") @B(key: "y") @B(key: "x") @C(key: "y") @D @E(key: "z") @F(key: "x", resolvable: false) {
        x: ID @a @b @f y: ID @b @c z: ID @e d: Int @d }`),
    )

  test('in each subgraph to which a key leads whose fields are all known, also by way of other subgraphs', () => {
    const { seen } = chain()
    expect([seen('P', 'a'), seen('P', 'b'), seen('P', 'c')]).toEqual(['a b c', 'a b c', 'a b c'])
    expect([seen('P', 'd'), seen('P', 'e'), seen('P', 'a e')]).toEqual(['d', 'e', 'a b c e'])
    expect([seen('P', 'd e'), seen('P', 'c d'), seen('P', 'd c')]).toEqual(['d e', 'a b c d', 'a b c d'])
  })

  test('in a subgraph that cannot look it up only if that subgraph resolves it', () => {
    const { seen } = chain()
    expect([seen('P', 'f'), seen('P', 'a')]).toEqual(['a b c f', 'a b c'])
  })

  test('in every subgraph if it is the root', () => {
    const { seen, resolved } = chain()
    expect([seen('P', 'd', true), seen('P', 'd')]).toEqual(['a b c d e f', 'd'])
    expect(resolved('P', 'd', 'd')).toBe('d')
  })

  test('only in the subgraph that delivers it if no subgraph has a key', () => {
    const { seen } = asking(graphOf('type P @A @B { n: Int @a @b }'))
    expect([seen('P', 'a'), seen('P', 'a b')]).toEqual(['a', 'a b'])
  })

  test('by a key of nested fields if those are reachable from the object within', () => {
    const nested = (owner: string) =>
      asking(graphOf(`type P @A @B(key: "owner { id }") { owner: O @a @b } ${owner}`)).seen('P', 'a')
    expect(nested('type O @A @B { id: ID @a @b }')).toBe('a b')
    expect(nested('type O @A(key: "k") @B @C(key: "k") { k: ID @a @c id: ID @b @c }')).toBe('a b')
    expect(nested('type O @A @B @C(key: "k") { k: ID @a @c id: ID @b @c }')).toBe('a b')
    expect(nested('type O @A(key: "k") @B @C(key: "l") { k: ID @a l: ID @c id: ID @b @c }')).toBe('a')
    expect(nested('type O @A @B { n: Int @a id: ID @b }')).toBe('a')
  })

  test('by a key within a union if each type has the required fields', () => {
    const keyed = (key: string, y = '@b') =>
      asking(
        graphOf(`type P @A @B(key: "${key}") { u: U @a @b }
          union U @A @B = X | Y type X @A @B { id: ID @a @b n: Int @b } type Y @A @B { id: ID ${y} n: Int @a @b }`),
      ).seen('P', 'a')
    expect(keyed('u { ... on X { id } ... on Y { n } }')).toBe('a b')
    expect(keyed('u { ... on X { id } __typename }')).toBe('a b')
    expect(keyed('u { ... { __typename } }')).toBe('a b')
    expect(keyed('u { ... on X { n } ... on Y { n } }')).toBe('a')
    expect(keyed('u { ... on X { id } ... on Y { id } }')).toBe('a')
    expect(keyed('u { ... on X { id } ... on Y { id } }', '@a @b')).toBe('a b')
    expect(keyed('u { ... { ... on Y { id } } }')).toBe('a')
    expect(keyed('u { ... on U { ... on Y { id } } }')).toBe('a')
  })

  test('by a key that is provided, only on the way that provides it', () => {
    const graph = graphOf('type P @A @B(key: "e") { e: ID @a(external: true) @b n: Int @b }')
    for (const ways of [
      ['a', 'a(e)'],
      ['a(e)', 'a'],
    ]) {
      const { seen, resolved } = asking(graph)
      for (const way of [...ways, ...ways]) {
        expect(seen('P', way), way).toBe(way === 'a' ? 'a' : 'a b')
        expect(resolved('P', way, 'n'), way).toBe(way === 'a' ? '' : 'b')
      }
    }
    const { seen } = asking(graph)
    expect([seen('P', 'a(x)'), seen('P', 'a(e)')]).toEqual(['a', 'a b'])
  })

  test('by a key that is provided below a field', () => {
    const { seen } = asking(
      graphOf(`type P @A @B(key: "o { e }") { o: O @a @b } type O @A @B { e: ID @a(external: true) @b }
        type S @A @B(key: "o { e }") { o: O @a(provides: "e") @b }`),
    )
    expect([seen('P', 'a'), seen('P', 'a(o { e })'), seen('P', 'a(e)')]).toEqual(['a', 'a b', 'a'])
    expect(seen('S', 'a')).toBe('a b')
  })

  test('the same whatever was asked before, if keys need each other in circles', () => {
    const graph = graphOf(`
      type P @A(key: "id") @B(key: "q { k }") @C(key: "id") { id: ID @a @c q: Q @a @b x: Int @c }
      type Q @A(key: "id") @B(key: "p { x }") { id: ID @a p: P @a @b k: Int @b }`)
    for (const types of ['PQ', 'QP', 'PQPQ', 'QPQP']) {
      const { seen, resolved } = asking(graph)
      for (const type of types)
        expect(seen(type, 'a'), `${type} of ${types}`).toBe(type === 'P' ? 'a b c' : 'a b')
      expect([resolved('P', 'a', 'q'), resolved('Q', 'a', 'k')]).toEqual(['a b', 'b'])
    }
  })

  test('nowhere else if keys only lead to each other', () => {
    const { seen } = asking(
      graphOf(
        `type P @A @B(key: "q { k }") { q: Q @a @b n: Int @b } type Q @A @B(key: "p { n }") { p: P @a @b k: Int @b }`,
      ),
    )
    expect([seen('P', 'a'), seen('Q', 'a'), seen('P', 'a')]).toEqual(['a', 'a', 'a'])
  })
})

describe('a field that requires others', () => {
  test('is reachable if those are, and its subgraph can look the object up', () => {
    const { resolved } = asking(
      graphOf(`type P @A(key: "id") @B(key: "id") @C(key: "z") @D {
        id: ID @a @b z: ID @c r: Int @a(external: true) @b far: Int @c
        own: Int @a(requires: "id") other: Int @a(requires: "r") never: Int @a(requires: "far")
        some: Int @a(requires: "r far") keyless: Int @d(requires: "n") n: Int @d unkeyed: Int @c(requires: "far") }`),
    )
    expect([resolved('P', 'a', 'own'), resolved('P', 'b', 'other')]).toEqual(['a', 'a'])
    expect([resolved('P', 'a', 'never'), resolved('P', 'a', 'some')]).toEqual(['', ''])
    expect([resolved('P', 'd', 'n'), resolved('P', 'd', 'keyless')]).toEqual(['d', ''])
    expect([resolved('P', 'c', 'unkeyed'), resolved('P', 'a', 'r')]).toEqual(['c', 'b'])
    expect(resolved('P', 'a', 'unknown')).toBe('')
  })

  test('is unreachable if they require each other', () => {
    const { resolved } = asking(
      graphOf(`type P @A(key: "id") @B(key: "id") { id: ID @a @b
        x: Int @a(requires: "y") @b(external: true) y: Int @b(requires: "x") @a(external: true) z: Int @b(requires: "z") }`),
    )
    expect(['x', 'y', 'z', 'x'].map((field) => resolved('P', 'a', field))).toEqual(['', '', '', ''])
  })

  test('ignores what is seen if it is not requested', () => {
    const graph = graphOf(`
      type P @A(key: "id") { id: ID @a q: Q @a w: Int @a(requires: "q { k }") }
      type Q @A(key: "id") @B(key: "p { w }") @D(key: "id") { id: ID @a @d p: P @a @b k: Int @b @d m: Int @b }`)
    const { resolved, seen } = asking(graph)
    expect(resolved('P', 'a', 'w')).toBe('a')
    expect([seen('Q', 'a'), resolved('Q', 'a', 'm'), resolved('Q', 'a', 'k')]).toEqual(['a b d', 'b', 'b d'])
  })

  test('is reachable without them if it is provided on the way to it', () => {
    const { resolved } = asking(
      graphOf('type P @A { id: ID @a r: Int @b far: Int @a(external: true, requires: "r") }'),
    )
    expect([resolved('P', 'a(far)', 'far'), resolved('P', 'a', 'far')]).toEqual(['a', ''])
  })
})

test('a field whose arguments come from above is reachable if the object can be looked up', () => {
  const context = 'contextArguments: [{ context: "c", name: "n", type: "ID", selection: "{ id }" }]'
  const { resolved } = asking(
    graphOf(`type P @A(key: "id") @B { id: ID @a b: Int @b(${context}) a: Int @a(${context}) }`),
  )
  expect([resolved('P', 'a', 'a'), resolved('P', 'b', 'b')]).toEqual(['a', ''])
})

describe('an object of an interface that a subgraph has as an object', () => {
  const media = (ofInterface: string) =>
    graphOf(`interface I @A${ofInterface} @B(key: "id", isInterfaceObject: true) { id: ID @a @b rating: Int @b }
      type X implements I @A(key: "id") @C(key: "id") { id: ID @a @c rating: Int @b x: Int @c }
      type Y implements I @A(key: "id") { id: ID @a rating: Int @b }`)

  test('is seen as an object from each subgraph that knows its type', () => {
    const { seen, resolved } = asking(media(''))
    expect([seen('X', 'a'), seen('X', 'c'), seen('Y', 'a')]).toEqual(['a b:I c', 'a b:I c', 'a b:I'])
    expect(resolved('X', 'c', 'rating')).toBe('b')
  })

  test('is seen with its type only if the interface has a key', () => {
    const without = asking(media(''))
    expect(without.seen('X', 'b:I')).toBe('b:I')
    expect(without.resolved('X', 'b:I', '__typename')).toBe('')
    expect(without.resolved('X', 'b:I', 'rating')).toBe('b')
    const keyed = asking(media('(key: "id")'))
    expect(keyed.seen('X', 'b:I')).toBe('a b:I c')
    expect(keyed.resolved('X', 'b:I', '__typename')).toBe('a c')
    expect(keyed.resolved('X', 'b:I', 'x')).toBe('c')
  })

  test('stands for every type of the interface below a field', () => {
    const graph = graphOf(`interface I @A @B(key: "id", isInterfaceObject: true) { id: ID @a @b }
      type X implements I @A { id: ID @a } type Y implements I @A { id: ID @a } type P @A @B { i: I @a @b }`)
    const { view } = asking(graph)
    for (const [name, as] of [
      ['a', ['X', 'Y']],
      ['b', ['I', 'I']],
    ] as const) {
      const into = new Map<string, ResolvedIn[]>()
      const p = view('P', name)
      resolvedBelow(graph, p, p.fields.get('i')!, [], into)
      expect([...into].map(([type, all]) => [type, ...all.map((each) => each.view.name)])).toEqual([
        ['X', as[0]],
        ['Y', as[1]],
      ])
    }
  })
})

describe('what is delivered', () => {
  const graph = graphOf(`type P @A @B { o: O @a(provides: "e") @b plain: O @a @b n: Int @a away: Z @a }
    type O @A @B { e: ID @a(external: true) f: ID @a(external: true) @b } type Z @B { n: Int @b }`)
  const { view, resolvedIn } = asking(graph)
  const field = (name: string) => view('P', 'a').fields.get(name)!
  const fieldsOf = (provided: readonly SelectionSetNode[]) =>
    provided.flatMap(({ selections }) => selections.map((each) => 'name' in each && each.name.value))
  const below = (name: string, provided: string[] = [], into = new Map<string, ResolvedIn[]>()) => {
    resolvedBelow(graph, view('P', 'a'), field(name), provided.map(set), into)
    return [...into].flatMap(([type, all]) => all.map((each) => [type, ...fieldsOf(each.provided)].join(' ')))
  }

  test('below a field has what was provided before and what the field provides', () => {
    expect([below('plain'), below('o'), below('o', ['f']), below('plain', ['f'])]).toEqual([
      ['O'],
      ['O e'],
      ['O f e'],
      ['O f'],
    ])
    expect([below('n'), below('away')]).toEqual([[], []])
  })

  test('below two fields to the same objects has what either provides', () => {
    const into = new Map<string, ResolvedIn[]>()
    expect([below('plain', [], into), below('o', [], into), below('plain', [], into)]).toEqual([
      ['O'],
      ['O e'],
      ['O e'],
    ])
    expect(below('plain', ['f'], into)).toEqual(['O e f'])
    const b = view('P', 'b')
    resolvedBelow(graph, b, b.fields.get('plain')!, [set('e')], into)
    expect(
      into.get('O')?.map((each) => [graph.subgraphs[each.view.graph], ...fieldsOf(each.provided)]),
    ).toEqual([
      ['a', 'e', 'f'],
      ['b', 'e'],
    ])
  })

  test('on several ways has what each of them provides', () => {
    const also = (by: string, ...others: readonly string[]) => {
      const known = resolvedIn('O', by)
      for (const other of others) for (const each of resolvedIn('O', other)) addResolvedIn(known, each)
      return known.map((each) => [graph.subgraphs[each.view.graph], ...fieldsOf(each.provided)].join(' '))
    }
    expect(also('a', 'b')).toEqual(['a', 'b'])
    expect(also('a', 'b(e)')).toEqual(['a', 'b e'])
    expect(also('a(e)', 'a(e)')).toEqual(['a e'])
    expect(also('a(e)', 'a(f)')).toEqual(['a'])
    expect(also('a(e)', 'a')).toEqual(['a'])
    expect(also('a', 'a(e)')).toEqual(['a'])
    expect(also('b', 'a(e)', 'a(e)', 'b(f)')).toEqual(['b', 'a e'])
  })
})

test('a field is local if its subgraph resolves it without more, or it is provided on this way', () => {
  const graph = graphOf(`type P @A(key: "id") { id: ID @a e: ID @a(external: true) o: O @a(external: true)
    q: Int @a(requires: "e") qe: Int @a(external: true, requires: "e") } type O @A { n: Int @a }`)
  const { view, resolvedIn } = asking(graph)
  const local = (by: string, name: string) => {
    const [resolved] = resolvedIn('P', by)
    const below = resolved && localSelections(graph, resolved, view('P', 'a').fields.get(name)!, 'P')
    return below?.map(({ selections }) => selections.length)
  }
  expect([local('a', 'id'), local('a', 'e'), local('a', 'q'), local('a', 'qe')]).toEqual([
    [],
    undefined,
    undefined,
    undefined,
  ])
  expect([local('a(e)', 'id'), local('a(e)', 'e'), local('a(e)', 'q')]).toEqual([[], [], undefined])
  expect([local('a(id)', 'id'), local('a(q)', 'q'), local('a(qe)', 'qe')]).toEqual([[], undefined, []])
  expect([local('a(o { n })', 'o'), local('a(e)', 'o')]).toEqual([[1], undefined])
  const other = { ...view('P', 'a').fields.get('id')! }
  expect(localSelections(graph, { view: view('P', 'a'), provided: [] }, other, 'P')).toBeUndefined()
})
