/** What a source of a text is: one place, read again and again, cheaply if nothing has changed. */

export interface Source {
  /** For log, health and metrics; nothing secret. */
  readonly name: string
  /** Whether it is asked at an interval; a file is watched instead. */
  readonly isPolled: boolean
  /** The text as it is now. Throws a `SourceFailure`. */
  read(): Promise<string>
}

/** In bytes, of an answer and of a file. */
export const largestText: number = 64 * 1024 * 1024

/** What every kind of source is read with. */
export interface ReadingBounds {
  readonly maxBytes: number
  /** Of one exchange over HTTP. */
  readonly timeoutMs: number
  /** Ends what is under way. */
  readonly signal: AbortSignal
}
