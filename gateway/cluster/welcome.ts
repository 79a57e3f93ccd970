/** The messages between primary and worker at a worker's start, and about its state. */
import type { ServiceState } from '../telemetry/health.ts'

/** What a worker needs to know beside the configuration. */
export interface Welcome {
  /** From 1; a worker that replaces another one has a new number. */
  readonly worker: number
  /** The address of the sandbox, which all workers share; undefined if there is none. */
  readonly sandbox: string | undefined
  /** The key of the sandbox's tokens, base64url, if it could not be kept in a file. */
  readonly sandboxKey: string | undefined
  readonly uploadSecret: string
}

/** A worker serves. */
export interface Ready {
  /** The lines printed at the start. */
  readonly lines: readonly string[]
}

export interface WorkerHealth {
  readonly services: readonly ServiceState[]
}
