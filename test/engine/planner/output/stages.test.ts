/** Lookups wait for a later fetch of the same subgraph if that saves a fetch. */
import { describe, expect, test } from 'vitest'
import { bundledBy, stagesOf } from '../../../../engine/planner/output/stages.ts'
import type { FetchGroup } from '../../../../engine/planner/search/groups.ts'
import { positionOf } from '../../../support/fetch-entries.ts'
import { creatingGroups } from '../../../support/fetch-groups.ts'

const here = positionOf({ id: 0 })
const someContext = { argument: 'a', variable: 'v', type: 'Int', from: here, fields: [] }

describe('a lookup waits for a later one', () => {
  test('of the same subgraph, and for no other', () => {
    const { groups, add } = creatingGroups()
    const root = add(0, [])
    const early = add(1, [root])
    const other = add(2, [root])
    const late = add(1, [other])
    const stages = stagesOf(groups)
    expect([root, early, other, late].map((each) => stages.get(each))).toEqual([0, 2, 1, 2])
  })

  test('unless something else waits for it at that stage', () => {
    const { groups, add } = creatingGroups()
    const root = add(0, [])
    const early = add(1, [root])
    const other = add(2, [root])
    const late = add(1, [other])
    const next = add(3, [early])
    const stages = stagesOf(groups)
    expect([early, late, next].map((each) => stages.get(each))).toEqual([1, 2, 2])
  })

  test('if what waits for it comes after that', () => {
    const { groups, add } = creatingGroups()
    const root = add(0, [])
    const early = add(1, [root])
    const other = add(2, [root])
    const late = add(1, [other])
    const next = add(3, [early, late])
    const stages = stagesOf(groups)
    expect([early, late, next].map((each) => stages.get(each))).toEqual([2, 2, 3])
  })

  test('together with the others of its fetch, or not at all', () => {
    const { groups, add } = creatingGroups()
    const root = add(0, [])
    const [one, two] = [add(1, [root]), add(1, [root])]
    const late = add(1, [add(2, [root])])
    expect([one, two, late].map((each) => stagesOf(groups).get(each))).toEqual([2, 2, 2])
    add(3, [two])
    expect([one, two, late].map((each) => stagesOf(groups).get(each))).toEqual([1, 1, 2])
  })

  test('at the earliest of several stages, if those cannot wait for each other', () => {
    const { groups, add } = creatingGroups()
    const root = add(0, [])
    const early = add(1, [root])
    const second = add(1, [add(2, [root])])
    const third = add(1, [add(3, [second])])
    expect([early, second, third].map((each) => stagesOf(groups).get(each))).toEqual([2, 2, 4])
  })

  test('at the last stage if all of them can', () => {
    const { groups, add } = creatingGroups()
    const root = add(0, [])
    const early = add(1, [root])
    const other = add(2, [root])
    const second = add(1, [other])
    const third = add(1, [add(3, [other])])
    expect([early, second, third].map((each) => stagesOf(groups).get(each))).toEqual([3, 3, 3])
  })

  test.each<[string, Partial<FetchGroup>]>([
    ['takes arguments from above', { contexts: [someContext] }],
    ['belongs to another delivery group', { deliveryGroup: '#1' }],
    ['stands in the items of a streamed list', { at: positionOf({ id: 1, lists: ['list'] }) }],
    ['is one for the root', { kind: 'root' }],
  ])('unless it %s', (_, more) => {
    const { groups, add } = creatingGroups()
    const root = add(0, [])
    const early = add(1, [root], more)
    add(1, [add(2, [root])])
    expect(stagesOf(groups).get(early)).toBe(1)
  })
})

test('root fetches are merged by place, lookups with arguments from above separately, others by delivery group and list', () => {
  const { add } = creatingGroups()
  const root = add(0, [], { at: positionOf({ id: 5 }) })
  expect(bundledBy(root)).toBe('at 5')
  expect(bundledBy(add(1, [root]))).toBe('')
  const alone = [add(1, [root], { contexts: [someContext] }), add(1, [root], { contexts: [someContext] })]
  expect(new Set(alone.map(bundledBy)).size).toBe(2)
  const apart = [
    add(1, [root], { deliveryGroup: '#1' }),
    add(1, [root], { deliveryGroup: '#2' }),
    add(1, [root], { at: positionOf({ id: 1, lists: ['a'] }) }),
    add(1, [root], { at: positionOf({ id: 1, lists: ['a', 'b'] }) }),
    add(1, [root], { deliveryGroup: '#1', at: positionOf({ id: 1, lists: ['a'] }) }),
  ]
  expect(new Set(['', ...apart.map(bundledBy)]).size).toBe(6)
  expect(bundledBy(add(2, [root], { deliveryGroup: '#1', at: positionOf({ id: 9 }) }))).toBe(
    bundledBy(apart[0] ?? root),
  )
})
