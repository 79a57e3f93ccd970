/** The divided operation of an incremental one selects each field for the same types as the original. */
import { buildSchema, print } from 'graphql'
import { expect, test } from 'vitest'
import { DeliveryGroups } from '../../../../engine/executor/incremental/delivery-groups.ts'
import { documentOf, normalisedOf } from '../../../support/normalised.ts'

const schema = buildSchema(`
  interface Named { name: String }
  interface Old implements Named { name: String }
  interface New implements Named { name: String }
  type A implements Named & Old { name: String }
  type B implements Named & Old & New { name: String }
  type C implements Named & Old & New { name: String }
  type D implements Named & New { name: String }
  type Query { named: Named }
`)

function divided(text: string): string {
  const { operation } = new DeliveryGroups(schema, {}).divide(normalisedOf(schema, text))
  return print(documentOf(operation)).replaceAll(/\s+/g, ' ')
}

test('a field of an interface within another one is selected for the types of both', () => {
  expect(
    divided('{ named { ... on Old { ... on New { name } } } ... @defer { named { __typename } } }'),
  ).toBe('{ named { ... on B { name } ... on C { name } __typename @include(if: $#p1_0) } }')
})

test('a field of an interface keeps its condition if that means the same', () => {
  expect(divided('{ named { ... on New { ... on Named { name } } ... @defer { __typename } } }')).toBe(
    '{ named { ... on New { name } __typename @include(if: $#p1_0) } }',
  )
})
