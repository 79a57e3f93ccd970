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
  readonly services: readonly ServiceTiming[]
  /** The parts of an incremental response so far. */
  readonly assembly?: AssembledResponse | undefined
  /** Whether the connection was lost before the last payload. */
  readonly isCut?: boolean
}

interface ServiceTiming {
  readonly service: string
  readonly milliseconds: number
  readonly calls: string
}

/** Reads the header `Server-Timing`: `videos;dur=13.2;desc="1 call"`, separated by commas. */
export function timingsFrom({ headers }: Response): ServiceTiming[] {
  const header = headers.get('server-timing') ?? ''
  return [...header.matchAll(/(?<![\w-])([\w-]+);dur=([\d.]+)(?:;desc="([^"]*)")?/g)].map(
    ([, service = '', duration, calls = '']) => ({ service, milliseconds: Number(duration), calls }),
  )
}
