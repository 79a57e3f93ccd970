/** A source of a text: one place that is read repeatedly, cheaply if nothing has changed. */

export interface Source {
  /** For log, health and metrics; nothing secret. */
  readonly name: string
  /** Whether it is polled; a file is watched instead. */
  readonly isPolled: boolean
  /** The current text. Throws a `SourceFailure`. */
  read(): Promise<string>
}

/** The maximum size of a response or file, in bytes. */
export const largestText: number = 64 * 1024 * 1024

/** The settings of every kind of source. */
export interface ReadingBounds {
  readonly maxBytes: number
  /** The timeout of one HTTP exchange. */
  readonly timeoutMs: number
  /** Aborts what is under way. */
  readonly signal: AbortSignal
}
