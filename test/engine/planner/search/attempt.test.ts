/**
 * One attempt at a plan: the options that it takes, the choices that it records, and the content of its fetches.
 */
import { describe, expect, test } from 'vitest'
import { always } from '../../../../engine/operation/conditions.ts'
import type { Field } from '../../../../engine/planner/graph/position.ts'
import type { RequiredField } from '../../../../engine/planner/index.ts'
import { type Attempt, type AttemptOptions, attempting } from '../../../../engine/planner/search/attempt.ts'
import { type Choice, deadEnd, tooExpensive } from '../../../../engine/planner/search/cost.ts'
import { Options } from '../../../../engine/planner/search/field-options.ts'
import type { FetchGroup } from '../../../../engine/planner/search/groups.ts'
import { createRequirements } from '../../../../engine/planner/search/requirements.ts'
import { treeOf } from '../../../support/fetch-groups.ts'

type Given = Partial<Pick<AttemptOptions, 'decisions' | 'bound' | 'thorough' | 'whole'>>

/** Attempts at one operation: its leaves in the order in which they stand. */
function attemptsAt(services: Readonly<Record<string, string>>, query: string) {
  const tree = treeOf(services, query)
  const shared = {
    graph: tree.graph,
    sets: tree.sets,
    options: new Options(tree.graph),
    requirements: createRequirements(tree),
  }
  const isLeaf = ({ below }: Field): boolean => below === undefined
  const levelsOf = (fields: readonly Field[]) => [
    { leaves: fields.filter(isLeaf), objects: fields.filter((field) => !isLeaf(field)) },
  ]
  return {
    tree,
    attempt(given: Given = {}, fields: readonly Field[] = tree.all, levels = levelsOf(fields)) {
      const choices: Choice[] = []
      let steps = 0
      const step = (): void => {
        steps += 1
      }
      const usual = { decisions: [], bound: undefined, thorough: false, ...given }
      const made = attempting({ ...shared, ...usual, selected: levels, step, choices })
      let turns = 0
      let next = made.next()
      for (; next.done !== true; next = made.next()) turns += 1
      return { ...next.value, choices, steps, turns }
    },
  }
}

/** Each fetch as `subgraph@stage: fields`, with the keys of its fields. */
const fetched = ({ groups }: Attempt, names: readonly string[]): readonly string[] => {
  const fieldsOf = ({ entries }: FetchGroup['selection']): string =>
    [...entries.values()]
      .map(({ field, below }) => (below === undefined ? field.key : `${field.key} { ${fieldsOf(below)} }`))
      .join(' ')
  return groups.map(({ graph, stage, selection }) => `${names[graph]}@${stage}: ${fieldsOf(selection)}`)
}

const said = (fields: readonly RequiredField[]): string =>
  fields
    .map(({ key, types, fields: below }) =>
      [
        key,
        ...(types === undefined ? [] : [`on ${types.join('|')}`]),
        ...(below === undefined || below.length === 0 ? [] : [`{ ${said(below)} }`]),
      ].join(' '),
    )
    .join(' ')
/** What each lookup sends. */
const sent = ({ groups }: Attempt): readonly string[] =>
  groups.flatMap(({ kind, representations }) =>
    kind === 'root'
      ? []
      : representations.map(({ types, typename, fields }) =>
          [typename ?? '', types === undefined ? '' : `on ${types.names.join('|')}`, said(fields)]
            .filter((text) => text !== '')
            .join(' '),
        ),
  )

describe('of several ways to a field', () => {
  const services = {
    a: 'type Query { p: P @shareable } type P @key(fields: "id") { id: ID n: Int @shareable }',
    b: 'type Query { p: P @shareable } type P @key(fields: "id") { id: ID n: Int @shareable x: Int }',
    c: 'type P @key(fields: "id") { id: ID n: Int @shareable y: Int }',
  }
  const names = Object.keys(services)

  test('the cheapest is taken, and the others are noted as choices', () => {
    const { attempt } = attemptsAt(services, '{ p { x n } }')
    const made = attempt()
    expect(fetched(made, names)).toEqual(['b@0: p { x n }'])
    expect(made.cost).toEqual({ stages: 1, fetches: 1, fields: 3 })
    expect(made.choices.every(({ taken }) => taken === 0)).toBe(true)
  })

  test('another one is taken if a decision says so, and the last one if there are fewer than the decision names', () => {
    const { attempt } = attemptsAt(services, '{ p { n } }')
    expect(fetched(attempt(), names)).toEqual(['a@0: p { n }'])
    expect(attempt().choices).toEqual([{ taken: 0, count: 2 }])
    const other = attempt({ decisions: [1] })
    expect(fetched(other, names)).toEqual(['b@0: p { n }'])
    expect(other.choices).toEqual([{ taken: 1, count: 2 }])
    expect(attempt({ decisions: [7] }).choices).toEqual([{ taken: 1, count: 2 }])
  })

  test('alternatives that are worse in every respect are used only by a thorough attempt', () => {
    const { attempt } = attemptsAt(services, '{ p { n } }')
    const [usual, thorough] = [attempt(), attempt({ thorough: true })]
    expect(usual.choices.map(({ count }) => count)).toEqual([2])
    expect(thorough.choices[0]?.count).toBe(5)
    expect(fetched(thorough, names)).toEqual(fetched(usual, names))
    const last = attempt({ thorough: true, decisions: [4] })
    expect(fetched(last, names)).toHaveLength(2)
    expect(fetched(last, names)[1]).toMatch(/^[bc]@1: n$/)
  })

  test('none has to be chosen if a fetch that returns the objects can return the field, too', () => {
    const { attempt, tree } = attemptsAt(services, '{ p { x } p { n } }')
    expect(fetched(attempt(), names)).toEqual(['b@0: p { x n }'])
    expect(attempt({}, [tree.field('x')]).choices).toEqual(attempt({}).choices)
  })

  test('an attempt is given up as soon as it costs at least the bound', () => {
    const { attempt } = attemptsAt(services, '{ p { y } }')
    const { cost } = attempt()
    expect(cost).toEqual({ stages: 2, fetches: 2, fields: 5 })
    expect(() => attempt({ bound: cost })).toThrow(tooExpensive)
    expect(attempt({ bound: { ...cost, fields: 6 } }).cost).toEqual(cost)
  })

  test('the steps of an attempt are counted, and it yields after each field', () => {
    const made = attemptsAt(services, '{ p { x n y } }').attempt()
    expect(made.steps).toBeGreaterThan(3)
    expect(made.turns).toBe(3)
    // A field whose objects are there takes one.
    const { attempt, tree } = attemptsAt(services, '{ p { x n } }')
    expect(attempt().steps).toBe(attempt({}, [tree.field('x')]).steps + 1)
  })
})

describe('a lookup', () => {
  test('sends its key, and what the field requires in a separate list', () => {
    const { attempt } = attemptsAt(
      {
        a: 'type Query { p: P } type P @key(fields: "id") { id: ID }',
        b: 'type P @key(fields: "id") { id: ID w: Int box: Box } type Box { size: Int }',
        c: `type P @key(fields: "id") { id: ID w: Int @external box: Box @external
          cost: Int @requires(fields: "w box { size }") free: Int } type Box { size: Int @external }`,
      },
      '{ p { cost } }',
    )
    const made = attempt()
    expect(sent(made)).toEqual(['on P id', 'on P id w box { size }'])
    const [root, lookup, last] = made.groups
    expect([...(last?.after ?? [])]).toEqual(expect.arrayContaining([root, lookup]))
    // What is found by the key alone waits for the key alone.
    expect(last?.byKey?.representations.map(({ fields }) => said(fields))).toEqual(['id'])
    expect([...(last?.byKey?.after ?? [])]).toEqual([root])
    expect(lookup?.byKey).toBeUndefined()
  })

  test('by its key alone waits for what has the key and the type, wherever these are', () => {
    const names = ['a', 'b', 'c', 'd']
    const made = attemptsAt(
      {
        a: 'type Query { p: P } type P @key(fields: "id") { id: ID }',
        b: 'type P @key(fields: "id") @key(fields: "code") { id: ID code: ID }',
        c: 'type P @key(fields: "id") { id: ID w: Int }',
        d: 'type P @key(fields: "code") { code: ID w: Int @external cost: Int @requires(fields: "w") }',
      },
      '{ p { cost } }',
    ).attempt()
    const last = made.groups.at(-1)
    const subgraphs = (groups: Iterable<FetchGroup> = []) =>
      [...groups].map(({ graph }) => names[graph]).sort()
    expect(made.groups.map(({ kind }) => kind)).toEqual(['root', 'entities', 'entities', 'entities'])
    expect([subgraphs(last?.after), subgraphs(last?.byKey?.after)]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b'],
    ])
  })

  test('of objects of several types sends the key of each', () => {
    const { attempt, tree } = attemptsAt(
      {
        a: `type Query { media: [Media] } interface Media { name: String } type Film implements Media @key(fields: "id") { id: ID name: String }
          type Song implements Media @key(fields: "code") { code: ID name: String }
          type Tape implements Media @key(fields: "id") { id: ID name: String }`,
        b: `interface Media { size: Int } type Film implements Media @key(fields: "id") { id: ID size: Int }
          type Song implements Media @key(fields: "code") { code: ID size: Int }
          type Tape implements Media @key(fields: "id") { id: ID size: Int }`,
      },
      '{ media { size } }',
    )
    const made = attempt()
    expect(sent(made)).toEqual(['on Film|Tape id', 'on Song code'])
    const [root, lookup] = made.groups
    expect(lookup?.types).toBeUndefined()
    const media = [...(root?.selection.entries.values() ?? [])][0]
    expect(
      [...(media?.below?.entries.values() ?? [])].map(({ field: { key }, types }) => [key, types.names]),
    ).toEqual(
      expect.arrayContaining([
        ['id', ['Film', 'Tape']],
        ['code', ['Song']],
        ['__typename', ['Film', 'Song', 'Tape']],
      ]),
    )
    expect(tree.field('size').types.names).toEqual(['Film', 'Song', 'Tape'])
  })

  test('of some of the objects says which', () => {
    const { attempt } = attemptsAt(
      {
        a: `type Query { media: [Media] } interface Media { id: ID } type Film implements Media @key(fields: "id") { id: ID }
          type Song implements Media @key(fields: "id") { id: ID }`,
        b: 'type Film @key(fields: "id") { id: ID size: Int }',
      },
      '{ media { ... on Film { size } } }',
    )
    const made = attempt()
    expect(sent(made)).toEqual(['on Film id'])
    expect(made.groups[1]?.types?.names).toEqual(['Film'])
  })

  test('under the name of an interface is of all objects at the place', () => {
    const { attempt } = attemptsAt(
      {
        a: `type Query { media: [Media] } interface Media @key(fields: "id") { id: ID } type Film implements Media @key(fields: "id") { id: ID }
          type Song implements Media @key(fields: "id") { id: ID }`,
        b: 'type Media @key(fields: "id") @interfaceObject { id: ID rating: Int }',
      },
      '{ media { rating ... on Film { mine: rating } } }',
    )
    const made = attempt()
    expect(sent(made)).toEqual(['Media id', 'Media id'])
    expect(made.groups.slice(1).map(({ as, types }) => [as?.name, types?.names])).toEqual([
      ['Media', undefined],
      ['Media', ['Film']],
    ])
  })

  test('takes the values of arguments from the objects above that have them', () => {
    const { attempt } = attemptsAt(
      {
        a: `type Query { shop: Shop } type Shop @key(fields: "id") @context(name: "shop") { id: ID currency: String! items: [Item] }
          type Item @key(fields: "id") { id: ID price(in: String @fromContext(field: "$shop { currency }")): Int }`,
        b: 'type Query { own: Int }',
      },
      '{ shop { items { price } } }',
    )
    const made = attempt()
    const last = made.groups.at(-1)
    expect(
      last?.contexts.map(({ argument, variable, type, from, fields }) => [
        argument,
        variable,
        type,
        from.field?.key,
        said(fields),
      ]),
    ).toEqual([['in', 'context_in', 'String', 'shop', 'currency']])
  })
})

describe('a shared field', () => {
  const services = {
    a: 'type Query { p: P @shareable } type P @key(fields: "id") { id: ID }',
    b: 'type P @key(fields: "id") { id: ID w: Int @shareable x: Int }',
    c: 'type P @key(fields: "id") { id: ID w: Int @external cost: Int @requires(fields: "w") }',
    d: 'type Query { p: P @shareable } type P @key(fields: "id") { id: ID w: Int @shareable }',
  }

  test('is requested from a subgraph that is called anyway if it is only selected', () => {
    expect(fetched(attemptsAt(services, '{ p { x w } }').attempt(), Object.keys(services))).toEqual([
      'a@0: p { id __typename }',
      'b@1: x w',
    ])
  })

  test('is requested from the subgraph that answers earliest if other fields wait for it', () => {
    expect(fetched(attemptsAt(services, '{ p { x cost } }').attempt(), Object.keys(services))).toEqual([
      'a@0: p { id __typename }',
      'b@1: x',
      'd@0: p { w }',
      'c@1: cost',
    ])
  })
})

describe('the root below a field', () => {
  const services = {
    a: 'type Query { again: Query m: Int @shareable n: Int @shareable }',
    b: 'type Query { x: Int y: Int @shareable } type Mutation { make: Int }',
    c: 'type Query { y: Int @shareable z: Int }',
  }
  const names = Object.keys(services)

  test('is asked for in further subgraphs once its object is known to be there', () => {
    const made = attemptsAt(services, '{ again { m x y z } }').attempt()
    expect(fetched(made, names)).toEqual(['a@0: again { m }', 'b@1: x y', 'c@1: z'])
    const [first, ...others] = made.groups
    for (const { kind, as, types, representations, contexts, after } of others)
      expect([kind, as?.name, types, representations, contexts, [...after]]).toEqual([
        'root',
        'Query',
        undefined,
        [],
        [],
        [first],
      ])
  })

  test('is selected in its own fetch although nothing else of it comes from there', () => {
    const made = attemptsAt(services, '{ again { again { x } } }').attempt()
    expect(fetched(made, names)).toEqual(['a@0: again { again {  } }', 'b@1: x'])
  })
})

describe('an object', () => {
  const services = {
    a: 'type Query { p: P } type P @key(fields: "id") { id: ID }',
    b: 'type P @key(fields: "id") { id: ID x: Int }',
  }

  test('is requested if nothing of it is selected under the same conditions', () => {
    const whenOf = (query: string) => {
      const [root] = attemptsAt(services, query).attempt().groups
      return root?.when.map(({ key }) => key)
    }
    expect(whenOf('query($c: Boolean!) { p { id @include(if: $c) } }')).toEqual([''])
    expect(whenOf('query($c: Boolean!) { p @include(if: $c) { id } }')).toEqual(['$c'])
    expect(whenOf('{ p { id } }')).toEqual([''])
  })

  test('is not requested again if it is there', () => {
    const { attempt } = attemptsAt(services, '{ p { id } }')
    expect(attempt().turns).toBe(1)
    expect(attemptsAt(services, 'query($c: Boolean!) { p { id @include(if: $c) } }').attempt().turns).toBe(2)
  })
})

test('an attempt ends with an error at a field that no subgraph can resolve', () => {
  const { attempt, tree } = attemptsAt(
    {
      a: 'type Query { p: P } type P @key(fields: "id") { id: ID }',
      b: 'type P @key(fields: "id") { id: ID x: Int }',
    },
    '{ p { x } }',
  )
  const x = { ...tree.field('x'), id: 1000, candidates: [] }
  expect(() => attempt({}, [x])).toThrow(deadEnd)
  expect(x.when).toBe(always)
})

describe('a field of a later delivery group', () => {
  const services = {
    a: 'type Query { p: P @shareable } type P @key(fields: "id") { id: ID n: Int @shareable m: Int }',
    b: 'type Query { p: P @shareable } type P @key(fields: "id") { id: ID n: Int @shareable x: Int }',
  }
  const names = Object.keys(services)
  /** The fields after the first one belong to a delivery group. */
  const made = (query: string, first: string, given: Given = {}, of = services) => {
    const { attempt, tree } = attemptsAt(of, query)
    const when = { key: '$#p1_0', all: [{ variable: '#p1_0', value: true }] }
    const leaves = tree.all.filter(({ below }) => below === undefined)
    const [now, later] = [
      leaves.filter(({ key }) => key === first),
      leaves.filter(({ key }) => key !== first),
    ]
    return attempt(
      given,
      [],
      [
        { leaves: now, objects: [] },
        { leaves: later.map((field) => ({ ...field, when })), objects: [] },
      ],
    )
  }

  test('is requested separately from the first part, by a lookup of its object or at the root', () => {
    const apart = made('{ p { m n } }', 'm')
    expect(fetched(apart, names)).toEqual([
      'a@0: p { m id __typename }',
      expect.stringMatching(/^[ab]@1: n$/),
    ])
    expect(apart.groups.map(({ deliveryGroup }) => deliveryGroup)).toEqual(['', '#p1_0'])
    expect(fetched(made('{ p { m n x } }', 'm'), names)).toEqual([
      'a@0: p { m id __typename }',
      'a@1: n',
      'b@0: p { x }',
    ])
  })

  test('is looked up again if the first response has looked up the same object there', () => {
    const services = {
      a: 'type Query { p: P } type P @key(fields: "id") { id: ID }',
      b: 'type P @key(fields: "id") { id: ID x: Int y: Int }',
    }
    expect(fetched(made('{ p { x y } }', 'x', {}, services), names)).toEqual([
      'a@0: p { id __typename }',
      'b@1: x',
      'b@1: y',
    ])
  })

  test('is requested separately at the root, and with the first part below a field', () => {
    const services = { a: 'type Query { again: Query m: Int n: Int }', b: 'type Query { x: Int }' }
    expect(fetched(made('{ m n }', 'm', {}, services), names)).toEqual(['a@0: m', 'a@0: n'])
    expect(fetched(made('{ again { m n } }', 'm', {}, services), names)).toEqual(['a@0: again { m n }'])
  })

  test('is requested with the first part if all is fetched together', () => {
    expect(fetched(made('{ p { m n } }', 'm', { whole: true }), names)).toEqual(['a@0: p { m n }'])
  })
})
