/** A request to the graph and its response, as the page stores them. */

import type { Feed } from '../stream/feed.ts'
import type { Assembly } from '../stream/pieces.ts'
import type { Operation } from './operation.ts'

export interface Exchange {
  readonly operation: Operation
  readonly explained: boolean
  /** Undefined if the gateway could not be reached. */
  readonly response: Received | undefined
  /** The events of a subscription so far. */
  readonly feed?: Feed | undefined
}

export interface Received {
  readonly status: number
  readonly text: string
  /** The parsed JSON; undefined if the response was none. */
  readonly answer: unknown
  readonly milliseconds: number
  /** Each service that was called, from `Server-Timing`. */
  readonly services: readonly ServiceTiming[]
  /** The pieces of a response so far, if it comes in pieces. */
  readonly assembly?: Assembly | undefined
  /** Whether the connection was lost before the last piece. */
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
