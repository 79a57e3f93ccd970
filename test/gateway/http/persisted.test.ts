import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { OperationParams } from '../../../gateway/http/negotiation.ts'
import {
  createDocumentReader,
  createMemoryStore,
  hashOf,
  readManifest,
} from '../../../gateway/http/persisted/index.ts'
import { startGraph } from '../../support/graph.ts'

const document = '{ a }'
const params = (query: string | undefined, sha256Hash?: string): OperationParams => ({
  query,
  operationName: undefined,
  variables: undefined,
  extensions: sha256Hash === undefined ? undefined : { persistedQuery: { version: 1, sha256Hash } },
})

describe('automatic', () => {
  test('a hash is unknown until its document came along once', async () => {
    const { read, keep } = createDocumentReader({ kind: 'automatic', store: createMemoryStore() })
    expect(() => read(params(undefined, hashOf(document)))).toThrow('PersistedQueryNotFound')
    expect(await read(params(document, hashOf(document)))).toBe(document)
    expect(() => read(params(undefined, hashOf(document)))).toThrow('PersistedQueryNotFound')
    await keep(params(document, hashOf(document)))
    expect(await read(params(undefined, hashOf(document)))).toBe(document)
  })
  test('a document under the hash of another is refused and not kept', () => {
    const { read } = createDocumentReader({ kind: 'automatic', store: createMemoryStore() })
    expect(() => read(params('{ b }', hashOf(document)))).toThrow(/not the SHA-256/)
    expect(() => read(params(undefined, hashOf(document)))).toThrow('PersistedQueryNotFound')
  })
  test('a malformed hash is refused', () => {
    const { read } = createDocumentReader({ kind: 'automatic', store: createMemoryStore() })
    expect(() => read(params(document, '__proto__'))).toThrow(/64 hexadecimal/)
  })
})

test('trusted: only what the manifest holds is executed, by hash or by its very text', () => {
  const { read } = createDocumentReader({
    kind: 'trusted',
    manifest: new Map([[hashOf(document), document]]),
  })
  expect(read(params(undefined, hashOf(document)))).toBe(document)
  expect(read(params(document))).toBe(document)
  expect(() => read(params('{ b }'))).toThrow(/trusted list/)
})

test('off: a hash alone is not supported', () => {
  const { read } = createDocumentReader({ kind: 'off' })
  expect(read(params(document))).toBe(document)
  expect(() => read(params(undefined, hashOf(document)))).toThrow('PersistedQueryNotSupported')
})

test('a manifest whose ids are no hashes of their bodies is refused', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'tessera-')), 'manifest.json')
  writeFileSync(file, JSON.stringify({ operations: [{ id: hashOf(document), body: document }] }))
  expect([...readManifest(file).values()]).toEqual([document])
  writeFileSync(file, JSON.stringify({ operations: [{ id: hashOf('{ b }'), body: document }] }))
  expect(() => readManifest(file)).toThrow(/not the SHA-256/)
  writeFileSync(file, '[]')
  expect(() => readManifest(file)).toThrow(/no manifest/)
})

test('what is no operation, or passes a limit, is not stored', async () => {
  await using graph = await startGraph({ env: { TESSERA_MAX_DEPTH: '3' } })
  const send = async (query: string | undefined, text: string) => {
    const response = await fetch(graph.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
      body: JSON.stringify({
        query,
        extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(text) } },
      }),
    })
    const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] }
    return errors?.[0]?.extensions.code
  }
  const refused: [string, string][] = [
    ['{ this is not GraphQL', 'GRAPHQL_PARSE_FAILED'],
    ['{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ video(videoId: "a") { channel { commentThreads { nodes { threadId } } } } }', 'OPERATION_TOO_LARGE'],
  ]
  for (const [text, code] of refused) {
    expect(await send(text, text)).toBe(code)
    expect(await send(undefined, text)).toBe('PERSISTED_QUERY_NOT_FOUND')
  }
  expect(await send('{ __typename }', '{ __typename }')).toBeUndefined()
  expect(await send(undefined, '{ __typename }')).toBeUndefined()
})
