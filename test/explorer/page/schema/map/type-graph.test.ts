/** The map of types stays small enough to be drawn. */
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { typeGraph } from '../../../../../explorer/page/schema/map/type-graph.ts'

test('a large schema shows the types nearest to its roots, and how many there are', () => {
  const types = Array.from({ length: 3000 }, (_, n) => `type T${n} { a: T${2 * n + 1} b: T${2 * n + 2} }`)
  const leaves = Array.from({ length: 3001 }, (_, n) => `type T${3000 + n} { root: T0 }`)
  const schema = buildSchema(['type Query { first: T0 }', ...types, ...leaves].join('\n'))
  const { nodes, edges, types: count } = typeGraph(schema, undefined, false)
  expect([nodes.length, count]).toEqual([1000, 6002])
  const names = new Set(nodes.map(({ name }) => name))
  expect(names).toContain('T998')
  expect(edges.filter(({ from, to }) => !names.has(from) || !names.has(to))).toEqual([])
})
