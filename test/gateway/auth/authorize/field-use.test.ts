/** How much of each field is left. */
import { buildSchema } from 'graphql'
import { expect, it } from 'vitest'
import { type Decision, openToAll } from '../../../../gateway/auth/authorize/decision.ts'
import { findFieldSites } from '../../../../gateway/auth/authorize/field-sites.ts'
import { type FieldUse, findFieldUses } from '../../../../gateway/auth/authorize/field-use.ts'
import { normalisedOf } from '../../../support/normalised.ts'

const schema = buildSchema(`
  type Query { v: Video  must: Video! }
  type Mutation { v: Video  must: Video! }
  type Video { title: Int  v: Video  must: Video! }
`)

const decisions: Readonly<Record<string, Decision>> = {
  refused: { open: [], refused: [], idle: false },
  idle: { open: undefined, refused: [], idle: true },
  some: { open: ['Video'], refused: [], idle: false },
}

/** The uses of all fields and of what they select, by their keys, which say how each is decided. */
function weightsIn(query: string): Record<string, [field: FieldUse, content: FieldUse]> {
  const selection = findFieldSites(schema, normalisedOf(schema, query))
  const weights = findFieldUses(selection, ({ key }) => decisions[key] ?? openToAll)
  return Object.fromEntries(
    [...selection.sites.keys()].map((field) => [field.key, [weights.field(field), weights.content(field)]]),
  )
}

it('a field without fields is wanted, unless it is refused or idle', () => {
  expect(weightsIn('{ v { title some: title refused: title idle: __typename } }')).toEqual({
    v: ['wanted', 'wanted'],
    title: ['wanted', 'nothing'],
    some: ['wanted', 'nothing'],
    refused: ['nothing', 'nothing'],
    idle: ['idle', 'nothing'],
  })
})

it('a field with fields is wanted if one of them is', () => {
  expect(weightsIn('{ v { refused: title v2: v { title } } }')).toMatchObject({ v: ['wanted', 'wanted'] })
  expect(weightsIn('{ v { v2: v { refused: title } } }')).toEqual({
    v: ['nothing', 'nothing'],
    v2: ['nothing', 'nothing'],
    refused: ['nothing', 'nothing'],
  })
  expect(weightsIn('{ refused: v { title } }')).toMatchObject({ refused: ['nothing', 'wanted'] })
})

it.each([
  ['idle: __typename', 'idle'],
  ['refused: title idle: __typename', 'idle'],
  ['idle: __typename refused: title', 'idle'],
  ['idle: __typename title', 'wanted'],
  ['title idle: __typename', 'wanted'],
  ['refused: title', 'nothing'],
  ['... { idle: __typename }', 'idle'],
  ['... { title }', 'wanted'],
  ['...F', 'wanted'],
  ['...F ...F', 'wanted'],
  ['...G', 'nothing'],
  ['...G ...H', 'idle'],
] as const)('what is selected by `%s` is %s', (fields, content) => {
  const fragments =
    'fragment F on Video { title } fragment G on Video { refused: title } fragment H on Video { ...G must { refused: title } }'
  const weights = weightsIn(`{ v { ${fields} } } ${fragments}`)
  expect(weights.v).toEqual([content === 'wanted' ? 'wanted' : 'nothing', content])
})

it('a field that is left empty and must not be null is idle, but for a mutation', () => {
  expect(weightsIn('{ must { refused: title } }')).toMatchObject({ must: ['idle', 'nothing'] })
  expect(weightsIn('{ v { must { refused: title } } }')).toMatchObject({
    v: ['nothing', 'idle'],
    must: ['idle', 'nothing'],
  })
  expect(
    weightsIn('mutation { must { refused: title } v { inner: must { refused: title } } }'),
  ).toMatchObject({ must: ['nothing', 'nothing'], v: ['nothing', 'idle'], inner: ['idle', 'nothing'] })
})

it('fragments and fields are weighed once each, however often they are spread', () => {
  const deep = Array.from(
    { length: 60 },
    (_, index) => `fragment F${index} on Video { ...F${index + 1} ...F${index + 1} }`,
  )
  expect(
    weightsIn(`{ v { ...F0 } } ${deep.join(' ')} fragment F60 on Video { refused: title }`),
  ).toMatchObject({ v: ['nothing', 'nothing'] })
})
