/** The errors of an answer: valid JSON within the bound, whatever their messages, paths and codes are. */
import fc from 'fast-check'
import { buildSchema, GraphQLError } from 'graphql'
import { expect, test } from 'vitest'
import { errorsWithin } from '../../../../gateway/mcp/results/errors.ts'
import { createRemainderStore } from '../../../../gateway/mcp/results/remainder-store.ts'
import { ToolResults } from '../../../../gateway/mcp/results/tool-results.ts'
import { untrustedInAnyGraph } from '../../../../gateway/mcp/results/untrusted-fields.ts'
import { memoryStores } from '../../../../gateway/stores/index.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 700 }),
  fc.constantFrom('\u200b'.repeat(500), 'ü'.repeat(600), '"'.repeat(600), '\ud800'.repeat(500)),
)
const errors = fc.array(
  fc
    .record({ message: text, code: text, path: fc.array(text, { maxLength: 2 }) })
    .map(({ message, code, path }) => new GraphQLError(message, { path, extensions: { code } })),
  { minLength: 1, maxLength: 30 },
)

test('errors are a list in JSON within any number of bytes, with the first in it', () => {
  fc.assert(
    fc.property(errors, fc.integer({ min: 400, max: 40_000 }), (given, bytes) => {
      const json = errorsWithin(given, bytes)
      expect(Buffer.byteLength(json)).toBeLessThanOrEqual(bytes)
      const [first] = JSON.parse(json) as { code: string }[]
      const code = String(given[0]?.extensions.code)
      expect(first?.code.isWellFormed() ? code.startsWith(first.code) : true).toBe(true)
    }),
    { numRuns: 100 },
  )
  expect(errorsWithin([], 400)).toBe('')
})

test('errors that are longer than an answer leave it valid JSON, also as structured content', async () => {
  const answers = new ToolResults({
    schema: buildSchema('type Query { version: String }'),
    isUntrusted: untrustedInAnyGraph,
    remainders: createRemainderStore(memoryStores),
    structured: true,
  })
  const given = Array.from({ length: 12 }, (_, n) => new GraphQLError(`${n} ${'ü'.repeat(400)}`))
  const parts = {
    caller: 'me',
    scopes: new Set<string>(),
    maxTokens: 200,
    query: '{ version }',
    operationName: undefined,
  }
  const refused = await answers.ofResult({ data: null, errors: given }, parts)
  expect(Buffer.byteLength(refused.text)).toBeLessThanOrEqual(800)
  expect(refused.structured).toEqual(JSON.parse(refused.text))
  const partial = await answers.ofResult({ data: { version: '1' }, errors: given }, parts)
  expect(Buffer.byteLength(partial.text)).toBeLessThanOrEqual(800)
  expect(partial.structured).toMatchObject({ data: { version: expect.stringContaining('1') } })
})
