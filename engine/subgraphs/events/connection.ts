/** A connection to a subgraph for one subscription, independent of the protocol. */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../../shared/errors.ts'

type EventProtocol = 'websocket' | 'sse'

/** Settings for subscriptions to a subgraph, each with a default. */
export interface RemoteEventsSettings {
  /** `websocket` is `graphql-transport-ws`. */
  readonly protocol?: EventProtocol | undefined
  /** The address, if it is not that of queries. */
  readonly url?: string | undefined
  /** The most time until the subgraph acknowledges a connection or responds with events. 10,000 by default. */
  readonly ackMs?: number | undefined
  /** The time between pings over a WebSocket, each of which must be answered in it. 15,000 by default. */
  readonly pingMs?: number | undefined
  /** The longest silence of a stream of server-sent events, comments included. Unlimited by default. */
  readonly idleMs?: number | undefined
  /** The most bytes of an event. 4,194,304 by default. */
  readonly eventBytes?: number | undefined
  /** The most events that wait for the gateway. 100 by default. */
  readonly waitingEvents?: number | undefined
  /** The number of connections that may fail in a row before a subscription ends. 10 by default. */
  readonly reconnects?: number | undefined
  /** The first reconnection waits a random time up to this. It doubles, up to 30 seconds. 250 by default. */
  readonly delayMs?: number | undefined
}

/** Events of a subscription, for metrics. */
export type RemoteEventsNote = 'opened' | 'refused' | 'lost' | 'resumed' | 'given-up'

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
