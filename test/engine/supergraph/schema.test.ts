/**
 * The schema that is made in steps equals the one that graphql makes at once, and is refused for the same faults.
 */
import {
  buildASTSchema,
  getVariableValues,
  introspectionFromSchema,
  type OperationDefinitionNode,
  parse,
  printSchema,
} from 'graphql'
import { expect, test } from 'vitest'
import { largeSupergraph } from '../../../bench/large-supergraph.ts'
import { loadSupergraph } from '../../../engine/supergraph/index.ts'
import { makingSchema } from '../../../engine/supergraph/schema.ts'
import { servingSupergraph } from '../../../gateway/sources/served-supergraph.ts'
import { runToEnd } from '../../../shared/runtime/steps.ts'
import { runInTurns } from '../../../shared/runtime/turns.ts'
import { readSchemaFile } from '../../../subgraphs/kit/subgraph.ts'

const every = `
  """About a directive."""
  directive @d(x: Int = 1 @deprecated(reason: "old"), y: [In!]) repeatable on FIELD | QUERY
  directive @deprecated(reason: String = "why") on FIELD_DEFINITION | ENUM_VALUE | ARGUMENT_DEFINITION
  scalar Date @specifiedBy(url: "https://example.com/date")
  scalar ID
  interface Node { id: ID! }
  interface Named implements Node { id: ID! name: String }
  """About a type."""
  type A implements Named & Node {
    id: ID!
    "About a field."
    name(first: Int! = 2, in: In = { at: [A], many: [1, 2] }): String @deprecated
    list: [[A!]]! @deprecated(reason: "no longer")
  }
  union U = A | Query
  enum E { A "About a value." B @deprecated(reason: "gone") }
  input In { at: [E!] = [B] many: [Int] other: In }
  input One @oneOf { a: Int b: String }
  type Query { a: A u(one: One): U e: E date: Date }
  type Mutation { change: A }
`

test.each([
  ['every kind of definition', every],
  ['our own graph', printSchema(loadSupergraph(readSchemaFile('supergraph')).apiSchema)],
])('%s: the schemas are equal', (_what, sdl) => {
  const document = parse(sdl, { noLocation: true })
  const made = runToEnd(() => makingSchema(document))
  const expected = buildASTSchema(document)
  expect(printSchema(made)).toBe(printSchema(expected))
  const options = { specifiedByUrl: true, inputValueDeprecation: true, oneOf: true, schemaDescription: true }
  expect(introspectionFromSchema(made, options)).toEqual(introspectionFromSchema(expected, options))
  expect(made.getType('Query')?.astNode).toBe(expected.getType('Query')?.astNode)
})

test.each([
  ['a field of an input type', `input I { a: Int } type Query { i: I }`, /Output Type/],
  [
    'an interface without its fields',
    `interface I { a: Int } type Query implements I { b: Int }`,
    /I.a expected/,
  ],
  ['a circle of inputs', `input I { i: I! } type Query { a(i: I): Int }`, /non-null fields: "i"/],
  ['an unknown type', `type Query { a: Absent }`, /Unknown type "Absent"/],
  ['two types of one name', `type Query { a: Int } type Query { b: Int }`, /only one type named "Query"/],
  ['no query', `type Mutation { a: Int }`, /no query type/],
])('%s is refused', (_what, sdl, message) => {
  expect(() => runToEnd(() => makingSchema(parse(sdl)))).toThrow(message)
})

test.each([
  ['in steps', ''],
  ['at once, because it has an extension', 'extend input Other { m: Big = 9007199254740993 }'],
])('a schema that is made %s keeps the digits of numbers of custom scalars', (_way, more) => {
  const sdl = `scalar Big input In { n: Big = 9007199254740993 } input Other { in: In = {} } type Query { a(o: Other): Int }`
  const schema = runToEnd(() => makingSchema(parse(`${sdl} ${more}`)))
  const [operation] = parse(
    'query ($in: In = {}, $o: Other = {}, $n: Big = [9007199254740993]) { a }',
  ).definitions
  const { coerced } = getVariableValues(
    schema,
    (operation as OperationDefinitionNode).variableDefinitions ?? [],
    {},
  )
  const added = more === '' ? '' : ',"m":9007199254740993'
  expect(JSON.stringify(coerced)).toBe(
    `{"in":{"n":9007199254740993},"o":{"in":{"n":9007199254740993}${added}},"n":[9007199254740993]}`,
  )
})

test('requests run while a large supergraph is read', async () => {
  const sdl = largeSupergraph({ subgraphs: 20, types: 400 })
  let turns = 0
  let isRunning = true
  const turn = (): void => {
    turns += 1
    if (isRunning) setImmediate(turn)
  }
  setImmediate(turn)
  const { supergraph } = await runInTurns(() => servingSupergraph(sdl, {}))
  isRunning = false
  expect(supergraph.subgraphs.length).toBe(20)
  expect(turns).toBeGreaterThan(5)
})
