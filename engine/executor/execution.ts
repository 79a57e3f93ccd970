/** One execution of an operation, as its fetches fill it and its response is made from it. */

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
  /** Of a subscription: the event whose result is made. */
  readonly event?: SourceEvent | undefined
  /** Root keys below which a fetch failed as a whole, with an error: nulls there follow from it. */
  failedRoots: Set<string> | undefined
  /**
   * Objects that a subgraph answered with null and an error: fields that are absent there follow from it. With each the
   * response keys of fields that failed: as they took the object along, they must not be null in that subgraph.
   */
  failedObjects: Map<JsonObject, ReadonlySet<string>> | undefined
  /**
   * Places, as the JSON of their paths, where a fetch answered null because of an error below them. Another fetch may
   * have brought the object or list all the same: what is absent in it follows from that error.
   */
  nulledPlaces: Set<string> | undefined
  /** Objects of which every look-up said that they do not exist (true), or at least one did not (false). */
  absent: Map<JsonObject, boolean> | undefined
  /**
   * What fetches answer after their results; undefined if everything comes at once. What fails is among the errors of
   * the execution.
   */
  readonly later?: LaterResults<never>[] | undefined
}

/** Runs a part of a plan; a promise only if a fetch does not answer at once. */
export type Step = (execution: Execution) => void | Promise<void>
