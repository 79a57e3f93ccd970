/** What is stored of subgraphs' responses, and in which stores. */

/** A response, or the part of one that belongs to one entity. */
export interface Entry {
  readonly json: string
  /** When the subgraph made it (minus `Age`), in milliseconds since 1970. */
  readonly madeAt: number
  /** How long it is fresh from then on, in milliseconds. */
  readonly freshMs: number
  /** How long after that it may be used during a background fetch, and if that fails. */
  readonly revalidateMs: number
  readonly errorMs: number
  /** Whether it may be used stale without either of these times: if the quota of its service is used up. */
  readonly mayBeStale: boolean
  /** What revalidates it. */
  readonly etag: string | undefined
  readonly lastModified: string | undefined
  readonly tags: readonly string[]
  /** The number of the last change that was known before the fetch. */
  readonly change: number
}

/** Replaces an entry if callers have entries of their own: it has the headers that distinguish them. */
interface Variants {
  /** Names of headers as the subgraph receives them, or `all` of them, or the `caller`. */
  readonly by: VariantsBy
}

export type VariantsBy = readonly string[] | 'all' | 'caller'

export type Kept = Entry | Variants

export const isEntry = (kept: Kept): kept is Entry => 'json' in kept

/** Stores entries by key until they expire, or room is needed. */
export interface EntryStore {
  /** `isGood` says whether an entry is still useful if another process may have stored a newer one. */
  get(key: string, isGood: (kept: Kept) => boolean): Kept | undefined | Promise<Kept | undefined>
  /** `keptMs`: how long it can be used for anything. */
  set(key: string, kept: Kept, keptMs: number): void
}

/**
 * The order of changes over all processes that share a cache: each has a higher number than those before it. An entry
 * is valid as long as none of its tags has changed after the last change that was known when it was fetched.
 */
export interface Changes {
  /** The number of the last known change. */
  last(): number
  /** Whether nothing with one of these tags has changed since `number`. */
  holds(number: number, tags: readonly string[]): boolean
  /** Notes that everything with one of these tags has changed. Resolves when other processes can know. */
  note(tags: readonly string[]): void | Promise<void>
}

export type CacheResult = 'hit' | 'stale' | 'miss' | 'revalidated'
