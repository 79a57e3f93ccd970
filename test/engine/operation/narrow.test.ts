/** Parts of an operation are what normalising their document would give. */
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { forType, rootKeyOf } from '../../../engine/operation/narrow.ts'
import type { NormalisedOperation, Selection } from '../../../engine/operation/normalised.ts'
import { typesOf } from '../../../engine/operation/type-source.ts'
import { documentOf, normalisedOf, placesOf } from '../../support/normalised.ts'

const schema = buildSchema(`
  type Query { named: Named  other: Int }
  interface Named { name: String  next: Named }
  interface Old implements Named { name: String  next: Old }
  type A implements Named & Old { name: String  next: B }
  type B implements Named & Old { name: String  next: A }
  type C implements Named { name: String  next: Named }
`)

function narrowedBelow(operation: NormalisedOperation, type: string): NormalisedOperation {
  const narrowed = (selections: readonly Selection[]) =>
    selections.map((each) => forType(typesOf(schema), each, type))
  return {
    ...operation,
    selections: operation.selections.map((each) => ({
      ...each,
      field: { ...each.field, selections: narrowed(each.field.selections ?? []) },
    })),
  }
}

test.each(['A', 'Old', 'C'])('a selection for %s has the types that its fields have there', (type) => {
  const whole = normalisedOf(
    schema,
    '{ named { name next { name next { __typename name } ... on C { name } ... on Old { name next { name } } } } }',
  )
  const left = narrowedBelow(whole, type)
  const again = normalisedOf(schema, documentOf(left))
  expect(placesOf(left)).toEqual(placesOf(again))
  expect(placesOf(left)).not.toEqual(placesOf(whole))
})

test('the part of one response key has only the fields below it, with their ids', () => {
  const whole = normalisedOf(
    schema,
    '{ a: other ...F b: named { name } } fragment F on Query { a: other named { name } }',
  )
  const part = rootKeyOf(whole, 'a')
  expect(part.selections.map(({ field }) => field)).toEqual([whole.fields[0], whole.fields[1]])
  expect(part.fields).toEqual(whole.fields.filter(({ key }) => key === 'a'))
  expect(rootKeyOf(whole, 'b').fields.map(({ id, key }) => whole.fields[id]?.key === key)).toEqual([
    true,
    true,
  ])
  expect(rootKeyOf(whole, 'nothing')).toMatchObject({ selections: [], fields: [] })
})
