/** A plan in progress: its cost, the sources of fields, and their conditions. */
import { describe, expect, test } from 'vitest'
import { always, type Conjunction } from '../../../../engine/operation/conditions.ts'
import type { Field, Position } from '../../../../engine/planner/graph/position.ts'
import { type Cost, tooExpensive } from '../../../../engine/planner/search/cost.ts'
import { Draft } from '../../../../engine/planner/search/draft.ts'
import type { FetchGroup } from '../../../../engine/planner/search/groups.ts'
import type { Source } from '../../../../engine/planner/search/sources.ts'
import { conjunctionOf } from '../../../support/fetch-entries.ts'
import { treeOf } from '../../../support/fetch-groups.ts'

const tree = treeOf(
  {
    a: 'type Query { p: P q: P } type P @key(fields: "id") { id: ID n: Int next: P }',
    b: 'type P @key(fields: "id") { id: ID x: Int @shareable }',
    c: 'type P @key(fields: "id") { id: ID x: Int @shareable y: Int }',
  },
  '{ p { id n x y next { deep: n } } q { again: id other: x } }',
)
const [a, b, c] = ['a', 'b', 'c'].map(tree.graphOf) as [number, number, number]
const onVariable = (variable: string) => conjunctionOf(`$${variable}`)
const keysOf = (when: readonly Conjunction[]) => when.map(({ key }) => key)

/** A draft, and short ways to put fetches into it. */
function drafting(bound?: Cost) {
  const draft = new Draft(tree.graph, bound)
  const add = (
    kind: FetchGroup['kind'],
    at: Position,
    graph: number,
    after: readonly FetchGroup[],
    deliveryGroup: string,
  ) => ({
    kind,
    graph,
    types: undefined,
    as: kind === 'root' ? tree.graph.in(graph, at.types.names[0] ?? '') : undefined,
    after: new Set(after),
    representations: [],
    contexts: [],
    deliveryGroup,
  })
  return {
    draft,
    root: (graph = a, deliveryGroup = '', at = tree.root, after: readonly FetchGroup[] = []) =>
      draft.addFetch(at, add('root', at, graph, after, deliveryGroup), undefined),
    lookup(
      at: Position,
      graph: number,
      needs: readonly { source: Source; field: Field }[],
      deliveryGroup = '',
    ) {
      const view = tree.graph.in(graph, 'P')
      const views = new Map(view === undefined ? [] : [['P', view]])
      const after = needs.map(({ source }) => source.group)
      return draft.addFetch(at, add('entities', at, graph, after, deliveryGroup), {
        views,
        types: at.types,
        needs,
        requires: new Set(),
        contexts: new Map(),
      })
    },
  }
}

/** The objects below a field. */
function below(key: string): Position {
  const position = tree.field(key).below
  if (position === undefined) throw new Error(`${key} has no fields`)
  return position
}

/** A draft in which `p` is asked for, and the source of its objects. */
function withObjects(bound?: Cost) {
  const made = drafting(bound)
  const root = made.root()
  made.draft.select(root, tree.field('p'), always)
  const objects = made.draft.existing(tree.field('n'), a)
  if (objects === undefined) throw new Error('the objects have no source')
  return { ...made, root, objects }
}

describe('a draft costs', () => {
  test('nothing while it is empty, then its stages, its fetches and its fields, later ones more', () => {
    const { draft, root, lookup } = drafting()
    expect(draft.cost()).toEqual({ stages: 0, fetches: 0, fields: 0 })
    const first = root()
    expect(draft.cost()).toEqual({ stages: 1, fetches: 1, fields: 0 })
    draft.select(first, tree.field('p'), always)
    expect(draft.cost()).toEqual({ stages: 1, fetches: 1, fields: 1 })
    const second = lookup(below('p'), b, [{ source: first, field: tree.field('p') }])
    draft.select(second, tree.field('x'), always)
    expect(draft.cost()).toEqual({ stages: 2, fetches: 2, fields: 3 })
    const third = lookup(below('p'), c, [
      { source: second, field: tree.field('x') },
      { source: first, field: tree.field('p') },
    ])
    draft.select(third, tree.field('y'), always)
    expect(draft.cost()).toEqual({ stages: 3, fetches: 3, fields: 6 })
    expect(draft.groups.map(({ id, stage }) => [id, stage])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ])
    // A later fetch for an earlier stage makes it no shorter.
    root(b)
    expect(draft.cost()).toEqual({ stages: 3, fetches: 4, fields: 6 })
  })

  test('a field once, however often it is selected', () => {
    const { draft, root, objects } = withObjects()
    draft.select(objects, tree.field('n'), onVariable('a'))
    draft.select(objects, tree.field('n'), onVariable('b'))
    draft.select(root, tree.field('p'), onVariable('b'))
    expect(draft.cost()).toEqual({ stages: 1, fetches: 1, fields: 2 })
  })

  test('one fetch for lookups of one subgraph at one stage', () => {
    const { draft, root, lookup } = drafting()
    const first = root()
    const need = [{ source: first, field: tree.field('p') }]
    expect(draft.isNewFetch(b, 1)).toBe(true)
    const early = lookup(below('p'), b, need)
    lookup(below('q'), b, need)
    expect(draft.cost().fetches).toBe(2)
    expect([draft.isNewFetch(b, 1), draft.isNewFetch(b, 2), draft.isNewFetch(c, 1)]).toEqual([
      false,
      true,
      true,
    ])
    lookup(below('p'), b, [{ source: early, field: tree.field('x') }])
    lookup(below('p'), c, need)
    expect(draft.cost().fetches).toBe(4)
  })

  test('one fetch for each place of a root type, and for each delivery group', () => {
    const { draft, root, lookup } = drafting()
    const first = root()
    root()
    expect(draft.cost().fetches).toBe(1)
    expect([draft.isNewFetch(a, 0, tree.root), draft.isNewFetch(a, 1, below('p'))]).toEqual([false, true])
    root(a, '', below('p'), [first.group])
    expect([draft.isNewFetch(a, 1, below('p')), draft.isNewFetch(a, 1, below('q'))]).toEqual([false, true])
    // A lookup of the same subgraph at the same stage does not travel with it.
    expect(draft.isNewFetch(a, 1)).toBe(true)
    root(a, '', below('q'), [first.group])
    expect(draft.cost().fetches).toBe(3)
    lookup(below('p'), a, [{ source: first, field: tree.field('p') }])
    expect(draft.cost().fetches).toBe(4)
    root(a, '#1')
    expect(draft.cost().fetches).toBe(5)
  })

  test.each<[string, Cost]>([
    ['stages', { stages: 1, fetches: 0, fields: 0 }],
    ['fetches', { stages: 1, fetches: 1, fields: 0 }],
  ])('too much as soon as a fetch is added that reaches the bound of its %s', (_, bound) => {
    expect(() => drafting(bound).root()).toThrow(tooExpensive)
  })

  test('too much as soon as a field is selected that reaches the bound', () => {
    const { draft, objects } = withObjects({ stages: 1, fetches: 1, fields: 2 })
    expect(() => draft.select(objects, tree.field('n'), always)).toThrow(tooExpensive)
    expect(() => withObjects({ stages: 1, fetches: 1, fields: 1 })).toThrow(tooExpensive)
  })
})

describe('a field can be asked for', () => {
  test('if its objects come from a subgraph that has it', () => {
    const { draft, objects } = withObjects()
    expect(draft.existing(tree.field('n'), undefined)).toBe(objects)
    expect(draft.existing(tree.field('n'), b)).toBeUndefined()
    expect(draft.existing(tree.field('x'), undefined)).toBeUndefined()
    expect(draft.existing(tree.field('again'), undefined)).toBeUndefined()
  })

  test('at the earliest stage, whichever was added first, or in the subgraph that is given', () => {
    const { draft, root, objects, lookup } = withObjects()
    const need = { source: root, field: tree.field('p') }
    const later = lookup(below('p'), c, [
      { source: lookup(below('q'), b, [need]), field: tree.field('other') },
    ])
    expect(draft.existing(tree.field('x'), undefined)).toBe(later)
    const early = lookup(below('p'), b, [need])
    lookup(below('p'), c, [need])
    expect(draft.existing(tree.field('x'), undefined)).toBe(early)
    expect(draft.existing(tree.field('x'), c)?.group.stage).toBe(1)
    expect(draft.existing(tree.field('id'), undefined)).toBe(objects)
  })

  test('the first of several equally early ones', () => {
    const { draft, root, lookup } = withObjects()
    const need = [{ source: root, field: tree.field('p') }]
    const first = lookup(below('p'), b, need)
    lookup(below('p'), c, need)
    expect(draft.existing(tree.field('x'), undefined)).toBe(first)
    expect(draft.existing(tree.field('x'), undefined, '#1')).toBe(first)
  })

  /** The delivery group and stage of the fetch in which `x` is asked for, of fetches that are added in this order. */
  const chosen = (
    deliveryGroup: string | undefined,
    fetches: readonly (readonly [string, number])[],
  ): string => {
    const { draft, root, lookup } = withObjects()
    const need = { source: root, field: tree.field('p') }
    const chain = [need]
    for (let stage = 1; stage < 3; stage++)
      chain.push({ source: lookup(below('q'), b, [chain[stage - 1] ?? need]), field: tree.field('other') })
    for (const [of, stage] of fetches) lookup(below('p'), c, [chain[stage - 1] ?? need], of)
    const found = draft.existing(tree.field('x'), undefined, deliveryGroup)?.group
    return `${found?.deliveryGroup}@${found?.stage}`
  }

  test.each<[string, string | undefined, readonly (readonly [string, number])[], string]>([
    [
      'in a fetch of its own group',
      '#1',
      [
        ['', 1],
        ['#1', 2],
        ['#2', 1],
      ],
      '#1@2',
    ],
    [
      'in the earliest of its own group',
      '#1',
      [
        ['#1', 3],
        ['#1', 2],
        ['#1', 3],
      ],
      '#1@2',
    ],
    [
      'else in one of what comes first',
      '#1',
      [
        ['#2', 1],
        ['', 3],
        ['#3', 2],
      ],
      '@3',
    ],
    [
      'in one of what comes first, if it is of that',
      '',
      [
        ['#2', 1],
        ['', 3],
        ['#3', 1],
      ],
      '@3',
    ],
    [
      'in one of what comes first, if nothing is said',
      undefined,
      [
        ['', 3],
        ['#3', 1],
      ],
      '@3',
    ],
    [
      'else in the earliest of any other group',
      '#1',
      [
        ['#2', 2],
        ['#3', 1],
        ['#4', 3],
      ],
      '#3@1',
    ],
    [
      'of as early ones of other groups in the first',
      '#1',
      [
        ['#2', 2],
        ['#3', 2],
      ],
      '#2@2',
    ],
  ])('%s', (_, deliveryGroup, fetches, expected) => {
    expect(chosen(deliveryGroup, fetches)).toBe(expected)
  })
})

describe('a condition under which a field is selected', () => {
  test('goes up to the fetch', () => {
    const { root, objects } = withObjects()
    expect([root.group.when, root.when].map(keysOf)).toEqual([[''], ['']])
    const other = drafting()
    const first = other.root()
    for (const when of [onVariable('a'), onVariable('b')]) {
      other.draft.select(first, tree.field('q'), when)
      const below = other.draft.existing(tree.field('again'), a)
      if (below !== undefined) other.draft.select(below, tree.field('again'), when)
    }
    const entry = [...first.selection.entries.values()][0]
    expect([first.when, first.group.when, entry?.when ?? []].map(keysOf)).toEqual([
      ['$a', '$b'],
      ['$a', '$b'],
      ['$a', '$b'],
    ])
    expect(keysOf([...(entry?.below?.entries.values() ?? [])][0]?.when ?? [])).toEqual(['$a', '$b'])
    expect(objects.above?.source).toBe(root)
  })

  test('goes up from a field whose objects came under another one', () => {
    const { draft, root } = drafting()
    const first = root()
    draft.select(first, tree.field('p'), onVariable('a'))
    const objects = draft.existing(tree.field('n'), a)
    if (objects === undefined) throw new Error('the objects have no source')
    draft.select(objects, tree.field('n'), onVariable('b'))
    const [entry] = first.selection.entries.values()
    expect([objects.when, entry?.when ?? [], first.group.when].map(keysOf)).toEqual([
      ['$a', '$b'],
      ['$a', '$b'],
      ['$a', '$b'],
    ])
  })

  test('holds for what names the objects of a lookup, too', () => {
    const { draft, root, lookup } = drafting()
    const first = root()
    draft.select(first, tree.field('p'), onVariable('a'))
    const objects = draft.existing(tree.field('id'), a)
    if (objects === undefined) throw new Error('the objects have no source')
    const found = lookup(below('p'), b, [{ source: objects, field: tree.field('id') }])
    draft.select(found, tree.field('x'), onVariable('b'))
    draft.select(found, tree.field('x'), onVariable('c'))
    const [id, ...others] = objects.selection.entries.values()
    expect(others).toEqual([])
    expect([id?.when ?? [], first.group.when, found.group.when].map(keysOf)).toEqual([
      ['$b', '$c'],
      ['$a', '$b', '$c'],
      ['$b', '$c'],
    ])
  })
})

describe('sources are counted', () => {
  test('of fetches and of objects below a field, each once', () => {
    const { draft, root } = drafting()
    expect(draft.changes).toBe(0)
    const first = root()
    expect(draft.changes).toBe(1)
    draft.select(first, tree.field('p'), onVariable('a'))
    expect(draft.changes).toBe(2)
    draft.select(first, tree.field('p'), onVariable('b'))
    const objects = draft.existing(tree.field('n'), a)
    if (objects === undefined) throw new Error('the objects have no source')
    draft.select(objects, tree.field('n'), always)
    expect(draft.changes).toBe(2)
    draft.select(first, tree.field('q'), always)
    draft.select(objects, tree.field('next'), always)
    expect(draft.changes).toBe(4)
  })
})

describe('an object is selected', () => {
  const whenever = (): boolean => true

  test('if a field leads to it under such a condition, and not by a lookup', () => {
    const { draft, root, lookup } = drafting()
    const first = root()
    const [p, q] = [tree.field('p'), tree.field('q')]
    expect([draft.isSelected(p, whenever), draft.isSelected(tree.field('n'), whenever)]).toEqual([
      false,
      false,
    ])
    draft.select(first, p, onVariable('a'))
    draft.select(first, p, onVariable('b'))
    lookup(below('q'), b, [{ source: first, field: p }])
    expect([draft.isSelected(p, whenever), draft.isSelected(q, whenever)]).toEqual([true, false])
    expect(['$a', '$b', '$c'].map((key) => draft.isSelected(p, (each) => each.key === key))).toEqual([
      true,
      true,
      false,
    ])
    // By a lookup a condition holds of what is below it, and not of the object.
    const found = lookup(below('q'), c, [{ source: first, field: p }])
    draft.select(found, tree.field('other'), onVariable('a'))
    expect(draft.isSelected(q, whenever)).toBe(false)
  })
})
