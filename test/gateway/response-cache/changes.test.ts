import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createChanges } from '../../../gateway/response-cache/index.ts'

const tags = fc.subarray(['a', 'b', 'c'], { minLength: 1 })
const number = fc.integer({ min: 1, max: 12 })
/** `take`: a change of another gateway, which may be read after newer ones. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('take' as const), tags, number }),
  fc.record({ kind: fc.constant('note' as const), tags }),
  fc.record({ kind: fc.constant('floor' as const), number }),
)

test('an answer holds exactly if none of its tags has changed since, in whatever order changes are read', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const changes = createChanges()
      const made: { readonly number: number; readonly tags: readonly string[] }[] = []
      let floor = 0
      for (const each of steps) {
        const before = changes.last()
        if (each.kind === 'take') changes.take(each.number, each.tags)
        if (each.kind === 'note') {
          changes.note(each.tags)
          expect(changes.last()).toBeGreaterThan(before)
        }
        if (each.kind === 'floor') {
          changes.raiseFloor(each.number)
          floor = Math.max(floor, each.number)
        } else made.push({ number: each.kind === 'take' ? each.number : changes.last(), tags: each.tags })
        expect(changes.last()).toBe(Math.max(floor, ...made.map((change) => change.number)))
        for (const since of [0, ...made.map((change) => change.number), changes.last(), floor])
          for (const tag of ['a', 'b', 'c', 'd'])
            expect(changes.holds(since, [tag])).toBe(
              since >= floor && !made.some((change) => change.tags.includes(tag) && change.number > since),
            )
      }
    }),
  )
})

test('what changed longest ago is forgotten, and answers from before it hold no more', () => {
  const changes = createChanges()
  changes.take(1, ['first'])
  changes.take(
    2,
    Array.from({ length: 49_999 }, (_, at) => `tag ${at}`),
  )
  expect(changes.holds(0, ['other'])).toBe(true)
  changes.take(3, ['last'])
  expect(changes.holds(0, ['other'])).toBe(false)
  expect(changes.holds(1, ['other'])).toBe(true)
  expect(changes.holds(1, ['tag 0'])).toBe(false)
  expect(changes.holds(2, ['tag 0'])).toBe(true)
  expect(changes.holds(2, ['last'])).toBe(false)
})
