/** The parts of the process that serve subscriptions: counters, limits, streams and WebSockets. */
import type { Metrics } from '../telemetry/metrics/index.ts'
import type { SubscriptionSettings } from './config.ts'
import { type ServedGraph, Subscriptions } from './index.ts'
import { createEventStreams, type EventStreams } from './single-connection.ts'
import { type WebSocketOptions, WebSockets } from './websocket.ts'

export function createSubscriptionServer(
  settings: SubscriptionSettings,
  {
    maxMessageBytes,
    metrics,
    log,
  }: Pick<WebSocketOptions, 'maxMessageBytes' | 'log'> & { readonly metrics: Metrics },
) {
  const subscriptions = new Subscriptions({ metrics, log, limits: settings })
  let sockets: WebSockets | undefined
  let streams: EventStreams | undefined
  metrics.gauge('tessera_subscriptions', 'Subscriptions of clients.', () => [
    { labels: {}, value: subscriptions.counts().subscribers },
  ])
  metrics.gauge(
    'tessera_subscription_sources',
    'Subscriptions of subgraphs, which those of clients share.',
    () => [{ labels: {}, value: subscriptions.counts().channels }],
  )
  metrics.gauge('tessera_websockets', 'WebSockets of clients.', () => [
    { labels: {}, value: sockets?.count ?? 0 },
  ])
  return {
    subscriptions,
    settings,
    /** The streams of clients that use one stream for all operations, at most this many. */
    streams(mostStreams: number): EventStreams {
      streams = createEventStreams(settings, mostStreams)
      return streams
    },
    /** Another generation takes the subscriptions over. */
    takeOver(this: void, graph: ServedGraph): void {
      subscriptions
        .takeOver(graph)
        .catch((error: unknown) => log.error({ err: error }, 'subscriptions could not be taken over'))
    },
    webSockets(
      from: Pick<
        WebSocketOptions,
        'startOperation' | 'gate' | 'authenticator' | 'admit' | 'payloadHeaders' | 'clientAddress'
      >,
    ): WebSockets {
      sockets = new WebSockets({ ...from, settings, maxMessageBytes, log })
      return sockets
    },
    /** Asks all clients to reconnect. Resolves when the results of their other operations are sent, or after `mostMs`. */
    async drain(this: void, mostMs: number): Promise<void> {
      subscriptions.drain()
      streams?.drain()
      await sockets?.drain(mostMs)
    },
    close(): void {
      subscriptions.close()
      sockets?.close()
    },
  }
}
