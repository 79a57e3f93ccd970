/** Entries in the memory of this process: the most recently used ones that fit into a number of bytes. */
import { createGrowingCache } from '../../shared/runtime/growing-cache.ts'
import { textBytes } from '../../shared/runtime/text-bytes.ts'
import { type EntryStore, isEntry, type Kept } from './types.ts'

/** The size of one entry without its texts. */
const entryOverheadBytes = 400
const tagOverheadBytes = 32

function bytesOf(kept: Kept, key: string): number {
  if (!isEntry(kept)) return entryOverheadBytes + key.length
  let bytes = entryOverheadBytes + key.length + textBytes(kept.json)
  for (const tag of kept.tags) bytes += tag.length + tagOverheadBytes
  return bytes
}

interface MemoryStoreOptions {
  readonly maxBytes: number
  /** Milliseconds of any clock. */
  readonly now: () => number
}

export interface MemoryStore extends EntryStore {
  get(key: string): Kept | undefined
  readonly bytes: number
  readonly entries: number
}

export function createMemoryStore({ maxBytes, now }: MemoryStoreOptions): MemoryStore {
  const held = createGrowingCache<{ readonly kept: Kept; readonly until: number }>(maxBytes, {
    // One very large entry must not evict everything else.
    maxEntrySize: Math.max(1, Math.floor(maxBytes / 4)),
    weightOf: ({ kept }, key) => bytesOf(kept, key),
  })
  return {
    get(key) {
      const found = held.get(key)
      if (found === undefined) return undefined
      if (found.until > now()) return found.kept
      held.delete(key)
      return undefined
    },
    set(key, kept, keptMs) {
      held.set(key, { kept, until: now() + keptMs })
    },
    get bytes() {
      return held.calculatedSize
    },
    get entries() {
      return held.size
    },
  }
}
