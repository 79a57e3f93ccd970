/** What serves subscriptions, for as long as the process does: their counts and limits, streams, WebSockets. */
import type { Authenticator } from './access/authenticate/index.ts'
import type { Config } from './config/index.ts'
import type { Gate } from './http/overload/index.ts'
import { createSubscriptions, type Subscriptions } from './http/subscriptions/index.ts'
import { createEventStreams, type EventStreams } from './http/subscriptions/single-connection.ts'
import type { StreamSettings } from './http/subscriptions/streamed.ts'
import { createWebSockets, type WebSockets } from './http/subscriptions/websocket.ts'
import type { Logger } from './observe/log.ts'
import type { Metrics } from './observe/metrics/index.ts'
import type { Generation } from './reload/index.ts'

export interface Live {
  readonly subscriptions: Subscriptions
  readonly streams: EventStreams
  readonly settings: StreamSettings
  /** Takes the subscriptions over into another generation. */
  taken(this: void, generation: Generation): void
  webSockets(from: {
    current(): Generation
    readonly authenticator: Authenticator
    readonly gate: Gate
  }): WebSockets
  /** Tells all clients to come back. */
  drain(this: void): void
  close(): void
}

/** A client that is sent away comes back after this many milliseconds, and up to as many again. */
const comeBackMs = 1000

export function createLive(
  { values }: Config,
  { metrics, log }: { readonly metrics: Metrics; readonly log: Logger },
): Live {
  const heartbeatMs = values.TESSERA_SUBSCRIPTION_HEARTBEAT_MS
  const mostBytes = values.TESSERA_SUBSCRIPTION_WAITING_BYTES
  const mostOperations = values.TESSERA_MAX_SUBSCRIPTIONS_PER_CONNECTION
  const subscriptions = createSubscriptions({
    metrics,
    log,
    limits: {
      waitingEvents: values.TESSERA_SUBSCRIPTION_WAITING_EVENTS,
      waitingBytes: mostBytes,
      most: values.TESSERA_MAX_SUBSCRIPTIONS,
      mostOfCaller: values.TESSERA_MAX_SUBSCRIPTIONS_PER_CALLER,
      mostOfConnection: mostOperations,
    },
  })
  const settings: StreamSettings = {
    heartbeatMs,
    mostBytes,
    retryMs: () => comeBackMs * (1 + Math.random()),
  }
  const streams = createEventStreams({
    settings,
    mostStreams: values.TESSERA_MAX_CONNECTIONS,
    mostOperations,
  })
  let sockets: WebSockets | undefined
  metrics.gauge('tessera_subscriptions', 'Subscriptions of clients.', [], () => [
    { labels: {}, value: subscriptions.counts().subscribers },
  ])
  metrics.gauge(
    'tessera_subscription_sources',
    'Subscriptions of subgraphs that those of clients stand on.',
    [],
    () => [{ labels: {}, value: subscriptions.counts().channels }],
  )
  metrics.gauge('tessera_websockets', 'WebSockets of clients.', [], () => [
    { labels: {}, value: sockets?.count ?? 0 },
  ])
  return {
    subscriptions,
    streams,
    settings,
    taken({ served }) {
      subscriptions
        .takeOver(served)
        .catch((error: unknown) => log.error({ err: error }, 'subscriptions could not be taken over'))
    },
    webSockets({ current, authenticator, gate }) {
      sockets = createWebSockets({
        begin: (input) => current().begin(input),
        gate,
        authenticator,
        payloadHeaders: () => current().callerHeaders,
        log,
        heartbeatMs,
        maxMessageBytes: values.TESSERA_MAX_BODY_BYTES,
        mostBytes,
        mostOperations,
      })
      return sockets
    },
    drain() {
      subscriptions.drain()
      sockets?.drain()
    },
    close() {
      subscriptions.close()
      sockets?.close()
    },
  }
}
