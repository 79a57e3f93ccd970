import { expect, test } from 'vitest'
import { canHaveUncheckedValues } from '../../../../engine/subgraphs/http/unchecked-values.ts'

test.each([
  '{ a }',
  'query ($n: Int, $ids: [ID!]!, $on: Boolean! = true) { a(n: $n, ids: $ids) @include(if: $on) { b } }',
  'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on A { b } } }',
])('all values of %s are checked by the gateway', (text) => {
  expect(canHaveUncheckedValues(text)).toBe(false)
})

test.each([
  'query ($at: [Date!]!) { a(at: $at) }',
  'mutation ($in: In!) { a(in: $in) }',
  '{ a { b(at: "yesterday") } }',
  'query ($n: Int) { a(list: [$n]) }',
  '{ a @own(at: 1) }',
])('%s can have a value that the subgraph alone knows', (text) => {
  expect(canHaveUncheckedValues(text)).toBe(true)
})
