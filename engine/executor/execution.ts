/** The state of one execution of an operation. */

import type { GatewayRequest } from '../request.ts'
import type { SourceEvent } from '../subgraphs/index.ts'
import type { ErrorList } from './error-list.ts'
import type { LaterResults } from './later-results.ts'

export type JsonObject = Record<string, unknown>

export interface Execution {
  /** The merged data of all fetches so far, under the client's response keys. */
  data: JsonObject | undefined
  readonly errors: ErrorList
  readonly variables: Readonly<Record<string, unknown>>
  readonly request: GatewayRequest
  /** The event, of a subscription. */
  readonly event?: SourceEvent | undefined
  /** Root keys below which a whole fetch failed with an error, which explains nulls there. */
  failedRoots: Set<string> | undefined
  /**
   * Objects that a subgraph returned as null with an error, which explains their missing fields. The values are the
   * response keys of the failed fields, which must be non-null in that subgraph.
   */
  failedObjects: Map<JsonObject, ReadonlySet<string>> | undefined
  /**
   * Places, as JSON paths, at which a fetch returned null because of an error below. Another fetch may have returned
   * the object or list: the error explains what is missing in it.
   */
  nulledPlaces: Set<string> | undefined
  /** Whether each object of a `node` field is absent: true if every lookup returned null for it. */
  absent: Map<JsonObject, boolean> | undefined
  /** Results that fetches deliver later. Undefined if everything comes at once. Their errors are added to `errors`. */
  readonly later?: LaterResults<never>[] | undefined
}

/** Runs a node of a plan. Returns a promise only if a fetch is asynchronous. */
export type Step = (execution: Execution) => void | Promise<void>
