/** Texts in the join directives of a supergraph that are not what they should be: what the planner says of them. */
import { expect, test } from 'vitest'
import { createPlanner } from '../../../../gateway/engine/plan/index.ts'
import { loadSupergraph, SupergraphError } from '../../../../gateway/engine/supergraph/index.ts'

/** A supergraph of one subgraph, with these arguments of its join directives. */
const planned = (type: string, field = ''): unknown =>
  createPlanner(
    loadSupergraph(`
      enum join__Graph { A @join__graph(name: "a", url: "http://127.0.0.1:1/") }
      type Query @join__type(graph: A) { book: Book @join__field(graph: A) }
      type Book @join__type(graph: A${type}) { id: ID @join__field(graph: A${field}) }`),
  )

test.each([
  ['a key', [', key: "id {"'], /@join__type of Book, key: "id {" is not a selection of fields: Syntax Error/],
  ['a key with more behind it', [', key: "id } fragment F on Book { id"'], /Expected fields alone/],
  ['a key that is a type', [', key: "{ id } type Other { id: ID }"'], /Expected fields alone/],
  ['what is required', ['', ', requires: "!"'], /@join__field of Book.id, requires: "!" is not a selection/],
  ['what is provided', ['', ', provides: "a b("'], /@join__field of Book.id, provides: "a b\("/],
  ['a type', ['', ', type: "[ID"'], /@join__field of Book.id, type: "\[ID" is not a type: Syntax Error/],
  [
    'what is selected of a context',
    ['', ', contextArguments: [{ context: "c", name: "n", type: "ID", selection: "{" }]'],
    /@join__field of Book.id, selection: "{" is not a selection/,
  ],
  [
    'the type of a context argument',
    ['', ', contextArguments: [{ context: "c", name: "n", type: "ID!!", selection: "{ id }" }]'],
    /@join__field of Book.id, type: "ID!!" is not a type/,
  ],
])('%s that cannot be read is refused with its place', (_, [type = '', field], message) => {
  expect(() => planned(type, field)).toThrow(SupergraphError)
  expect(() => planned(type, field)).toThrow(message)
})

test('of a long text the message quotes the beginning', () => {
  const error = (() => {
    try {
      planned(`, key: "id ${'{ a '.repeat(5000)}"`)
    } catch (thrown) {
      return thrown as Error
    }
    return undefined
  })()
  expect(error).toBeInstanceOf(SupergraphError)
  expect(error?.message.length).toBeLessThan(400)
})

test('what can be read is planned with', () => {
  expect(planned(', key: "id"', ', requires: "", type: "ID!"')).toBeDefined()
})
