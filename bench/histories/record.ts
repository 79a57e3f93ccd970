/** What a history is: every attempt of every client, when it began and ended and how, and the faults of that time. */

export type WriteKind = 'comment' | 'intent' | 'like' | 'upload' | 'delete'
/** `open` asks for the address of an upload; `budget` reads the ledger. */
export type Kind = WriteKind | 'open' | 'read' | 'budget'

/** What an answer says: it was done; it was not; or it is unknown, as with no answer at all. */
export type Ending = 'done' | 'refused' | 'unknown'

/** The numbers of a refusal. */
export interface RefusalNumbers {
  readonly estimated: unknown
  readonly maximum: unknown
  readonly remaining: unknown
  readonly resetsAt: unknown
}

export interface Attempt {
  readonly client: number
  readonly gateway: number
  readonly kind: Kind
  /** Which change it makes, equal for repeats; which question it asks, of a read. */
  readonly effect: string
  readonly key: string | undefined
  readonly credential: string | undefined
  /** Milliseconds since the history began. */
  readonly invoked: number
  /** Infinite where no answer came. */
  readonly completed: number
  readonly ending: Ending
  readonly codes: readonly string[]
  /** The data of the answer, as text. */
  readonly answer: string | undefined
  /** Units that the answer says were spent; undefined if it says nothing. */
  readonly spent: number | undefined
  /** The most that it could have spent. */
  readonly most: number
  readonly refusal: RefusalNumbers | undefined
  /** Of `budget`: what the ledger said. */
  readonly ledger: { readonly used: number; readonly remaining: number; readonly limit: number } | undefined
}

export interface FaultRecord {
  readonly kind: string
  /** Whether a gateway may be without Redis, or Redis without what it had said, because of it. */
  readonly ofRedis: boolean
  readonly gateway: number | undefined
  readonly began: number
  ended: number
}

/** What a write left at the services in the end. */
export interface Outcome {
  readonly kind: WriteKind
  readonly effect: string
}

/** A call that cost units, as the service charged it. */
export interface Charge {
  readonly credential: string
  readonly units: number
  /** Its place among all calls. */
  readonly place: number
}

/** The service itself said of a credential that nothing is left; calls from `place` on are later by a while. */
export interface Shut {
  readonly credential: string
  readonly place: number
}

export interface History {
  readonly limit: number
  readonly attempts: readonly Attempt[]
  readonly faults: readonly FaultRecord[]
  readonly outcomes: readonly Outcome[]
  readonly charges: readonly Charge[]
  readonly shuts: readonly Shut[]
  /** What the ledger says of each credential when everything is over. */
  readonly books: ReadonlyMap<string, { readonly used: number; readonly remaining: number }>
}
