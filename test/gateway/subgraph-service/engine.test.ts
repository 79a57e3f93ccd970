/** What a subgraph service answers to operations that come again: byte for byte what it answered before. */
import fc from 'fast-check'
import { execute, type GraphQLSchema, parse } from 'graphql'
import { expect, test } from 'vitest'
import { responseBody } from '../../../engine/index.ts'
import { createSubgraphEngine } from '../../../gateway/subgraph-service/engine.ts'
import { createLogger } from '../../../gateway/telemetry/log.ts'
import { bytesOfJson, splitJson } from '../../../shared/json/raw.ts'
import type { Subgraph } from '../../../shared/subgraph.ts'
import { executableSchema, settled, testGatewayRequest } from '../../support/federation.ts'
import { randomOperation } from '../../support/random-operation.ts'

const sdl = `
  scalar JSON
  enum Colour { RED GREEN }
  interface Thing { id: ID!, text: String, near: [Thing!] }
  type Box implements Thing { id: ID!, text: String, near: [Thing!], size: Int!, lid: Lid, rows: [[Float]!] }
  type Bag implements Thing { id: ID!, text: String, near: [Thing!], colour: Colour!, free: JSON }
  type Lid { open: Boolean!, any: Any, free: [JSON!] }
  union Any = Box | Lid
  type Query { thing: Thing, things: [Thing], any: [Any], text: String!, count: Int, free: JSON, failing: String }`

const bag = (near: readonly object[] | null) => ({
  ...{
    __typename: 'Bag',
    id: 'é"',
    text: '—😀 <b>\u2028',
    near,
    colour: 'RED',
    free: { a: [{}], b: -0.5e-7 },
  },
})
const lid = { __typename: 'Lid', open: false, any: null, free: ['ü', 1, []] }
const box = {
  ...{ __typename: 'Box', id: 7, text: null, near: [bag([]), bag(null)], size: -(2 ** 31) },
  ...{ lid: { ...lid, any: lid }, rows: [[0, 1.25, null], []] },
}
const raw = splitJson('{"raw":[1, "two", {"three" : 3e0}]}', 'raw')?.raw
const query = {
  ...{ thing: () => bag([box]), things: () => [box, null, bag([bag([])])], any: () => [box, lid, null] },
  ...{ text: () => '__proto__', count: () => 0, free: () => raw },
  failing: () => Promise.reject(new Error('failing')),
}

function subgraphOf(schema: GraphQLSchema): Subgraph {
  const subgraph = { name: 'one', typeDefs: parse(sdl), schema, createContext: () => ({}) }
  return { ...subgraph, close: () => Promise.resolve() }
}

const schema = executableSchema(sdl, { Query: query })
const log = createLogger({ level: 'error', destination: { write: () => undefined } })

async function answersTo({
  query,
  variables = {},
}: {
  query: string
  variables?: Record<string, unknown>
}): Promise<readonly string[]> {
  const compiled = createSubgraphEngine(subgraphOf(schema), log).compile({ document: parse(query) })
  const answers: string[] = []
  for (let turn = 0; turn < 6; turn++) {
    const result = await compiled.executeToJson(variables, testGatewayRequest())
    answers.push(bytesOfJson(responseBody(result)).toString())
    await settled()
  }
  return answers
}

test('whatever is selected, every answer is that of graphql', async () => {
  const example = fc.record({ seed: fc.nat(), size: fc.integer({ min: 1, max: 25 }) })
  await fc.assert(
    fc.asyncProperty(example, async (options) => {
      const operation = randomOperation(schema, { ...options, rich: true })
      fc.pre(operation !== undefined)
      const { query, variables } = operation
      const { data, errors } = await execute({ schema, document: parse(query), variableValues: variables })
      const answers = await answersTo({ query, variables })
      expect(new Set(answers).size).toBe(1)
      const given = JSON.parse(answers[0] ?? '') as { data: unknown; errors?: readonly unknown[] }
      expect(JSON.stringify(given.data)).toBe(JSON.stringify(data))
      expect(given.errors?.length).toBe(errors?.length)
    }),
    { numRuns: 150 },
  )
})

test('raw JSON, introspection and errors are in every answer', async () => {
  expect(await answersTo({ query: '{ free }' })).toEqual(
    Array.from({ length: 6 }, () => '{"data":{"free":[1, "two", {"three" : 3e0}]}}'),
  )
  const [kind = '', ...others] = await answersTo({ query: '{ __type(name: "Lid") { kind } text }' })
  expect(JSON.parse(kind)).toEqual({ data: { __type: { kind: 'OBJECT' }, text: '__proto__' } })
  expect(new Set(others)).toEqual(new Set([kind]))
  for (const answer of await answersTo({ query: '{ text failing }' }))
    expect(JSON.parse(answer)).toMatchObject({
      data: { text: '__proto__', failing: null },
      errors: [{ path: ['failing'], message: 'failing' }],
    })
})
