/** What primary and worker tell each other at a worker's start, and of its state. */
import type { ServiceState } from '../telemetry/health.ts'

/** What a worker needs to know that the configuration does not say. */
export interface Welcome {
  /** From 1; a worker that takes the place of another one has a new number. */
  readonly worker: number
  /** Where the sandbox runs, which is one for all workers; undefined if there is none. */
  readonly sandbox: string | undefined
  /** The key of the sandbox's tokens, base64url, if it could not be kept in a file. */
  readonly sandboxKey: string | undefined
  readonly uploadSecret: string
}

/** A worker serves. */
export interface Ready {
  /** What is printed at the start, as lines. */
  readonly lines: readonly string[]
}

export interface WorkerHealth {
  readonly services: readonly ServiceState[]
}
