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

const toldOf = (...given: readonly GraphQLError[]) => JSON.parse(errorsWithin(given, 100_000)) as unknown[]

test('equal errors are told once, with the place of the first, how many they are, and what to do', () => {
  const at = (path: (string | number)[], code: string, more: object = {}) =>
    new GraphQLError('It failed.', { path, extensions: { code, ...more } })
  expect(
    toldOf(
      at(['a', 0], 'NOT_FOUND'),
      at(['b'], 'RATE_LIMITED', { retryAfter: 0, quota: { remaining: 0 } }),
      at(['a', 1], 'NOT_FOUND', { authorization: { missing: ['read'] } }),
      at(['c'], 'FORBIDDEN', { authorization: { missing: ['read'] } }),
      at(['d'], 'UPSTREAM_TIMEOUT', { outcome: 'unknown' }),
      at(['e'], 'OF_A_HOOK', { retryAfter: 'soon' }),
      new GraphQLError('It failed.'),
      at(['a', 2], 'NOT_FOUND'),
    ),
  ).toEqual([
    { code: 'NOT_FOUND', message: 'It failed.', path: 'a.0', cure: 'Check the id.', times: 3 },
    {
      ...{ code: 'RATE_LIMITED', message: 'It failed.', path: 'b', retryAfter: 0, quota: { remaining: 0 } },
      cure: 'Wait as long as `retryAfter` says.',
    },
    {
      ...{ code: 'FORBIDDEN', message: 'It failed.', path: 'c', scopes: ['read'] },
      cure: 'The service refuses this to this user: do not try again.',
    },
    { code: 'UPSTREAM_TIMEOUT', message: 'It failed.', path: 'd', cure: expect.stringContaining('UNKNOWN') },
    { code: 'OF_A_HOOK', message: 'It failed.', path: 'e' },
    { code: 'INTERNAL_SERVER_ERROR', message: 'It failed.' },
  ])
})

test('at most twenty errors are told, with 500 characters of each message, and as many as fit', () => {
  const many = Array.from({ length: 21 }, (_, n) => new GraphQLError(`${n}`))
  expect(toldOf(...many)).toHaveLength(20)
  const [short, long] = [500, 501].map((length) => new GraphQLError('x'.repeat(length)))
  expect(toldOf(short as GraphQLError)).toMatchObject([{ message: 'x'.repeat(500) }])
  expect(toldOf(long as GraphQLError)).toMatchObject([{ message: `${'x'.repeat(500)}…` }])
  const whole = errorsWithin(many.slice(0, 3), 100_000)
  expect(errorsWithin(many.slice(0, 3), whole.length)).toBe(whole)
  expect(JSON.parse(errorsWithin(many.slice(0, 3), whole.length - 1))).toHaveLength(2)
  const one = errorsWithin(many.slice(0, 1), 100_000)
  expect(errorsWithin(many.slice(0, 1), one.length)).toBe(one)
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
