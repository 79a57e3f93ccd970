/**
 * One memory for all caches of the process that grow with what clients send, bounded in bytes. The least recently
 * used entry is dropped first. The code that makes an entry estimates its heap bytes.
 * `test/runtime/cache-memory.test.ts` compares the estimates with the real heap.
 */
import { LRUCache } from 'lru-cache'
import { textBytes } from '../shared/runtime/text-bytes.ts'

export interface CacheMemory {
  get(key: string): unknown
  set(key: string, value: object, bytes: number): void
  /** The value under the key has grown by these bytes. */
  grow(key: string, value: object, bytes: number): void
  readonly bytes: number
  /** The most recently used value comes first. */
  values(): readonly object[]
}

const entryBytes = 500

export function createCacheMemory(mostBytes: number, mostEntries: number): CacheMemory {
  const entries = new LRUCache<string, object>({ max: mostEntries, maxSize: mostBytes })
  const put = (key: string, value: object, bytes: number): void => {
    // The cache does not update the size of a value that it already has.
    entries.delete(key)
    entries.set(key, value, { size: bytes })
  }
  return {
    get: (key) => entries.get(key),
    set(key, value, bytes) {
      put(key, value, entryBytes + textBytes(key) + Math.ceil(bytes))
    },
    grow(key, value, bytes) {
      const known = entries.info(key)
      if (known?.value === value) put(key, value, (known.size ?? entryBytes) + Math.ceil(bytes))
    },
    values: () => [...entries.values()],
    get bytes() {
      return entries.calculatedSize
    },
  }
}

/** Notes additional bytes of an operation. */
export type NoteBytes = (bytes: number) => void

/** The bytes of something that may be dropped before its operation is. */
export interface Weight {
  note(bytes: number): void
  /** Subtracts everything that was noted, and notes no more. */
  release(): void
}

export function createWeight(noteBytes: NoteBytes): Weight {
  let noted: number | undefined = 0
  return {
    note(bytes) {
      if (noted === undefined) return
      noted += bytes
      noteBytes(bytes)
    },
    release() {
      if (noted !== undefined) noteBytes(-noted)
      noted = undefined
    },
  }
}

/** Estimated heap bytes of a prepared operation, measured on our own graphs. */
export const estimatedBytes = {
  /** A syntax tree without locations, for each character of `syntaxCharacters`. */
  treeCharacter: 25,
  /** The requirements of each field. */
  fieldRequirement: 400,
  /** A field of a normalised operation. */
  normalisedField: 170,
  /** A selection of a normalised operation. Fragments that are spread often make far more of them than fields. */
  selection: 110,
  /** A field of the response's shape, for each type. */
  shapeField: 500,
  /** A character of a subgraph's operation: its tree, plan, path and fetch. */
  planCharacter: 20,
  /** A field that is executed in this process, with what resolvers cache of its selection. */
  executedField: 100,
  /** An operation for one set of granted requirements, in addition to the above. */
  operation: 6000,
  /** A refusal, or a cached error. */
  error: 1000,
}

/** Strings, comments and white space, which make no nodes. */
const withoutNodes = /"""[^"]*(?:"{1,2}[^"]+)*"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*|[\s,]+/g

/** The characters of a document that make nodes, and a share of the others. */
export function syntaxCharacters(text: string): number {
  let others = 0
  for (const { 0: found } of text.matchAll(withoutNodes)) others += found.length
  return text.length - others + Math.ceil(others / 20)
}
