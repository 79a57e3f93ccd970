/** One connection to a subgraph for one subscription, whatever its protocol. */
import type { GraphQLError } from 'graphql'

export type EventProtocol = 'websocket' | 'sse'

/** What is sent to subscribe. */
export interface Subscribing {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
  /** What becomes of fields that fail; undefined if the subgraph is not told. */
  readonly onError?: string | undefined
  /** The id of the last event that is known. */
  readonly lastEventId: string | undefined
}

/** A result as the subgraph sent it. */
export interface ReceivedEvent {
  readonly payload: unknown
  readonly bytes: number
  /** As the protocol itself says it. */
  readonly id: string | undefined
}

/**
 * How a connection ended. `complete`: there are no more events. `failed`: the subgraph says why, or breaks the protocol;
 * another attempt would end alike. `lost`: another one may do better.
 */
export type ConnectionEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'failed'; readonly error: GraphQLError }
  | {
      readonly kind: 'lost'
      /** Of the HTTP answer; 0 if none came. */
      readonly status: number
      /** In seconds, if the subgraph said it. */
      readonly retryAfter: number | undefined
      readonly cause: Error | undefined
    }

export interface ConnectionListener {
  /** The subgraph has taken the subscription, as far as its protocol says so. */
  opened(): void
  event(event: ReceivedEvent): void
  /** How long to wait, in milliseconds, before another connection is tried. */
  retryMs(milliseconds: number): void
  /** Called once, also if it was never opened; not after `close`. */
  ended(end: ConnectionEnd): void
}

export interface EventConnection {
  /** Reads nothing until `resume`, except what has arrived already. */
  pause(): void
  resume(): void
  close(): void
}

export interface ConnectionTls {
  readonly ca?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
}
