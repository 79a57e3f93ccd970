/** Operations are prepared once: one syntax tree for a text, whatever operation of it is asked for, within one memory. */
import { expect, test, vi } from 'vitest'
import { createAuthorizer } from '../../../gateway/access/authorize/index.ts'
import { isRefused, type Operation } from '../../../gateway/access/operation.ts'
import { createKeptMemory } from '../../../gateway/engine/kept.ts'
import { createOperations } from '../../../gateway/http/operations.ts'
import { createPreparations } from '../../../gateway/http/preparation.ts'
import { createTextReader } from '../../../gateway/http/read-document.ts'
import { startFederation } from '../../support/federation.ts'

const limits = {
  tokens: 5000,
  nesting: 64,
  depth: 20,
  aliases: 100,
  rootFields: 50,
  directives: 100,
  fields: 10_000,
  listItems: 500,
  values: 100_000,
}

async function stage() {
  const { supergraph, engine } = await startFederation({
    one: { sdl: 'type Query { a: Int things: [Thing] } type Thing { b: Int }', resolvers: {} },
  })
  const read = vi.fn(createTextReader({ schema: supergraph.apiSchema, limits, introspection: true }))
  const kept = createKeptMemory(1_000_000, 1000)
  const operations = createOperations({
    apiSchema: supergraph.apiSchema,
    engine,
    authorizer: createAuthorizer(supergraph.document, supergraph.apiSchema),
    limits,
    introspection: true,
    kept,
    preparations: createPreparations(100),
    onLookup: () => {},
    readText: read,
  })
  return { operations, kept, read }
}

test('a document is read once for all of its operations', async () => {
  const { operations, read } = await stage()
  const text = 'query A { a } query B { things { b } } query C { a things { b } }'
  const prepared = await Promise.all(['A', 'B', 'C', 'A'].map((name) => operations.get(text, name)))
  const trees = prepared.map((each) => (isRefused(each) ? undefined : (each as Operation).document))
  expect(trees[0]).toBeDefined()
  expect(new Set(trees).size).toBe(1)
  expect(read).toHaveBeenCalledTimes(1)
})

test('a text that was refused is refused again without being read', async () => {
  const { operations, read } = await stage()
  const [first, second] = [await operations.get('{ b }', undefined), await operations.get('{ b }', undefined)]
  expect(isRefused(first) && first[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED')
  expect(second).toBe(first)
  expect(isRefused(first) && first[0]?.locations).toEqual([{ line: 1, column: 3 }])
  expect(read).toHaveBeenCalledTimes(1)
})

test('what is kept stays within its bytes, however many documents come', async () => {
  const { operations, kept } = await stage()
  const filler = ' things { b }'.repeat(20)
  for (let i = 0; i < 400; i++) {
    const operation = await operations.get(`query Q${i} { a${filler} }`, undefined)
    if (isRefused(operation)) throw operation[0]
    await operation.grantedTo({ authenticated: false, scopes: [] } as never)
    expect(kept.bytes).toBeLessThanOrEqual(1_000_000)
  }
  expect(kept.bytes).toBeGreaterThan(500_000)
})

test.each([
  ['a mutation where there are none', 'mutation { x }', 'GRAPHQL_VALIDATION_FAILED'],
  ['a subscription', 'subscription { x }', 'GRAPHQL_VALIDATION_FAILED|BAD_REQUEST'],
])('%s is the fault of the client', async (_, text, code) => {
  const { operations } = await stage()
  const refused = await operations.get(text, undefined)
  expect(isRefused(refused) && String(refused[0]?.extensions.code)).toMatch(new RegExp(code))
})
