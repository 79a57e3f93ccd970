/** A connection to a subgraph for one subscription, independent of the protocol. */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../../shared/errors.ts'

export type EventProtocol = 'websocket' | 'sse'

export interface Subscribing {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
  /** The value of `onError`. Undefined if the subgraph does not get it. */
  readonly onError?: string | undefined
  /** The id of the last event that was received. */
  readonly lastEventId: string | undefined
}

export interface ReceivedEvent {
  readonly payload: unknown
  readonly bytes: number
  /** The id that the protocol itself carries. */
  readonly id: string | undefined
}

/**
 * How a connection ended. `complete`: there are no more events. `failed`: the subgraph reported an error or violated
 * the protocol, and another attempt would fail as well. `lost`: another attempt may succeed.
 */
export type ConnectionEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'failed'; readonly error: GraphQLError }
  | {
      readonly kind: 'lost'
      /** The status of the HTTP response. 0 if there was none. */
      readonly status: number
      /** In seconds, if the subgraph sent it. */
      readonly retryAfter: number | undefined
      readonly cause: Error | undefined
    }

export interface ConnectionListener {
  /** The subgraph has accepted the subscription, if its protocol reports that. */
  opened(): void
  event(event: ReceivedEvent): void
  /** The delay before another connection, in milliseconds. */
  retryMs(milliseconds: number): void
  /** Called once, even if the connection was never open; not after `close`. */
  ended(end: ConnectionEnd): void
}

export interface EventConnection {
  /** Reads nothing until `resume`, except data that has arrived already. */
  pause(): void
  resume(): void
  close(): void
}

export const neverOpen = (cause: Error | undefined, retryAfter?: number): ConnectionEnd => ({
  kind: 'lost',
  status: 0,
  retryAfter,
  cause,
})

/** The end of a connection because of a response that violates the protocol or a bound. */
export const violated = (service: string, message: string, cause: Error | undefined): ConnectionEnd => ({
  kind: 'failed',
  error: tesseraError('UPSTREAM_BAD_RESPONSE', message, { service, cause }),
})
