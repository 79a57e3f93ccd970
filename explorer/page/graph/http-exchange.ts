/** A request to the graph and its response, as the page stores them. */

import type { AssembledResponse } from '../stream/incremental-response.ts'
import type { SubscriptionState } from '../stream/subscription-state.ts'
import type { Operation } from './operation.ts'

export interface HttpExchange {
  readonly operation: Operation
  readonly explained: boolean
  /** Undefined if the gateway could not be reached. */
  readonly response: ReceivedResponse | undefined
  readonly subscription?: SubscriptionState | undefined
}

export interface ReceivedResponse {
  readonly status: number
  readonly text: string
  /** The parsed JSON; undefined if the response was none. */
  readonly answer: unknown
  readonly milliseconds: number
  readonly assembly?: AssembledResponse | undefined
  /** Whether the connection was lost before the last payload. */
  readonly isCut?: boolean
}
