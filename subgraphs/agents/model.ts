/**
 * The objects behind the types of the graph. Most are the service's own JSON, which is read through the SDL
 * (readers.ts). Agents and intents have their name, and the JSON once it has been read.
 */

import { type Json, objectOf } from '../kit/json.ts'
import type { Connection, StreamedConnection } from '../kit/pagination/index.ts'

/** An agent: its project, and its JSON once it has been read. */
export interface AgentModel {
  readonly project: string
  readonly json?: Json | undefined
}

/** An intent: its full name, and its JSON once it has been read. */
export interface IntentModel {
  readonly name: string
  readonly json?: Json | undefined
}

export type IntentConnectionModel = Connection<IntentModel> | StreamedConnection<IntentModel>

export interface ExportedModel {
  readonly operation: Json
}

export interface ImportedModel {
  readonly operation: Json
  readonly project: string
}

export interface DeletedIntentModel {
  readonly name: string
  readonly project: string
}

/** The response of an operation that has succeeded. */
export function responseOf(operation: Json): Json {
  return objectOf(operation.response)
}
