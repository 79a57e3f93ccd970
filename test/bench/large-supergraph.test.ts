/** The supergraph of a large company, in small: it is served, and what is read late of it is checked early. */
import { expect, test } from 'vitest'
import { largeSupergraph } from '../../bench/large-supergraph.ts'
import { createPlanner, printPlan } from '../../engine/planner/index.ts'
import { loadSupergraph } from '../../engine/supergraph/index.ts'
import { inputOf } from '../support/plans.ts'

const sdl = largeSupergraph({ subgraphs: 5, types: 20 })

test('it is the same text each time, and an operation over two of its subgraphs is planned', () => {
  expect(largeSupergraph({ subgraphs: 5, types: 20 })).toBe(sdl)
  const supergraph = loadSupergraph(sdl)
  expect(supergraph.subgraphs.length).toBe(5)
  const fields = Object.keys(
    (supergraph.apiSchema.getType('Type0') as unknown as { getFields(): object }).getFields(),
  )
  const input = inputOf(supergraph, `{ root0(id: "1") { id ${fields[1]} ${fields[2]} } }`)
  const plan = createPlanner(supergraph).plan(input)
  expect(new Set(printPlan(plan).match(/graph-\d+/g)).size).toBe(2)
})

test.each([
  ['a field twice', sdl.replace('  id: ID!', '  id: ID!\n  id: ID!'), /can only be defined once/],
  ['a type that is not there', sdl.replace('  id: ID!', '  id: Absent!'), /Unknown type "Absent"/],
  [
    'a requirement that is no selection',
    sdl.replace('@join__field(graph: GRAPH_0)', '@join__field(graph: GRAPH_0, requires: "{")'),
    /is not a selection of fields/,
  ],
])('%s is refused before it is served', (_what, text, message) => {
  expect(() => createPlanner(loadSupergraph(text))).toThrow(message)
})
