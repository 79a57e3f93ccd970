import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../engine/executor/execution.ts'
import { compileDistinct } from '../../../engine/executor/representations.ts'
import type { Representation, RequiredField } from '../../../engine/planner/index.ts'

const field = (name: string): RequiredField => ({ key: name, name, types: undefined, fields: undefined })
const byId: Representation = { types: ['User'], typename: undefined, fields: [field('id')] }
const byBoth: Representation = { types: ['User'], typename: undefined, fields: [field('id'), field('at')] }
const ofAnyType: Representation = { types: undefined, typename: undefined, fields: [field('id')] }

/** Few values, so that many are equal; some are equal as texts alone. */
const keyValue = fc.constantFrom<unknown>(
  '1',
  1,
  '"1"',
  'true',
  true,
  null,
  { a: 1 },
  { a: 2 },
  '{"a":1}',
  '',
  undefined,
)
const object: fc.Arbitrary<JsonObject> = fc.record({
  __typename: fc.constantFrom('User', 'User', 'Robot'),
  id: keyValue,
  at: keyValue,
})

test.for([
  { name: 'by one field', by: byId },
  { name: 'by two fields', by: byBoth },
  { name: 'of any type', by: ofAnyType },
])('requests equal things once and never merges different objects: $name', ({ by }) => {
  fc.assert(
    fc.property(fc.array(object, { maxLength: 12 }), (objects) => {
      const { representations, indices } = compileDistinct([by])(objects)
      const texts = representations.map((each) => JSON.stringify(each))
      expect(new Set(texts).size).toBe(texts.length)
      expect(indices.length).toBe(objects.length)
      for (const [at, each] of objects.entries()) {
        const isNamed =
          (by.types === undefined || by.types.includes(each.__typename as string)) &&
          by.fields.every(({ key }) => each[key] !== undefined)
        const fields = by.fields.map(({ key }) => [key, each[key]])
        const sent = JSON.stringify({ __typename: each.__typename, ...Object.fromEntries(fields) })
        expect(texts[indices[at] as number]).toBe(isNamed ? sent : undefined)
      }
    }),
  )
})
