/** The planner as its callers use it: its decisions before and after the search for a plan. */
import {
  buildSchema,
  type DocumentNode,
  type FieldNode,
  Kind,
  OperationTypeNode,
  parse,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import {
  createPlanner,
  labelsIn,
  PlanBoundError,
  PlanError,
  type PlanInput,
  printPlan,
} from '../../../engine/planner/index.ts'
import { fetchesOf, inputOf, joined, planning, supergraphOf } from '../../support/plans.ts'
import '../../support/matchers.ts'
import { planInputOf } from '../../support/normalised.ts'

/** Fragments are told apart by the graph alone. */
const anySchema = buildSchema('type Query { a: Int } type Mutation { a: Int } type Subscription { a: Int }')
const raw = (given: string | DocumentNode): PlanInput => planInputOf(anySchema, given)

describe('labels of @override', () => {
  test('are those of the supergraph, each once, sorted', () => {
    expect(
      labelsIn(
        parse(`enum E { A } scalar S union U = T
          type T { a: Int @join__field(graph: A, override: "b", overrideLabel: "second") b: Int @join__field(graph: A, overrideLabel: "first")
            c: Int @join__field(graph: B, overrideLabel: "second") @other(label: "third") d: Int @join__field(graph: B) e: Int
            f: Int @join__field(graph: A, overrideLabel: 5, name: "g") }
          interface I { a: Int @join__field(graph: A, overrideLabel: "in interfaces") }
          extend type T { z: Int @join__field(graph: A, overrideLabel: "added") }`),
      ),
    ).toEqual(['added', 'first', 'in interfaces', 'second'])
  })

  test('are decided one by one, again for each plan', () => {
    const supergraph = joined(`type Query @A @B {
      x: Int @a @b(override: "a", overrideLabel: "lx") y: Int @a @b(override: "a", overrideLabel: "ly") }`)
    const planner = createPlanner(supergraph)
    const services = (field: string, ...on: readonly string[]) =>
      printPlan(
        planner.plan({ ...inputOf(supergraph, `{ ${field} }`), decide: (label) => on.includes(label) }),
      ).split('\n')[0]
    for (let turn = 0; turn < 2; turn++) {
      expect([services('x'), services('y')]).toEqual(['fetch a', 'fetch a'])
      expect([services('x', 'lx'), services('y', 'lx')]).toEqual(['fetch b', 'fetch a'])
      expect([services('x', 'ly'), services('y', 'ly')]).toEqual(['fetch a', 'fetch b'])
      expect([services('x', 'lx', 'ly'), services('y', 'lx', 'ly')]).toEqual(['fetch b', 'fetch b'])
    }
    expect(printPlan(planner.plan(inputOf(supergraph, '{ x }'))).split('\n')[0]).toBe('fetch a')
    const fetches = planner.planIncremental(inputOf(supergraph, '{ x y }'))
    expect(fetches.map(({ node }) => printPlan(node).split('\n')[0])).toEqual(['fetch a'])
  })

  test('are obeyed even if they have more combinations than graphs are kept', () => {
    const names = [1, 2, 3, 4, 5]
    const supergraph = joined(
      `type Query @A @B { ${names.map((n) => `f${n}: Int @a @b(override: "a", overrideLabel: "l${n}")`).join(' ')} }`,
    )
    const planner = createPlanner(supergraph)
    const input = inputOf(supergraph, `{ ${names.map((n) => `f${n}`).join(' ')} }`)
    for (let round = 0; round < 2; round++) {
      for (let bits = 0; bits < 2 ** names.length; bits++) {
        const on = names.filter((_, index) => (bits >> index) % 2 === 1)
        const plan = planner.plan({ ...input, decide: (label) => on.some((n) => label === `l${n}`) })
        const [, inB = ''] = /fetch b\n\s*\{ (.*) \}/.exec(printPlan(plan)) ?? []
        expect(inB, String(on)).toBe(on.map((n) => `f${n}`).join(' '))
      }
    }
  })

  test('have a graph for each combination; the plain one and the sixteen used last are kept', () => {
    const names = ['1', '2', '4', '8', '16']
    const supergraph = joined(
      `type Query @A @B { n: Int ${names.map((n) => `f${n}: Int @a @b(override: "a", overrideLabel: "${n}")`).join(' ')} }`,
    )
    let made = 0
    const planner = createPlanner({
      document: supergraph.document,
      get subgraphs() {
        made += 1
        return supergraph.subgraphs
      },
    })
    const input = inputOf(supergraph, '{ n }')
    /** Those of `first` to `last` that need a new graph. */
    const anew = (first: number, last: number): number => {
      const before = made
      for (let bits = first; bits <= last; bits++)
        planner.plan({ ...input, decide: (label) => (bits & Number(label)) !== 0 })
      return made - before
    }
    expect([made, anew(0, 0)]).toEqual([1, 0])
    expect(anew(1, 31)).toBe(31)
    expect(anew(16, 31)).toBe(0)
    expect([anew(0, 0), anew(17, 31), anew(16, 16)]).toEqual([0, 0, 1])
  })
})

describe('an operation', () => {
  const supergraph = joined(`type Query @A { n: Int item: Item } type Item @A { item: Item n: Int }
    type Mutation @A @B { here: Int @a nowhere: Int @a(external: true) }`)
  const planner = createPlanner(supergraph)

  test('of a type that the supergraph does not have is refused', () => {
    const plan = () => planner.plan(raw('subscription { n }'))
    expect(plan).toThrow(PlanError)
    expect(plan).toThrow('The supergraph has no subscription type.')
  })

  test('with a mutation that no subgraph has is refused by its name', () => {
    const plan = () => planner.plan(raw('mutation { here nowhere }'))
    expect(plan).toThrow(PlanError)
    expect(plan).toThrow('No subgraph can resolve Mutation.nowhere.')
  })

  test('that selects nothing of subgraphs has no plan', () => {
    expect(planner.plan(raw('{ __typename }'))).toBeUndefined()
    expect(planner.planIncremental(raw('{ __typename }'))).toEqual([])
    expect(planner.plan(raw('mutation { __typename }'))).toBeUndefined()
  })

  test('that is nested deeper than calls can be is refused, however it is planned', () => {
    const field = (name: string, selectionSet?: SelectionSetNode): FieldNode => ({
      kind: Kind.FIELD,
      name: { kind: Kind.NAME, value: name },
      ...(selectionSet && { selectionSet }),
    })
    let deep = field('n')
    for (let level = 0; level < 15_000; level++)
      deep = field('item', { kind: Kind.SELECTION_SET, selections: [deep] })
    const selectionSet = { kind: Kind.SELECTION_SET, selections: [deep] } as const
    const operation = {
      kind: Kind.OPERATION_DEFINITION,
      operation: OperationTypeNode.QUERY,
      selectionSet,
    } as const
    const input = raw({ kind: Kind.DOCUMENT, definitions: [operation] })
    for (const plan of [() => planner.plan(input), () => planner.planIncremental(input)]) {
      expect(plan).toThrow('The operation is nested too deeply to be planned.')
      expect(plan).toThrow(expect.objectContaining({ ofTime: false }))
      expect(plan).toThrow(PlanBoundError)
    }
  })
})

describe('a mutation that several subgraphs have', () => {
  test('is sent to the one from which the plan costs the least, whichever comes first', () => {
    for (const [has, hasNot] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const plan = planning({
        [has]: `type Query { ${has}: Int } type Mutation { make: Item @shareable } type Item @key(fields: "id") { id: ID! x: Int }`,
        [hasNot]: `type Query { ${hasNot}: Int } type Mutation { make: Item @shareable } type Item @key(fields: "id") { id: ID! }`,
      })
      expect(plan('mutation { make { id x } }')).toHavePlan(`
        fetch ${has}
          mutation { make { id x } }
      `)
    }
  })

  test('is sent to a subgraph that has all fields', () => {
    for (const [has, hasNot] of ['AB', 'BA']) {
      const supergraph = joined(`type Query @A { n: Int } type Mutation @A @B { make: Item }
        type Item @${has} @${hasNot} { n: Int x: Int @${has?.toLowerCase()} y: Z @${has?.toLowerCase()} } type Z @${has} { n: Int }`)
      const planner = createPlanner(supergraph)
      expect(printPlan(planner.plan(inputOf(supergraph, 'mutation { make { x y { n } } }')))).toBe(
        `fetch ${has?.toLowerCase()}\n  mutation { make { x y { n } } }`,
      )
    }
  })

  test('is refused with the reason if no subgraph has all fields', () => {
    const supergraph = joined(`type Query @A { n: Int } type Mutation @A @B { make: Item }
      type Item @A @B { x: Int @a y: Int @b }`)
    const plan = () => createPlanner(supergraph).plan(inputOf(supergraph, 'mutation { make { x y } }'))
    expect(plan).toThrow(PlanError)
    expect(plan).toThrow(/No subgraph can resolve Item\.[xy] at the place where the operation selects it/)
  })

  test('is refused immediately if it takes too many steps', () => {
    const supergraph = joined(
      'type Query @A { n: Int } type Mutation @A @B { make: Item } type Item @A @B { x: Int y: Int z: Int }',
    )
    const planner = createPlanner(supergraph, { mostSteps: 2 })
    expect(() => planner.plan(inputOf(supergraph, 'mutation { make { x y z } }'))).toThrow(PlanBoundError)
  })
})

test('a field that is never fetched does not divide the mutations of a subgraph', () => {
  const plan = planning({
    a: 'type Query { n: Int } type Mutation { make(n: Int): Int }',
    b: 'type Mutation { other: Int }',
  })
  expect(fetchesOf(plan('mutation($x: Boolean!) { make @skip(if: $x) t: __typename make }'))).toBe(1)
})

describe('an incremental operation', () => {
  const services = {
    a: 'type Query { item: Item } type Item @key(fields: "id") { id: ID! a: Int }',
    b: 'type Item @key(fields: "id") { id: ID! b: Int c: Int d: Int }',
    c: 'type Item @key(fields: "id") { id: ID! c: Int @external e: Int @requires(fields: "c") }',
  }
  const supergraph = supergraphOf(services)
  /** Fields under a condition on `$p1_0` belong to the delivery group `#p1_0`. */
  const inParts = (text: string): PlanInput => {
    const document = visit(parse(text), {
      Variable: (node) => ({ ...node, name: { ...node.name, value: `#${node.name.value}` } }),
    })
    return raw(document)
  }
  const input = inParts(
    '{ item { a b ... @include(if: $p1_0) { c d } ... @include(if: $p1_1) { e } ... @include(if: $p2_2) { c d e } } }',
  )

  test('has separate fetches for its delivery groups, each after those that it waits for', () => {
    const fetches = createPlanner(supergraph).planIncremental(
      inParts('{ item { a ... @include(if: $p1_0) { b } } }'),
    )
    expect(fetches.map(({ deliveryGroup, after }) => [deliveryGroup, ...after])).toEqual([[''], ['#p1_0', 0]])
  })

  test('is fetched together if the steps do not suffice to fetch its delivery groups separately', () => {
    const apart = createPlanner(supergraph).planIncremental(input).length
    const fetchesAt = (mostSteps: number): number | undefined => {
      try {
        return createPlanner(supergraph, { mostSteps }).planIncremental(input).length
      } catch (error) {
        expect(error).toBeInstanceOf(PlanBoundError)
        return undefined
      }
    }
    const found = Array.from({ length: 60 }, (_, mostSteps) => fetchesAt(mostSteps))
    const together = found.find((fetches) => fetches !== undefined) ?? 0
    expect(found[0]).toBeUndefined()
    expect(together).toBeLessThan(apart)
    // The more steps, the more of it is apart.
    expect(found.filter((fetches) => fetches !== undefined)).toEqual([
      ...found.filter((fetches) => fetches === together),
      ...found.filter((fetches) => fetches === apart),
    ])
    expect(found.at(-1)).toBe(apart)
  })

  test('is not planned again if no time is left', () => {
    const looks = (plan: 'plan' | 'planIncremental'): number => {
      let time = 0
      const planner = createPlanner(supergraph, { now: () => time++ })
      const fields = Array.from({ length: 600 }, (_, n) => `f${n}: a`).join(' ')
      expect(() => planner[plan]({ ...inParts(`{ item { ${fields} } }`), deadline: 0 })).toThrow(
        expect.objectContaining({ ofTime: true }),
      )
      return time
    }
    expect(looks('planIncremental')).toBe(looks('plan'))
  })
})
