/** Entries in the memory of this process: the most recently used ones that fit into a number of bytes. */
import { createGrowingCache } from '../../shared/runtime/growing-cache.ts'
import { textBytes } from '../../shared/runtime/text-bytes.ts'
import { isEntry, type Kept } from './types.ts'

/** The size of one entry without its texts. */
const entryOverheadBytes = 400
const tagOverheadBytes = 32

function bytesOf(kept: Kept, key: string): number {
  if (!isEntry(kept)) return entryOverheadBytes + key.length
  let bytes = entryOverheadBytes + key.length + textBytes(kept.json)
  for (const tag of kept.tags) bytes += tag.length + tagOverheadBytes
  return bytes
}

export type MemoryStore = ReturnType<typeof createMemoryStore>

/** `now`: milliseconds of any clock. */
export function createMemoryStore(maxBytes: number, now: () => number) {
  const held = createGrowingCache<{ readonly kept: Kept; readonly until: number }>(maxBytes, {
    // One very large entry must not evict everything else.
    maxEntrySize: Math.max(1, Math.floor(maxBytes / 4)),
    weightOf: ({ kept }, key) => bytesOf(kept, key),
  })
  return {
    get(key: string): Kept | undefined {
      const found = held.get(key)
      if (found === undefined) return undefined
      if (found.until > now()) return found.kept
      held.delete(key)
      return undefined
    },
    set(key: string, kept: Kept, keptMs: number): void {
      held.set(key, { kept, until: now() + keptMs })
    },
    get bytes(): number {
      return held.calculatedSize
    },
    get entries(): number {
      return held.size
    },
  }
}
