/** The selection of a fetch: which fields are merged into one, and which stay separate. */
import { describe, expect, test } from 'vitest'
import { always, type Conjunction } from '../../../../engine/operation/conditions.ts'
import {
  addEntry,
  createSelection,
  mergeSelections,
  type Selection,
} from '../../../../engine/planner/search/groups.ts'
import { conjunctionOf } from '../../../support/fetch-entries.ts'
import { treeOf } from '../../../support/fetch-groups.ts'

const services = {
  media: `
    directive @mark(tag: String) on FIELD | INLINE_FRAGMENT
    type Query { media: [Media] song: Song }
    interface Media { id: ID name: String title: String at(n: Int): Int next: Media }
    type Film implements Media @key(fields: "id") { id: ID name: String title: String at(n: Int): Int next: Media }
    type Song implements Media @key(fields: "id") { id: ID name: String title: String at(n: Int): Int next: Media own: Song }
    type Mutation { add: Int }`,
}

const onVariable = (variable: string) => conjunctionOf(`$${variable}`)

/** How many entries the fields under a key make in one selection. */
function entriesOf(query: string, key: string): number {
  const { fields } = treeOf(services, query)
  const selection = createSelection(false)
  for (const field of fields(key)) addEntry(selection, field, field.types, field.when)
  return selection.entries.size
}

describe('a selection has one entry', () => {
  test('for a field that is asked for twice, under any of the conditions', () => {
    const { field } = treeOf(services, '{ media { name } }')
    const name = field('name')
    const selection = createSelection(false)
    const first = addEntry(selection, name, name.types, onVariable('a'))
    const second = addEntry(selection, name, name.types, onVariable('b'))
    expect([first.isNew, second.isNew, second.entry === first.entry]).toEqual([true, false, true])
    expect(first.entry.when.map(({ key }) => key)).toEqual(['$a', '$b'])
    expect(selection.entries.size).toBe(1)
    expect([first.entry.below, first.entry.contexts]).toEqual([undefined, []])
  })

  test.each([
    ['of other conditions', '{ media { name } media { name @include(if: true) } }', 'name'],
    [
      'under the same directives',
      '{ media { name @mark(tag: "x") } media { name @mark(tag: "x") } }',
      'name',
    ],
    ['within the same directives', '{ media { ... @mark { name } ... @mark { name } } }', 'name'],
  ])('for fields %s', (_, query, key) => {
    expect(entriesOf(query, key)).toBe(1)
  })

  test.each([
    ['of other types', '{ media { ... on Film { name } ... on Song { name } } }', 'name'],
    ['of another name', '{ media { ... on Film { x: name } ... on Song { x: title } } }', 'x'],
    ['with other arguments', '{ media { ... on Film { at(n: 1) } ... on Song { at(n: 2) } } }', 'at'],
    ['with other directives', '{ media { name name @mark } }', 'name'],
    ['within other directives', '{ media { name ... @mark { name } } }', 'name'],
    ['within a directive twice', '{ media { ... @mark { name } ... @mark { ... @mark { name } } } }', 'name'],
  ])('for each of fields %s', (_, query, key) => {
    expect(entriesOf(query, key)).toBe(2)
  })

  test('for each of two fields with arguments from above of different names', () => {
    const { field } = treeOf(services, '{ media { at } }')
    const at = field('at')
    const context = (variable: string) => [
      { argument: 'n', variable, type: 'Int', from: at.at, fields: [] },
      { argument: 'm', variable: 'other', type: 'Int', from: at.at, fields: [] },
    ]
    const selection = createSelection(false)
    for (const each of [context('x'), context('y'), context('x')])
      addEntry(selection, at, at.types, always, each)
    addEntry(selection, at, at.types, always)
    expect(
      [...selection.entries.values()].map(({ contexts }) => contexts.map(({ variable }) => variable)),
    ).toEqual([['x', 'other'], ['y', 'other'], []])
  })

  test('for a mutation at each place at which it is selected under its own conditions', () => {
    const { fields } = treeOf(services, 'mutation($a: Boolean!) { add add @include(if: $a) }')
    const selection = createSelection(false)
    const [add, conditional] = fields('add')
    if (add === undefined) throw new Error('nothing is selected')
    const serial = { ...add, at: { ...add.at, serial: true } }
    addEntry(selection, serial, add.types, always)
    addEntry(selection, serial, add.types, conditional?.when ?? onVariable('a'))
    expect(selection.entries.size).toBe(2)
  })
})

describe('an entry', () => {
  test('depends on the type of its objects as soon as one of its fields does', () => {
    const { field } = treeOf(services, '{ media { next { name } } }')
    const next = field('next')
    if (next.below === undefined) throw new Error('nothing is selected below')
    const concrete = { ...next, below: { ...next.below, abstract: false } }
    const selection = createSelection(false)
    const { entry } = addEntry(selection, concrete, next.types, always)
    expect(entry.below?.abstract).toBe(false)
    addEntry(selection, concrete, next.types, always)
    expect(entry.below?.abstract).toBe(false)
    addEntry(selection, next, next.types, always)
    addEntry(selection, concrete, next.types, always)
    expect(entry.below?.abstract).toBe(true)
  })

  test('is required as soon as something else of the plan needs it', () => {
    const { field, tree, root } = treeOf(services, '{ song { name } media { name } }')
    const song = field('song')
    if (song.below === undefined) throw new Error('nothing is selected below')
    const { key: set } = treeOf(services, '{ song { name } }').graph.entries('Song')[0] ?? {}
    if (set === undefined) throw new Error('it has no key')
    const [id] = tree.requirement(song.below, song.below.types, set.selectionSet)
    if (id === undefined) throw new Error('the key has no fields')
    const selection = createSelection(false)
    const selected = { ...id, order: 0 }
    const { entry } = addEntry(selection, selected, id.types, always)
    expect(entry.isRequired).toBe(false)
    addEntry(selection, selected, id.types, always)
    expect(entry.isRequired).toBe(false)
    addEntry(selection, id, id.types, always)
    addEntry(selection, selected, id.types, always)
    expect(entry.isRequired).toBe(true)
    expect(addEntry(createSelection(false), id, id.types, always).entry.isRequired).toBe(true)
    expect(root.fields.map(({ key }) => key)).toEqual(['song', 'media'])
  })
})

describe('of two selections that become one', () => {
  /** A selection of `media { next { KEY } }` under a condition. */
  function selected(key: string, when: Conjunction, abstract: boolean): Selection {
    const { field } = treeOf(services, '{ media { next { name id } } }')
    const selection = createSelection(abstract)
    const { entry } = addEntry(selection, field('next'), field('next').types, when)
    if (entry.below !== undefined) addEntry(entry.below, field(key), field(key).types, when)
    return selection
  }

  test('each field is there once, with what either has below, under the conditions of both', () => {
    const into = selected('name', onVariable('a'), false)
    mergeSelections(into, selected('id', onVariable('b'), false))
    const [next, ...others] = into.entries.values()
    expect(others).toEqual([])
    expect(next?.when.map(({ key }) => key)).toEqual(['$a', '$b'])
    expect(
      [...(next?.below?.entries.values() ?? [])].map(({ field, when }) => [field.key, when[0]?.key]),
    ).toEqual([
      ['name', '$a'],
      ['id', '$b'],
    ])
  })

  test('the fields of the other one are added, and leaves stay leaves', () => {
    const { field } = treeOf(services, '{ media { name id } }')
    const selectionOf = (...keys: readonly string[]): Selection => {
      const selection = createSelection(false)
      for (const key of keys) addEntry(selection, field(key), field(key).types, always)
      return selection
    }
    const into = selectionOf('name')
    mergeSelections(into, selectionOf('name', 'id'))
    expect([...into.entries.values()].map(({ field: { key }, below }) => [key, below])).toEqual([
      ['name', undefined],
      ['id', undefined],
    ])
  })

  test.each([
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ])('one that depends on types makes the whole depend on them (%s, %s)', (a, b) => {
    const into = createSelection(a)
    mergeSelections(into, createSelection(b))
    expect(into.abstract).toBe(a || b)
  })
})
