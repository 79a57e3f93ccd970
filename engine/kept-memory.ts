/**
 * What is kept of operations that were seen: one memory, bounded in bytes, for all caches of the process that grow
 * with what clients send. What was used longest ago goes first. Weights are estimates of heap bytes, made by those
 * who build what is kept; `test/runtime/kept-memory.test.ts` holds them against the real heap.
 */
import { LRUCache } from 'lru-cache'
import { textBytes } from '../shared/runtime/text-bytes.ts'

export interface KeptMemory {
  get(key: string): unknown
  set(key: string, value: object, bytes: number): void
  /** The value kept under the key has become heavier. */
  grow(key: string, value: object, bytes: number): void
  /** Of all that is kept. */
  readonly bytes: number
  /** What was used last comes first. */
  values(): readonly object[]
}

/** What an entry costs by itself. */
const entryBytes = 500

export function createKeptMemory(mostBytes: number, mostEntries: number): KeptMemory {
  const weights = new WeakMap<object, number>()
  const entries = new LRUCache<string, object>({ max: mostEntries, maxSize: mostBytes })
  const put = (key: string, value: object, bytes: number): void => {
    weights.set(value, bytes)
    // The cache keeps the size of a value that it already holds under the key.
    entries.delete(key)
    entries.set(key, value, { size: bytes })
  }
  return {
    get: (key) => entries.get(key),
    set(key, value, bytes) {
      put(key, value, entryBytes + textBytes(key) + Math.ceil(bytes))
    },
    grow(key, value, bytes) {
      if (entries.peek(key) !== value) return
      put(key, value, (weights.get(value) ?? entryBytes) + Math.ceil(bytes))
    },
    values: () => [...entries.values()],
    get bytes() {
      return entries.calculatedSize
    },
  }
}

/** Notes that so many more bytes are kept for an operation, of them generated code of so many characters. */
export type NoteKept = (bytes: number, codeCharacters?: number) => void

/**
 * Estimated heap bytes of the parts of a prepared operation, as measured on graphs of our own: of a syntax tree for
 * each character of its text, of a response's shape for each field on each type, of generated code for each character.
 */
export const keptBytes = {
  /** A syntax tree without locations, a character of `syntaxCharacters`. */
  treeCharacter: 25,
  /** What the requirements of a caller hold of each field. */
  fieldRequirement: 400,
  /** A field of the response's shape, on one type. */
  shapeField: 500,
  /** A character of a subgraph's operation: its tree, plan, path and fetch. */
  planCharacter: 20,
  /** A character of generated code, which is compiled when it first runs. */
  codeCharacter: 3,
  /** What V8 makes of it in addition when it runs often. */
  optimizedCodeCharacter: 15,
  /** A field that is executed in this process, with what resolvers remember of its selection. */
  executedField: 100,
  /** An operation, on a caller's grant, beside all that. */
  operation: 6000,
  /** A refusal, or an error that is kept to be sent again. */
  error: 1000,
}

/** From this execution on the code of an operation counts as code that runs often. */
export const optimizedAfter = 20

/** Strings, comments and white space, which are no nodes of a tree. */
const withoutNodes = /"""[^"]*(?:"{1,2}[^"]+)*"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*|[\s,]+/g

/** The characters of a document that make nodes, with a share of those that make none. */
export function syntaxCharacters(text: string): number {
  let others = 0
  for (const { 0: found } of text.matchAll(withoutNodes)) others += found.length
  return text.length - others + Math.ceil(others / 20)
}
