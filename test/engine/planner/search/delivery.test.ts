/** The delivery group of each part of a plan, which its conditions tell. */
import { describe, expect, test } from 'vitest'
import {
  deliveryGroupOf,
  deliveryOf,
  requiredLists,
  withoutDeliveryConditions,
} from '../../../../engine/planner/search/delivery.ts'
import type { Entry, FetchGroup, Selection } from '../../../../engine/planner/search/groups.ts'
import {
  conjunctionOf as conjunction,
  entryOf,
  fieldOf,
  groupOf,
  positionOf,
  selectionOf,
} from '../../../support/fetch-entries.ts'

/** An entry under these conditions, any of which suffices. */
const entry = (key: string, when: readonly string[], below?: Selection, list?: string) =>
  entryOf(fieldOf(key, { list }), { when: when.map(conjunction), below })

describe('what stands under conditions', () => {
  test.each([
    ['', ''],
    ['$a !$b', ''],
    ['$#p1_x', '#p1_x'],
    ['$a $#p1_a !$b', '#p1_a'],
    ['$#p2_b $#p1_a', '#p2_b'],
    ['$#p1_a $#p2_b', '#p2_b'],
    ['$#p2_b $#p10_c $#p3_x', '#p10_c'],
    ['$a#p1_0', ''],
    ['$#p0_x', '#p0_x'],
  ])('"%s" belongs to the innermost group "%s"', (when, group) => {
    expect(deliveryGroupOf(conjunction(when))).toBe(group)
  })
})

describe('a fetch', () => {
  test('names each delivery group of its conditions once, and the streamed lists of its place', () => {
    const group = groupOf({
      when: ['$#p1_x', '$a $#p1_x', '', '$#p2_x $#p1_x'].map(conjunction),
      at: positionOf({ lists: ['outer', 'inner'] }),
    })
    expect(deliveryOf(group)).toEqual({
      deliveryGroups: ['#p1_x', '', '#p2_x'],
      lists: ['outer', 'inner'],
      brings: [],
      late: [],
    })
  })

  const read = (deliveryGroup: string, ...entries: readonly Entry[]) => {
    const { brings, late } = deliveryOf(groupOf({ deliveryGroup, selection: selectionOf(...entries) }))
    return {
      brings: brings.map((each) => `${each.list} ${each.deliveryGroup}`),
      late: late.map(({ path, deliveryGroup: of }) => `${path.join('.')} ${of}`),
    }
  }

  test('names its fields of later groups, from the outermost one on', () => {
    const inner = selectionOf(entry('first', ['']), entry('later', ['$#p2_x']), entry('same', ['$#p1_x']))
    expect(read('', entry('a', ['$#p1_x'], inner), entry('b', ['$x']), entry('c', ['']))).toEqual({
      brings: [],
      late: ['a #p1_x', 'a.later #p2_x'],
    })
    expect(read('#p1_x', entry('a', ['$#p1_x']), entry('b', ['$#p2_x']))).toEqual({
      brings: [],
      late: ['b #p2_x'],
    })
  })

  test('does not name a field that is also needed earlier, or by several groups', () => {
    expect(
      read('', entry('a', ['$#p1_x', '']), entry('b', ['$#p1_x', '$#p2_x']), entry('c', [])).late,
    ).toEqual([])
    expect(
      read('#p1_x', entry('a', ['$#p2_x', '$#p1_x']), entry('b', ['']), entry('c', ['$#p2_x', '$x $#p2_x']))
        .late,
    ).toEqual(['c #p2_x'])
  })

  test('brings streamed lists, each in its group', () => {
    const inner = selectionOf(entry('within', [''], undefined, 'in'), entry('plain', ['$#p2_x']))
    expect(read('', entry('a', [''], inner, 'out'), entry('b', ['$#p1_x'], undefined, 'late'))).toEqual({
      brings: ['out ', 'in ', 'late #p1_x'],
      late: ['a.plain #p2_x', 'b #p1_x'],
    })
  })
})

test('the text of a fetch has no condition that stands for a delivery group', () => {
  const below = selectionOf(entry('c', ['$#p1_x !$y']))
  const abstract = selectionOf(entry('d', ['']))
  abstract.abstract = true
  const group = groupOf({
    when: ['$#p1_x', '$x $#p1_x'].map(conjunction),
    selection: selectionOf(
      entry('a', ['$x $#p1_x', '!$z $x $#p2_x'], below),
      entry('b', ['$#p1_x', '$x'], abstract),
      entry('e', ['$x$#']),
    ),
  })
  const keys = ({ entries }: Selection): unknown =>
    [...entries.values()].map((each) => [
      each.field.key,
      each.when.map(({ key, all }) =>
        [key, all.map(({ variable, value }) => `${variable} ${value}`).join(' ')].join('; '),
      ),
      ...(each.below === undefined ? [] : [keys(each.below), each.below.abstract]),
    ])
  const plain = withoutDeliveryConditions(group)
  expect(plain.when.map(({ key }) => key)).toEqual([''])
  expect(keys(plain.selection)).toEqual([
    ['a', ['$x; x true'], [['c', ['!$y; y false']]], false],
    ['b', ['; '], [['d', ['; ']]], true],
    ['e', ['$x$#; x$# true']],
  ])
  // The group itself stays as it is.
  expect(group.when.map(({ key }) => key)).toEqual(['$#p1_x', '$x $#p1_x'])
  expect(plain.at).toBe(group.at)
})

test('a streamed list that something else requires is named, whichever fetch brings it', () => {
  const [here, there] = [positionOf(), positionOf()]
  const list = (name: string, key: string, at = here) => entryOf(fieldOf(key, { at, list: name }))
  const required = (key: string, at = here) => entryOf(fieldOf(key, { at }), { isRequired: true })
  const lists = (...groups: readonly FetchGroup[]) => [...requiredLists(groups)].sort()
  const group = (...entries: readonly Entry[]) => groupOf({ selection: selectionOf(...entries) })
  expect(lists(group(list('l', 'a'), required('a')))).toEqual(['l'])
  expect(lists(group(list('l', 'a')), group(required('x'), required('a')))).toEqual(['l'])
  expect(lists(group(required('a'), required('b')), group(list('l', 'a'), list('m', 'b')))).toEqual([
    'l',
    'm',
  ])
  expect(lists(group(list('l', 'a'), list('m', 'b'), required('b')))).toEqual(['m'])
  expect(lists(group(list('l', 'a'), required('a', there)))).toEqual([])
  expect(lists(group(list('l', 'a'), entryOf(fieldOf('a', { at: here }))))).toEqual([])
  expect(lists(group(list('l', 'a')))).toEqual([])
  const outer = entryOf(fieldOf('o'), { below: selectionOf(list('l', 'a'), required('a')) })
  expect(lists(group(outer))).toEqual(['l'])
  expect(lists(group(entryOf(fieldOf('a', { at: here, list: 'l' }), { isRequired: true })))).toEqual(['l'])
})
