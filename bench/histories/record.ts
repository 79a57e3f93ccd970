/** The content of a history: every attempt of every client with its times and outcome, and the faults meanwhile. */

export type WriteKind = 'comment' | 'intent' | 'like' | 'upload' | 'delete'
/** `open` requests an upload address, and `budget` reads the ledger. */
export type Kind = WriteKind | 'open' | 'read' | 'budget'

/** The meaning of a response: done, refused, or unknown, as without a response. */
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
  /** The change that it makes, which is equal for repetitions. For a read, it is the question. */
  readonly effect: string
  readonly key: string | undefined
  readonly credential: string | undefined
  /** Milliseconds since the history began. */
  readonly invoked: number
  /** Infinite if there was no response. */
  readonly completed: number
  readonly ending: Ending
  readonly codes: readonly string[]
  /** The data of the response as text. */
  readonly answer: string | undefined
  /** The units that were spent according to the response; undefined if it does not say. */
  readonly spent: number | undefined
  /** The most units that it could have spent. */
  readonly most: number
  readonly refusal: RefusalNumbers | undefined
  /** For `budget`: the state of the ledger. */
  readonly ledger: { readonly used: number; readonly remaining: number; readonly limit: number } | undefined
}

export interface FaultRecord {
  readonly kind: string
  /** Whether it may cause a gateway to be without Redis, or Redis to lose what it had confirmed. */
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
  /** Its position among all calls. */
  readonly place: number
}

/** The service itself said that nothing is left for a credential. Calls from `place` on are later by a while. */
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
  /** The ledger's state of each credential at the end. */
  readonly books: ReadonlyMap<string, { readonly used: number; readonly remaining: number }>
}
