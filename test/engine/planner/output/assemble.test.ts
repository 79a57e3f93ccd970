/** The fetches of a plan: their texts, names and variables, and the places of the objects that they look up. */
import { describe, expect, test } from 'vitest'
import { DeliveryGroups } from '../../../../engine/executor/incremental/delivery-groups.ts'
import {
  createPlanner,
  type EntitiesNode,
  eachFetch,
  type FetchNode,
} from '../../../../engine/planner/index.ts'
import { normalisedOf } from '../../../support/normalised.ts'
import { planning, supergraphOf } from '../../../support/plans.ts'

const services = {
  shop: `
    directive @mark(n: Int) on QUERY | MUTATION
    type Query { p(n: Int): P q: P media: [[Media]!]! }
    interface Media { id: ID }
    type Film implements Media @key(fields: "id") { id: ID }
    type Song implements Media @key(fields: "id") { id: ID }
    type P @key(fields: "id") { id: ID n: Int alike: [P] tags: [String] }
    type Depot @key(fields: "id") { id: ID name: String }
    type Mutation { add(n: Int): P }`,
  'post-office': `
    directive @mark(n: Int) on QUERY | MUTATION
    type P @key(fields: "id") {
      id: ID stock(n: Int): Int place: Int depot: Depot tags: [String] @external label: String @requires(fields: "tags")
    }
    type Depot @key(fields: "id") { id: ID code: Int }
    type Film @key(fields: "id") { id: ID minutes: Int }
    type Mutation { send: P }`,
}
const plan = planning(services)

function fetchesOf(query: string): readonly (FetchNode | EntitiesNode)[] {
  const all: (FetchNode | EntitiesNode)[] = []
  eachFetch(plan(query), (node) => all.push(node))
  return all
}
const textsOf = (query: string) => fetchesOf(query).map(({ operation }) => operation.text)
const entitiesOf = (query: string) =>
  fetchesOf(query).flatMap((node) => (node.kind === 'entities' ? [node] : []))

describe('the text of a fetch', () => {
  test.each<[string, string, readonly string[]]>([
    ['is no more than a selection, if that is enough', 'query { p { id } }', ['{ p { id } }']],
    [
      'has a name of its own, if the operation has one',
      'query Mine { p { stock } }',
      [
        'query Mine__shop__0 { p { __typename id } }',
        'query Mine__post_office__1($representations: [_Any!]!) { _entities(representations: $representations) { ... on P { stock } } }',
      ],
    ],
    [
      'declares the variables that it uses, with their defaults, as the operation does',
      'query($n: Int = 3) { p(n: $n) { s: stock t: stock(n: $n) } }',
      [
        'query($n: Int = 3) { p(n: $n) { __typename id } }',
        'query($representations: [_Any!]!, $n: Int = 3) { _entities(representations: $representations) { ... on P { s: stock t: stock(n: $n) } } }',
      ],
    ],
    [
      'declares no other variables',
      'query($n: Int, $m: Int) { p(n: $n) { stock(n: $m) } }',
      [
        'query($n: Int) { p(n: $n) { __typename id } }',
        'query($representations: [_Any!]!, $m: Int) { _entities(representations: $representations) { ... on P { stock(n: $m) } } }',
      ],
    ],
    [
      'has the directives of a query, with their variables, everywhere',
      'query($nn: Int, $n: Int) @mark(n: $nn) { p(n: 1) { stock(n: $n) } }',
      [
        'query($nn: Int) @mark(n: $nn) { p(n: 1) { __typename id } }',
        'query($representations: [_Any!]!, $nn: Int, $n: Int) @mark(n: $nn) { _entities(representations: $representations) { ... on P { stock(n: $n) } } }',
      ],
    ],
    ['has nothing but directives, if it has those', 'query @mark { p { id } }', ['query @mark { p { id } }']],
    [
      'has the directives of a mutation in mutations alone',
      'mutation Mine($n: Int) @mark(n: $n) { add { stock } send { id } }',
      [
        'mutation Mine__shop__0($n: Int) @mark(n: $n) { add { __typename id } }',
        'query Mine__post_office__1($representations: [_Any!]!) { _entities(representations: $representations) { ... on P { stock } } }',
        'mutation Mine__post_office__2($n: Int) @mark(n: $n) { send { id } }',
      ],
    ],
    ['says that it is a mutation', 'mutation { add { id } }', ['mutation { add { id } }']],
    [
      'has a lookup for each of several questions',
      '{ p { stock alike { place } } }',
      [
        '{ p { __typename id alike { __typename id } } }',
        'query($_e0: [_Any!]!, $_e1: [_Any!]!) { _e0: _entities(representations: $_e0) { ... on P { stock } } _e1: _entities(representations: $_e1) { ... on P { place } } }',
      ],
    ],
    [
      'gives its variables names that the operation does not use',
      'query($representations: Int, $_representations: Int) { p(n: $representations) { stock(n: $_representations) } }',
      [
        'query($representations: Int) { p(n: $representations) { __typename id } }',
        'query($__representations: [_Any!]!, $_representations: Int) { _entities(representations: $__representations) { ... on P { stock(n: $_representations) } } }',
      ],
    ],
  ])('%s', (_, query, expected) => {
    expect(textsOf(query)).toEqual(expected)
  })

  test('comes with its service, its kind, its name and the variables of the operation', () => {
    const query = 'query Mine($n: Int, $m: Int) { p(n: $n) { stock(n: $m) } }'
    expect(fetchesOf(query).map(({ operation: { text, ...rest } }) => rest)).toEqual([
      { service: 'shop', kind: 'query', name: 'Mine__shop__0', variableNames: ['n'] },
      { service: 'post-office', kind: 'query', name: 'Mine__post_office__1', variableNames: ['m'] },
    ])
    expect(
      fetchesOf('mutation { add { stock } }').map(({ operation: { kind, name } }) => [kind, name]),
    ).toEqual([
      ['mutation', undefined],
      ['query', undefined],
    ])
  })
})

describe('the objects of a lookup', () => {
  test('are found by a path of fields, lists and types', () => {
    const [node] = entitiesOf('{ media { ... on Film { minutes } } }')
    expect(node?.groups.map(({ alias, variable, paths }) => [alias, variable, paths])).toEqual([
      [
        '_entities',
        'representations',
        [
          [
            { kind: 'field', key: 'media' },
            { kind: 'list' },
            { kind: 'list' },
            { kind: 'type', types: ['Film'] },
          ],
        ],
      ],
    ])
  })

  test('of several places are looked up together if the same is requested under the same conditions', () => {
    const groups = (query: string) =>
      entitiesOf(query).flatMap((node) =>
        node.groups.map(({ alias, paths, when }) => [
          alias,
          ...paths.map((path) =>
            path.map((step) => (step.kind === 'field' ? step.key : step.kind)).join('.'),
          ),
          ...(when ?? []).map(({ key }) => key),
        ]),
      )
    expect(groups('{ p { stock } q { stock alike { stock } } }')).toEqual([
      ['_entities', 'p', 'q', 'q.alike.list'],
    ])
    expect(groups('query($c: Boolean!) { p { stock } q { stock @include(if: $c) } }')).toEqual([
      ['_e0', 'p'],
      ['_e1', 'q', '$c'],
    ])
    expect(groups('{ p { stock } q { stock(n: 1) } }')).toEqual([
      ['_e0', 'p'],
      ['_e1', 'q'],
    ])
  })

  test('are looked up after the fetch of the root, and only if something needs them', () => {
    const kinds = (query: string): unknown => {
      const made = plan(query)
      return made?.kind === 'sequence' ? made.nodes.map(({ kind }) => kind) : made?.kind
    }
    expect(kinds('{ p { stock } }')).toEqual(['fetch', 'entities'])
    expect(kinds('{ p { id } }')).toBe('fetch')
    expect(plan('{ p @include(if: false) { id } }')).toBeUndefined()
  })
})

describe('the fetches of an incremental operation', () => {
  const supergraph = supergraphOf(services)
  const planner = createPlanner(supergraph)
  /** Each by its text, with what of the rest is not empty; conditions for delivery groups are not in the text. */
  function deliveryFetchesOf(query: string) {
    const { operation } = new DeliveryGroups(supergraph.apiSchema, {}).divide(
      normalisedOf(supergraph.apiSchema, query),
    )
    const made = planner.planIncremental({ operation })
    return made.map(({ node, ...rest }) => {
      if (node.kind !== 'fetch' && node.kind !== 'entities') throw new Error('Expected a fetch.')
      const said = Object.entries(rest).filter(([, value]) => value.length > 0)
      return [
        node.operation.text.replace(/^.*(?=_entities\()|\(representations: .*?\)/g, ''),
        Object.fromEntries(said),
      ]
    })
  }

  test('belong to a delivery group each, come after those that they wait for, and name their fields of later groups', () => {
    expect(deliveryFetchesOf('{ p { n ... @defer { stock } } q { id } }')).toEqual([
      [
        '{ p { __typename id n } q { id } }',
        {
          deliveryGroups: [''],
          late: [
            { path: ['p', 'id'], deliveryGroup: '#p1_0' },
            { path: ['p', '__typename'], deliveryGroup: '#p1_0' },
          ],
        },
      ],
      [
        '_entities { ... on P { stock } } }',
        { deliveryGroup: '#p1_0', deliveryGroups: ['#p1_0'], after: [0] },
      ],
    ])
  })

  test('wait for each other by number', () => {
    expect(deliveryFetchesOf('{ p { stock ... @defer { alike { place } } } }')).toEqual([
      ['{ p { __typename id } }', { deliveryGroups: [''] }],
      ['_entities { ... on P { stock } } }', { deliveryGroups: [''], after: [0] }],
      [
        '_entities { ... on P { alike { __typename id } } } }',
        { deliveryGroup: '#p1_0', deliveryGroups: ['#p1_0'], after: [0] },
      ],
      [
        '_entities { ... on P { place } } }',
        { deliveryGroup: '#p1_0', deliveryGroups: ['#p1_0'], after: [2] },
      ],
    ])
  })

  test('wait for what several delivery groups need, which is a group of its own', () => {
    expect(
      deliveryFetchesOf('{ p { n ... @defer { depot { code } } ... @defer { depot { name } } } }'),
    ).toEqual([
      [
        '{ p { __typename id n } }',
        {
          deliveryGroups: [''],
          late: [
            { path: ['p', 'id'], deliveryGroup: '#p1_0' },
            { path: ['p', '__typename'], deliveryGroup: '#p1_0' },
          ],
        },
      ],
      [
        '_entities { ... on P { depot { __typename id } } } }',
        { deliveryGroup: '#p1_0', deliveryGroups: ['#p1_0'], after: [0] },
      ],
      [
        '_entities { ... on Depot { code } } }',
        { deliveryGroup: '#p2_1', deliveryGroups: ['#p2_1'], after: [1] },
      ],
      [
        '_entities { ... on Depot { name } } }',
        { deliveryGroup: '#p2_2', deliveryGroups: ['#p2_2'], after: [1] },
      ],
    ])
  })

  test('say by its response key which lookup brings the fields of later delivery groups', () => {
    expect(
      deliveryFetchesOf(
        '{ p { depot { code ... @defer { name } } alike { depot { c: code ... @defer { name } } } } }',
      ),
    ).toEqual([
      ['{ p { __typename id alike { __typename id } } }', { deliveryGroups: [''] }],
      [
        '_entities { ... on P { depot { __typename id c: code } } } }',
        {
          deliveryGroups: [''],
          late: [
            { path: ['_e0', 'depot', 'id'], deliveryGroup: '#p1_0' },
            { path: ['_e0', 'depot', '__typename'], deliveryGroup: '#p1_0' },
            { path: ['_e1', 'depot', 'id'], deliveryGroup: '#p1_1' },
            { path: ['_e1', 'depot', '__typename'], deliveryGroup: '#p1_1' },
          ],
          after: [0],
        },
      ],
      [
        '_entities { ... on Depot { name } } }',
        { deliveryGroup: '#p1_0', deliveryGroups: ['#p1_0'], after: [1] },
      ],
      [
        '_entities { ... on Depot { name } } }',
        { deliveryGroup: '#p1_1', deliveryGroups: ['#p1_1'], after: [1] },
      ],
    ])
  })

  test('name the lists that they stream, and those whose items contain their objects', () => {
    expect(deliveryFetchesOf('{ p { alike @stream { n stock } } }')).toEqual([
      [
        '{ p { alike { __typename id n } } }',
        { deliveryGroups: [''], brings: [{ list: 's0', deliveryGroup: '' }] },
      ],
      ['_entities { ... on P { stock } } }', { deliveryGroups: [''], lists: ['s0'], after: [0] }],
    ])
    // What something else of the plan requires has to be there whole.
    expect(deliveryFetchesOf('{ p { tags @stream label } q { tags @stream } }')).toEqual([
      [
        '{ p { __typename id tags } q { tags } }',
        { deliveryGroups: [''], brings: [{ list: 's1', deliveryGroup: '' }] },
      ],
      ['_entities { ... on P { label } } }', { deliveryGroups: [''], after: [0] }],
    ])
  })

  test('of a mutation come after those of the first part of the mutation before it', () => {
    expect(
      deliveryFetchesOf('mutation { add { id ... @defer { stock } } send { id ... @defer { n } } }'),
    ).toEqual([
      [
        'mutation { add { __typename id } }',
        { deliveryGroups: [''], late: [{ path: ['add', '__typename'], deliveryGroup: '#p1_0' }] },
      ],
      [
        '_entities { ... on P { stock } } }',
        { deliveryGroup: '#p1_0', deliveryGroups: ['#p1_0'], after: [0] },
      ],
      [
        'mutation { send { __typename id } }',
        {
          deliveryGroups: [''],
          late: [{ path: ['send', '__typename'], deliveryGroup: '#p1_1' }],
          after: [0],
        },
      ],
      ['_entities { ... on P { n } } }', { deliveryGroup: '#p1_1', deliveryGroups: ['#p1_1'], after: [2] }],
    ])
  })
})
