/**
 * Persisted operations: automatic ones (a client sends the SHA-256 first and the document only when asked)
 * and trusted ones (a manifest made at build time; nothing else is executed).
 */
import { tesseraError } from '../../../shared/errors.ts'
import { hashesNotTaken, hashIn, hashOf, unknownHash } from '../../../shared/graphql/persisted-operation.ts'
import { isObject } from '../../../shared/json/is-object.ts'
import { fileFault, readBoundedSync } from '../../../shared/runtime/bounded-file.ts'
import type { OperationParams } from '../operation-request.ts'
import type { DocumentStore } from './document-store.ts'

export { createDocumentStore, type DocumentStore, documentsKind } from './document-store.ts'

/** The manifest of trusted operations: hash to document. */
export type Manifest = ReadonlyMap<string, string>

/** In bytes. */
const largestManifest = 64 * 1024 * 1024

export function readManifest(path: string): Manifest {
  let text: string
  try {
    text = readBoundedSync(path, largestManifest).toString('utf8')
  } catch (error) {
    throw new Error(`TESSERA_PERSISTED_MANIFEST: ${path} cannot be read: ${fileFault(error)}`)
  }
  return readManifestText(text, path)
}

/** Reads a manifest from its text. Errors call it `name`. */
export function readManifestText(text: string, name: string): Manifest {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new Error(`${name} is not a manifest: expected JSON, such as \`tessera persist\` writes`)
  }
  const operations = isObject(parsed) ? (parsed.operations ?? operationsByHash(parsed)) : undefined
  if (!Array.isArray(operations))
    throw new Error(
      `${name} is not a manifest: expected { "operations": [ { "id", "body" } ] }, or each body under its SHA-256`,
    )
  const manifest = new Map<string, string>()
  for (const entry of operations as readonly unknown[]) {
    const { id, body } = (entry ?? {}) as { id?: unknown; body?: unknown }
    if (typeof id !== 'string' || typeof body !== 'string') {
      throw new Error(`${name} is not a manifest: every operation needs an \`id\` and a \`body\``)
    }
    if (hashOf(body) !== id)
      throw new Error(`${name}: the id of an operation is not the SHA-256 of its body: ${id}`)
    manifest.set(id, body)
  }
  return manifest
}

/** The compiler of Relay and GraphQL Code Generator write each document under its hash. */
function operationsByHash(parsed: Readonly<Record<string, unknown>>): unknown[] | undefined {
  const entries = Object.entries(parsed)
  if (entries.length === 0 || !entries.every(([key]) => /^(sha256:)?[0-9a-f]{64}$/.test(key)))
    return undefined
  return entries.map(([key, body]) => ({ id: key.replace('sha256:', ''), body }))
}

export type PersistedMode =
  | { readonly kind: 'off' }
  | { readonly kind: 'automatic'; readonly store: DocumentStore }
  | { readonly kind: 'trusted'; readonly manifest: Manifest }

/** Finds the document to execute, and keeps it once it proved to be one. */
export interface DocumentReader {
  /** The document's text. Synchronous if a document came and no hash. */
  read(params: OperationParams): string | Promise<string>
  /** The document's text if it is at hand, without a check. */
  known(params: OperationParams): string | undefined
  /** Stores a document that came with its hash; to be called when it was parsed, and is within the limits. */
  keep(params: OperationParams): void | Promise<void>
}

export function createDocumentReader(mode: PersistedMode): DocumentReader {
  switch (mode.kind) {
    case 'off':
      return {
        keep: keepNothing,
        known: ({ query }) => query,
        read(params) {
          if (params.query === undefined) throw hashesNotTaken()
          return params.query
        },
      }
    case 'trusted':
      return {
        keep: keepNothing,
        known(params) {
          const wanted = hashIn(params.extensions)
          return wanted === undefined ? params.query : mode.manifest.get(wanted)
        },
        read(params) {
          const wanted =
            hashIn(params.extensions) ?? (params.query === undefined ? undefined : hashOf(params.query))
          const document = wanted === undefined ? undefined : mode.manifest.get(wanted)
          if (document === undefined) {
            throw tesseraError('PERSISTED_QUERY_ONLY', 'Only operations of the trusted list are executed.')
          }
          return document
        },
      }
    case 'automatic':
      return automatic(mode.store)
  }
}

function keepNothing(): void {}

function automatic(store: DocumentStore): DocumentReader {
  return {
    known(params) {
      if (params.query !== undefined) return params.query
      const wanted = hashIn(params.extensions)
      return wanted === undefined ? undefined : store.peek(wanted)
    },
    read(params) {
      const wanted = hashIn(params.extensions)
      if (wanted === undefined) {
        if (params.query === undefined) throw tesseraError('BAD_REQUEST', 'The request has no `query`.')
        return params.query
      }
      if (params.query !== undefined) {
        if (hashOf(params.query) === wanted) return params.query
        throw tesseraError(
          'BAD_REQUEST',
          'The hash in `extensions.persistedQuery` is not the SHA-256 of `query`.',
        )
      }
      const kept = store.get(wanted)
      if (typeof kept === 'string') return kept
      if (kept === undefined) throw unknownHash()
      return kept.then((document) => {
        if (document === undefined) throw unknownHash()
        return document
      })
    },
    keep(params) {
      if (params.query === undefined || params.extensions === undefined) return undefined
      const wanted = hashIn(params.extensions)
      return wanted === undefined ? undefined : store.set(wanted, params.query)
    },
  }
}
