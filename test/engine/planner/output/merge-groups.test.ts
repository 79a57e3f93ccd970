/** Which lookups of one fetch share one list of representations. */
import { describe, expect, test } from 'vitest'
import { always } from '../../../../engine/operation/conditions.ts'
import type { Position } from '../../../../engine/planner/graph/position.ts'
import type { RequiredField } from '../../../../engine/planner/index.ts'
import { createMerger } from '../../../../engine/planner/output/merge-groups.ts'
import {
  addEntry,
  createSelection,
  type FetchGroup,
  type RepresentedTypes,
} from '../../../../engine/planner/search/groups.ts'
import { conjunctionOf, positionOf } from '../../../support/fetch-entries.ts'
import { creatingGroups, treeOf } from '../../../support/fetch-groups.ts'

const tree = treeOf(
  {
    media: `
      type Query { media: Media other: Media }
      interface Media { id: ID next: Media }
      interface Sold { id: ID next: Media }
      type Film implements Media & Sold @key(fields: "id") { id: ID next: Media }
      type Song implements Media & Sold @key(fields: "id") { id: ID next: Media }
      type FilmSong implements Media @key(fields: "id") { id: ID next: Media }`,
  },
  `query($c: Boolean!) {
    a: media { id }
    b: other { id }
    media { next { id } next @include(if: $c) { id } ... on Film { f: next { id } } ... on Film @include(if: $c) { f: next { id } } }
    deep: media { ... on Sold { next { id } } ... on FilmSong { next { id } } ... on Film { n: id } }
  }`,
)
const below = (key: string, index = 0): Position => {
  const position = tree.fields(key)[index]?.below
  if (position === undefined) throw new Error(`There is no ${key} with fields`)
  return position
}
const here = below('a')
const onVariable = (variable: string) => conjunctionOf(`$${variable}`)
const sent = (key: string, more: Partial<RequiredField> = {}): RequiredField => ({
  key,
  name: key,
  types: undefined,
  fields: undefined,
  ...more,
})
const represented = (
  fields: readonly RequiredField[],
  more: Partial<RepresentedTypes> = {},
): RepresentedTypes => ({ types: undefined, typename: undefined, fields, ...more })

/** Two lookups behind one root fetch, and what becomes of them. */
function merged(one: Partial<FetchGroup>, other: Partial<FetchGroup>): readonly FetchGroup[] {
  const { add } = creatingGroups(here)
  const root = add(0, [])
  const usual = { when: [always], representations: [represented([sent('id')])] }
  return createMerger()([add(1, [root], { ...usual, ...one }), add(1, [root], { ...usual, ...other })])
}
const view = (type: string) => tree.graph.in(0, type)

describe('two lookups', () => {
  test('are merged into one that asks for what both ask for', () => {
    const selected = (key: string) => {
      const selection = createSelection(false)
      const field = tree.field(key)
      addEntry(selection, field, field.types, always)
      return selection
    }
    const [only, ...others] = merged({ selection: selected('id') }, { selection: selected('n') })
    expect(others).toEqual([])
    expect([...(only?.selection.entries.values() ?? [])].map(({ field }) => field.key)).toEqual(['id', 'n'])
    expect(only?.representations).toEqual([represented([sent('id')])])
  })

  test.each<[string, Partial<FetchGroup>, Partial<FetchGroup>]>([
    ['at different places', { at: below('a') }, { at: below('b') }],
    ['at the root and below', { at: tree.root }, { at: below('a') }],
    ['of which one stands below some types only', { at: below('next') }, { at: below('f') }],
    ['below the types of one name or of two', { at: below('next', 2) }, { at: below('next', 3) }],
    ['under different names', { as: view('Film') }, { as: view('Song') }],
    ['of which one is under a name', { as: view('Film') }, {}],
    ['under different conditions', { when: [onVariable('a')] }, { when: [onVariable('b')] }],
    ['under more conditions', { when: [onVariable('a')] }, { when: [onVariable('a'), onVariable('b')] }],
    ['of which one is always fetched', { when: [onVariable('a')] }, { when: [always] }],
    ['that are fetches of the root', { kind: 'root' }, { kind: 'root' }],
    [
      'of other types under one name',
      { as: view('Media'), types: tree.sets.of(['Film']) },
      { as: view('Media') },
    ],
    [
      'of which one takes arguments from above',
      { contexts: [{ argument: 'a', variable: 'v', type: 'Int', from: here, fields: [] }] },
      {},
    ],
    [
      'that take arguments from above',
      { contexts: [{ argument: 'a', variable: 'v', type: 'Int', from: here, fields: [] }] },
      { contexts: [{ argument: 'a', variable: 'v', type: 'Int', from: here, fields: [] }] },
    ],
  ])('%s stay separate', (_, one, other) => {
    expect(merged(one, other)).toHaveLength(2)
  })

  test.each<[string, Partial<FetchGroup>, Partial<FetchGroup>]>([
    ['at positions of the same keys', { at: below('next', 0) }, { at: below('next', 1) }],
    ['at positions of the same keys and types', { at: below('f', 0) }, { at: below('f', 1) }],
    ['under one name', { as: view('Film') }, { as: view('Film') }],
    [
      'under the same conditions',
      { when: [onVariable('a'), onVariable('b')] },
      { when: [onVariable('b'), onVariable('a')] },
    ],
    ['at the root', { at: positionOf() }, { at: positionOf() }],
  ])('%s are merged', (_, one, other) => {
    expect(merged(one, other)).toHaveLength(1)
  })

  test('stay separate if they wait for different fetches', () => {
    const { add } = creatingGroups(here)
    const [one, other] = [add(0, []), add(1, [])]
    const behind = (...before: readonly FetchGroup[]) => add(2, before, { when: [always] })
    expect(createMerger()([behind(one), behind(other), behind(one, other), behind(other, one)])).toHaveLength(
      3,
    )
  })

  test('are merged if they wait for fetches that were merged', () => {
    const { add } = creatingGroups(here)
    const root = add(0, [])
    const first = [add(1, [root], { when: [always] }), add(1, [root], { when: [always] })]
    const merge = createMerger()
    expect(merge(first)).toHaveLength(1)
    expect(merge(first.map((each) => add(2, [each], { when: [always] })))).toHaveLength(1)
  })
})

describe('the objects that are looked up', () => {
  const types = (...names: readonly string[]) => ({ types: tree.sets.of(names) })

  test('are of the types of both', () => {
    const [only] = merged(types('Song'), types('Film'))
    expect(only?.types?.names).toEqual(['Film', 'Song'])
    expect(['Film', 'Song', 'FilmSong'].map((name) => only?.types?.has(name))).toEqual([true, true, false])
  })

  test.each([
    ['all types of the place come together', types('Song', 'FilmSong'), types('Film')],
    ['one has all', {}, types('Film')],
    ['the other has all', types('Film'), {}],
  ])('are all objects of the place if %s', (_, one, other) => {
    const found = merged(one, other)
    expect(found.map((each) => each.types)).toEqual([undefined])
  })
})

describe('what is sent of the objects', () => {
  test('is each field once, for the same types under the same name', () => {
    const film = { types: tree.sets.of(['Film']) }
    const [only] = merged(
      { representations: [represented([sent('id'), sent('sku')], film), represented([sent('id')])] },
      {
        representations: [
          represented([sent('sku'), sent('upc')], film),
          represented([sent('id')], { typename: 'Media' }),
          represented([sent('id')], { ...film, typename: 'Media' }),
        ],
      },
    )
    expect(only?.representations).toEqual([
      represented([sent('id'), sent('sku'), sent('upc')], film),
      represented([sent('id')]),
      represented([sent('id')], { typename: 'Media' }),
      represented([sent('id')], { ...film, typename: 'Media' }),
    ])
  })

  const price = (key: string) => sent(key, { name: 'price' })
  const box = (...fields: readonly RequiredField[]) => sent('box', { fields })

  test.each([
    ['in one field', [represented([price('price')])], [represented([price('price2')])]],
    [
      'in the last of several',
      [represented([sent('id')]), represented([sent('id'), price('price')])],
      [represented([sent('id')]), represented([sent('id'), price('price2')])],
    ],
    [
      'within an object',
      [represented([box(sent('id'), price('price'))])],
      [represented([box(sent('id'), price('price2'))])],
    ],
  ])('stays separate if it has different values %s', (_, one, other) => {
    expect(merged({ representations: one }, { representations: other })).toHaveLength(2)
  })

  test.each([
    ['in no field', [represented([price('price')])], [represented([sent('id')])]],
    [
      'in none of several',
      [represented([sent('id'), price('price')])],
      [represented([price('price'), sent('sku')])],
    ],
    [
      'in none within an object',
      [represented([box(price('price'))])],
      [represented([box(price('price'), sent('id'))])],
    ],
  ])('is one list if it has different values %s', (_, one, other) => {
    expect(merged({ representations: one }, { representations: other })).toHaveLength(1)
  })

  test('is merged with the first lookup that sends the same values', () => {
    const { add } = creatingGroups(here)
    const root = add(0, [])
    const lookup = (key: string, at = here) =>
      add(1, [root], { at, when: [always], representations: [represented([price(key)])] })
    const elsewhere = below('b')
    const found = createMerger()([
      lookup('price'),
      lookup('price2'),
      lookup('price3'),
      lookup('price', elsewhere),
      lookup('price2', elsewhere),
      lookup('price3'),
      lookup('price2'),
      lookup('price'),
    ])
    expect(found.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
  })
})
