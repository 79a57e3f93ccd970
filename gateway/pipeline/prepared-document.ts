/**
 * A document that passed limits and validation, with those of its operations that were requested. Its syntax tree is
 * made once for all of them.
 */
import type { DocumentNode } from 'graphql'
import type { CacheMemory } from '../../engine/cache-memory.ts'
import type { Operation } from '../auth/operation.ts'

export class PreparedDocument {
  readonly document: DocumentNode
  /** By name; without one it is the only operation of the document. */
  readonly operations = new Map<string, Operation>()

  constructor(document: DocumentNode) {
    this.document = document
  }
}

export interface PreparedDocuments {
  get(text: string): PreparedDocument | undefined
  set(text: string, document: PreparedDocument, bytes: number): void
  /** What is kept for the document has become heavier. */
  grow(text: string, document: PreparedDocument, bytes: number): void
  /** All that are kept. */
  all(): readonly PreparedDocument[]
}

/** Documents by their text, in the memory of all caches. */
export function createPreparedDocuments(kept: CacheMemory): PreparedDocuments {
  return {
    get(text) {
      const known = kept.get(text)
      return known instanceof PreparedDocument ? known : undefined
    },
    set: (text, document, bytes) => kept.set(text, document, bytes),
    grow: (text, document, bytes) => kept.grow(text, document, bytes),
    all: () => kept.values().filter((value) => value instanceof PreparedDocument),
  }
}
