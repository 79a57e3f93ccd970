/** Documents by their hash: what one side writes the other reads, and only a plain refusal is taken for one. */
import { hash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  extensionsNaming,
  hashesNotTaken,
  hashIn,
  hashOf,
  refusalOfHash,
  unknownHash,
} from '../../../shared/graphql/persisted-operation.ts'
import type { HttpResult } from '../../../shared/http/dispatch-request.ts'

const answered = (json: unknown): HttpResult => ({
  ...{ loss: undefined, cause: undefined, wasSent: false, status: 200, headers: {} },
  body: Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)),
})

test('what is sent for a document is read as its SHA-256', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (document) => {
      expect(hashIn(JSON.parse(extensionsNaming(document)) as Record<string, unknown>)).toBe(
        hash('sha256', document),
      )
      expect(hashOf(document)).toBe(hash('sha256', document))
    }),
  )
  expect(hashIn(undefined)).toBeUndefined()
  expect(hashIn({ persistedQuery: null })).toBeUndefined()
  for (const persistedQuery of [
    1,
    {},
    { version: 2, sha256Hash: hashOf('') },
    { version: 1, sha256Hash: 'A' },
  ])
    expect(() => hashIn({ persistedQuery })).toThrow(/must be/)
})

test('our own refusals are read as what they say, and so are those that have only a message or a code', () => {
  for (const error of [unknownHash(), { message: 'PersistedQueryNotFound' }])
    expect(refusalOfHash(answered({ errors: [error] }))).toBe('PERSISTED_QUERY_NOT_FOUND')
  for (const error of [
    hashesNotTaken(),
    { message: 'Not here', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } },
  ])
    expect(refusalOfHash(answered({ data: null, errors: [error] }))).toBe('PERSISTED_QUERY_NOT_SUPPORTED')
})

test('an answer that holds anything else may have executed something, and is no refusal', () => {
  const error = unknownHash()
  for (const answer of [
    { data: { a: 1 }, errors: [error] },
    { errors: [error, error] },
    { errors: [{ message: 'A field says PersistedQueryNotFound' }] },
    { errors: [null], text: 'PersistedQueryNotFound' },
    { data: { text: 'PERSISTED_QUERY_NOT_FOUND' } },
    { errors: [error], more: 'x'.repeat(2000) },
    'PersistedQueryNotFound',
  ])
    expect(refusalOfHash(answered(answer)), JSON.stringify(answer).slice(0, 80)).toBeUndefined()
  expect(refusalOfHash({ ...answered({ errors: [error] }), loss: 'timeout' } as never)).toBeUndefined()
})
