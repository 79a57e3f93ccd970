/** Required fields of representations, if several fields require them. */
import { expect, test } from 'vitest'
import { eachFetch, type RequiredField } from '../../../../engine/planner/index.ts'
import { mergeRequired } from '../../../../engine/planner/search/required.ts'
import { planning } from '../../../support/plans.ts'

const field = (name: string, more: Partial<RequiredField> = {}): RequiredField => ({
  key: name,
  name,
  types: undefined,
  fields: undefined,
  ...more,
})

test('a field that is required twice is sent once, with what each requires of it', () => {
  const size = (...fields: readonly RequiredField[]) => field('size', { fields })
  expect(mergeRequired([field('id'), size(field('width')), field('id')])).toEqual([
    field('id'),
    size(field('width')),
  ])
  expect(mergeRequired([size(field('width')), size(field('width'), field('height'))])).toEqual([
    size(field('width'), field('height')),
  ])
  const box = (inner: RequiredField) => field('box', { fields: [inner] })
  expect(mergeRequired([box(size(field('width'))), box(size(field('height')))])).toEqual([
    box(size(field('width'), field('height'))),
  ])
})

test.each([
  ['of other types', { types: ['Film'] }],
  ['of another name', { name: 'other' }],
  ['under another key', { key: 'other' }],
])('a field %s is sent as well', (_, more) => {
  const both = [field('id', { types: ['Book', 'Song'] }), field('id', { types: ['Book', 'Song'], ...more })]
  expect(mergeRequired(both)).toEqual(both)
})

test('the type of an object that can be of several types is sent, too', () => {
  const plan = planning({
    a: `type Query { p: P } interface Maker { id: ID } type Person implements Maker { id: ID }
      type P @key(fields: "id") { id: ID maker: Maker }`,
    b: `interface Maker { id: ID } type Person implements Maker { id: ID @external }
      type P @key(fields: "id") { id: ID maker: Maker @external size: Int @requires(fields: "maker { id }") }`,
  })('{ p { size } }')
  const sent: (readonly RequiredField[])[] = []
  eachFetch(plan, (node) => {
    if (node.kind === 'entities')
      for (const { representations } of node.groups)
        for (const { fields } of representations) sent.push(fields)
  })
  expect(sent).toEqual([[field('id'), field('maker', { fields: [field('__typename'), field('id')] })]])
})
