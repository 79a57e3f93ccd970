/** Whether the order of a mutation's root fields depends on variables. */
import { buildSchema, type DocumentNode, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { always, and } from '../../../../engine/operation/conditions.ts'
import { movingKey } from '../../../../engine/planner/output/serial-order.ts'
import { normalisedOf } from '../../../support/normalised.ts'

const schema = buildSchema('type Query { a: Int }')
const selectionsIn = (document: DocumentNode) => normalisedOf(schema, document).selections

/** Fields are fetched together whose keys begin with the same letter; keys that begin with an underscore never are. */
const unitOf = (key: string): number | undefined => (key.startsWith('_') ? undefined : key.charCodeAt(0))

const moving = (selection: string, decided: Readonly<Record<string, boolean>> = {}): string | undefined => {
  const document = parse(`{ ${selection} } fragment F on Q { a } fragment G on Q { ...F b }`)
  const given = and(
    always,
    Object.entries(decided).map(([variable, value]) => ({ variable, value })),
  )
  const found = movingKey(selectionsIn(document), given ?? always, unitOf)
  return found && `${found.key} by ${found.variable}`
}

describe('a key whose first place may be left out', () => {
  test.each([
    ['moves behind a field of another unit', 'a @skip(if: $x) b a', 'a by x'],
    ['moves behind it at the third place', 'a @skip(if: $x) a @skip(if: $y) b a', 'a by x'],
    ['moves if its last place has a condition, too', 'a @skip(if: $x) b a @include(if: $x)', 'a by x'],
    ['moves within fragments', '... @include(if: $x) { a } ... on Q { b } ... { a }', 'a by x'],
    ['moves by the variable of a fragment', '...F @include(if: $x) b ...F', 'a by x'],
    ['moves within fragments of fragments', 'a @include(if: $x) ...G a2: c a', undefined],
    ['moves behind what a fragment has', 'a @include(if: $x) b ...F', 'a by x'],
    ['moves by its alias', 'a: f @skip(if: $x) b: f a: f', 'a by x'],
    ['stays if nothing stands between its places', 'a @skip(if: $x) a', undefined],
    ['stays behind a field of its own unit', 'a @skip(if: $x) a2 a', undefined],
    ['stays behind what is never fetched', 'a @skip(if: $x) _typename a', undefined],
    ['stays if what is never fetched comes with its own unit', 'a @skip(if: $x) _t a2 a', undefined],
    ['stays in front of others', 'b a @skip(if: $x) a', undefined],
    ['stays if it is never fetched', '_t @skip(if: $x) b _t', undefined],
    ['stays if it never comes first', 'a @include(if: false) b a', undefined],
    ['stays if it has one place', 'a @skip(if: $x) b', undefined],
  ])('%s', (_, selection, expected) => {
    expect(moving(selection)).toBe(expected)
  })
})

test('a key that always has its first place stays there', () => {
  expect(moving('a b a @skip(if: $x) b')).toBeUndefined()
  expect(moving('a b a @skip(if: $x) b a')).toBeUndefined()
  expect(moving('a @skip(if: $x) a b a')).toBeUndefined()
  expect(moving('a b @skip(if: $x) a b')).toBeUndefined()
})

test('a decision about a variable settles or removes places', () => {
  expect(moving('a @skip(if: $x) b a', { x: false })).toBeUndefined()
  expect(moving('a @skip(if: $x) b a', { x: true })).toBeUndefined()
  expect(moving('a @skip(if: $x) b a', { y: true })).toBe('a by x')
  expect(moving('a @skip(if: $x) @skip(if: $y) b a', { x: false })).toBe('a by y')
  expect(moving('a @skip(if: $x) b a c @skip(if: $y) d c', { x: true })).toBe('c by y')
})

test('fields within excluded selections have no place', () => {
  expect(moving('a @skip(if: $x) ... @include(if: false) { b } a')).toBeUndefined()
  expect(moving('... @include(if: $x) { a @skip(if: $x) } b a')).toBeUndefined()
})

test('fragments that spread each other twice over many levels are read a bounded number of times', () => {
  const levels = 40
  const fragments = Array.from(
    { length: levels },
    (_, i) => `fragment F${i} on Q { a @skip(if: $x) ${i + 1 < levels ? `...F${i + 1} ...F${i + 1}` : 'c'} }`,
  )
  const document = parse(`{ ...F0 b a } ${fragments.join(' ')}`)
  expect(movingKey(selectionsIn(document), always, unitOf)).toEqual({ key: 'a', variable: 'x' })
})
