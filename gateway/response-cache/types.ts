/** What is kept of subgraphs' answers, and where. */

/** An answer, or the part of one that belongs to one entity. */
export interface Entry {
  /** The data, as JSON. */
  readonly json: string
  /** When it was made by the subgraph (`Age` taken off), in milliseconds since 1970. */
  readonly madeAt: number
  /** How long it is fresh from then on, in milliseconds. */
  readonly freshMs: number
  /** How long after that it may be used while it is asked for anew, and if that fails. */
  readonly revalidateMs: number
  readonly errorMs: number
  /** Whether it may be used stale where neither of these times says so: when the quota of its service is used up. */
  readonly mayBeStale: boolean
  /** What revalidates it. */
  readonly etag: string | undefined
  readonly lastModified: string | undefined
  readonly tags: readonly string[]
  /** The number of the last change that was known before it was asked for. */
  readonly change: number
}

/** Stands in the place of an entry if callers have entries of their own: which of their headers tell them apart. */
export interface Variants {
  /** Names of headers as the subgraph gets them; `all` of them; or the `caller`. */
  readonly by: VariantsBy
}

export type VariantsBy = readonly string[] | 'all' | 'caller'

export type Kept = Entry | Variants

export const isEntry = (kept: Kept): kept is Entry => 'json' in kept

/** Keeps entries by key until their time is over, or it needs the room. */
export interface EntryStore {
  /** `isGood`: whether it is worth anything beside what another process may have kept since. */
  get(key: string, isGood: (kept: Kept) => boolean): Kept | undefined | Promise<Kept | undefined>
  /** `keptMs`: how long it may still be used for anything. */
  set(key: string, kept: Kept, keptMs: number): void
  /** Forgets everything that this process holds in memory. */
  clear(): void
  readonly bytes: number
  readonly entries: number
}

/**
 * The order of changes, over all processes that share a cache: each has a number that is higher than those before it.
 * An entry is good as long as none of its tags has changed after the last change that was known when it was asked for.
 */
export interface Changes {
  /** The number of the last change that is known. */
  last(): number
  /** Whether nothing that has one of these tags has changed since `number`. */
  holds(number: number, tags: readonly string[]): boolean
  /** Notes that everything with one of these tags has changed. Resolves when other processes can know. */
  note(tags: readonly string[]): void | Promise<void>
}

/** What came of a look-up. */
export type CacheResult = 'hit' | 'stale' | 'miss' | 'revalidated'
