/** Automatic persisted operations over the workers of one machine: what a client taught one, all know. */
import { createMemoryStore, type DocumentStore, hashOf } from '../http/persisted/index.ts'
import type { Channel } from './channel.ts'

/** A client is asked for the document again where the primary takes longer. */
const waitMs = 500

export function createWorkerStore(channel: Channel): DocumentStore {
  const memory = createMemoryStore()
  async function ask(hash: string): Promise<string | undefined> {
    let document: unknown
    try {
      document = await channel.ask('document.get', hash, waitMs)
    } catch {
      return undefined
    }
    if (typeof document !== 'string') return undefined
    void memory.set(hash, document)
    return document
  }
  return {
    get: (hash) => memory.peek(hash) ?? ask(hash),
    peek: (hash) => memory.peek(hash),
    set(hash, document) {
      if (memory.peek(hash) === undefined) channel.tell('document.set', { hash, document })
      void memory.set(hash, document)
    },
  }
}

export function serveDocuments(channel: Channel, store: DocumentStore): void {
  channel.onAsk('document.get', (hash) => store.get(String(hash)))
  channel.onTell('document.set', (body) => {
    const { hash, document } = body as { readonly hash: string; readonly document: string }
    if (hashOf(document) === hash) void store.set(hash, document)
  })
}
