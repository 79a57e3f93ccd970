/** Subgraphs that cannot be composed: the reason is returned as an error, even if the composer throws. */
import { expect, test } from 'vitest'
import { compose } from '../../../../engine/supergraph/compose/index.ts'

test('a directive that the composer throws for is an error of its subgraph', () => {
  const good = { name: 'good', url: 'http://127.0.0.1:1', typeDefs: 'type Query { a: Int }' }
  const { errors } = compose([
    good,
    { ...good, name: 'bad', typeDefs: 'extend schema @link(url: "", import: [""]) type Query { b: Int }' },
    { ...good, name: 'worse', typeDefs: 'extend schema @link(import: [1]) type Query { c: Int }' },
  ])
  expect(errors?.map(({ message, extensions }) => [message.slice(0, 10), extensions.code])).toContainEqual([
    '[worse] In',
    'INVALID_SUBGRAPH',
  ])
  expect(errors?.some(({ message }) => message.startsWith('[good]'))).toBe(false)
})

test('more definitions than the composer can take are an error that says so', () => {
  const scalars = Array.from({ length: 200_000 }, (_, number) => `scalar S${number}`).join('\n')
  const { errors } = compose([
    { name: 'many', url: 'http://127.0.0.1:1', typeDefs: `type Query { a: Int }\n${scalars}` },
  ])
  expect(errors?.map(({ message }) => message)).toEqual([
    '[many] The composer cannot take so many definitions in one subgraph, or so many brackets within each other.',
  ])
})

test('a subgraph without a name is an error', () => {
  const { errors } = compose([{ name: '', url: 'http://127.0.0.1:1', typeDefs: 'type Query { a: Int }' }])
  expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['INVALID_SUBGRAPH_NAME'])
})
