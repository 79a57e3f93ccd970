import { writeFileSync } from 'node:fs'
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { describe, expect, test } from 'vitest'
import type { OperationParams } from '../../../gateway/pipeline/operation-request.ts'
import {
  createDocumentReader,
  createDocumentStore,
  readManifest,
} from '../../../gateway/pipeline/persisted/index.ts'
import { memoryStores } from '../../../gateway/stores/index.ts'
import { hashOf } from '../../../shared/graphql/persisted-operation.ts'
import { startGraph } from '../../support/graph.ts'
import { postJson } from '../../support/post-json.ts'
import { temporaryFile } from '../../support/temporary.ts'

const document = '{ a }'
const params = (query: string | undefined, sha256Hash?: string): OperationParams => ({
  query,
  operationName: undefined,
  variables: undefined,
  extensions: sha256Hash === undefined ? undefined : { persistedQuery: { version: 1, sha256Hash } },
})

describe('automatic', () => {
  test('a hash is unknown until its document came along once', async () => {
    const { read, keep } = createDocumentReader({
      kind: 'automatic',
      store: createDocumentStore(memoryStores),
    })
    expect(() => read(params(undefined, hashOf(document)))).toThrow('PersistedQueryNotFound')
    expect(await read(params(document, hashOf(document)))).toBe(document)
    expect(() => read(params(undefined, hashOf(document)))).toThrow('PersistedQueryNotFound')
    await keep(params(document, hashOf(document)))
    expect(await read(params(undefined, hashOf(document)))).toBe(document)
    expect(await read(params(undefined, hashOf(document).toUpperCase()))).toBe(document)
  })
  test('a document under the hash of another is refused and not kept', () => {
    const { read } = createDocumentReader({ kind: 'automatic', store: createDocumentStore(memoryStores) })
    expect(() => read(params('{ b }', hashOf(document)))).toThrow(/not the SHA-256/)
    expect(() => read(params(undefined, hashOf(document)))).toThrow('PersistedQueryNotFound')
  })
  test('a malformed hash is refused', () => {
    const { read } = createDocumentReader({ kind: 'automatic', store: createDocumentStore(memoryStores) })
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

test('off: a hash without a text is not supported', () => {
  const { read } = createDocumentReader({ kind: 'off' })
  expect(read(params(document))).toBe(document)
  expect(() => read(params(undefined, hashOf(document)))).toThrow('PersistedQueryNotSupported')
})

test('a manifest with ids that are not hashes of their bodies is refused', () => {
  const file = temporaryFile(
    'manifest.json',
    JSON.stringify({ operations: [{ id: hashOf(document), body: document }] }),
  )
  expect([...readManifest(file).values()]).toEqual([document])
  writeFileSync(file, JSON.stringify({ operations: [{ id: hashOf('{ b }'), body: document }] }))
  expect(() => readManifest(file)).toThrow(/not the SHA-256/)
  for (const text of ['[]', '{}', '{"operations":{}}', `{"${hashOf(document).slice(32)}":"${document}"}`]) {
    writeFileSync(file, text)
    expect(() => readManifest(file)).toThrow(/not a manifest/)
  }
})

test.each([
  ['the compiler of Relay', hashOf(document)],
  ['GraphQL Code Generator', `sha256:${hashOf(document)}`],
])('a manifest is read as %s writes it', (_, key) => {
  const file = temporaryFile('persisted.json', JSON.stringify({ [key]: document }))
  expect([...readManifest(file)]).toEqual([[hashOf(document), document]])
  writeFileSync(file, JSON.stringify({ [key]: '{ b }' }))
  expect(() => readManifest(file)).toThrow(/not the SHA-256/)
  writeFileSync(file, JSON.stringify({ [key]: 1 }))
  expect(() => readManifest(file)).toThrow(/needs an `id` and a `body`/)
})

test('an invalid operation, or one over a limit, is not stored', async () => {
  await using graph = await startGraph({ env: { TESSERA_MAX_DEPTH: '3' } })
  const send = async (query: string | undefined, text: string) => {
    const response = await postJson(
      graph.url,
      { query, extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(text) } } },
      { accept: 'application/graphql-response+json' },
    )
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

test.each([
  ['automatic', [404, 200]],
  ['off', [400, 200]],
] as const)('an unknown hash (%s) has status 200 only if older clients expect it', async (mode, statuses) => {
  await using graph = await startGraph({ env: { TESSERA_PERSISTED: mode } })
  const ask = async (accept: string) => {
    const response = await postJson(
      graph.url,
      { extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(document) } } },
      { accept },
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    return response.status
  }
  expect([await ask('application/graphql-response+json'), await ask('application/json')]).toEqual(statuses)
})

test.each(['automatic', 'off'])(
  'Apollo Client sends the document after its hash, with either media type (%s)',
  async (mode) => {
    await using graph = await startGraph({ env: { TESSERA_PERSISTED: mode } })
    for (const accept of ['application/graphql-response+json', 'application/json']) {
      const statuses: number[] = []
      const http = new HttpLink({
        uri: graph.url,
        headers: { accept },
        fetch: async (...request) => {
          const response = await fetch(...request)
          statuses.push(response.status)
          return response
        },
      })
      const persisted = new PersistedQueryLink({ sha256: (text) => hashOf(text) })
      const client = new ApolloClient({
        link: ApolloLink.from([persisted, http]),
        cache: new InMemoryCache(),
      })
      const name = accept.replace(/\W/g, '')
      const { data } = await client.query({ query: gql(`query ${name} { videos(videoIds: []) { id } }`) })
      expect(data).toEqual({ videos: [] })
      expect(statuses).toEqual([accept === 'application/json' ? 200 : mode === 'off' ? 400 : 404, 200])
      client.stop()
    }
  },
)
