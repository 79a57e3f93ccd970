/** The parts of the process that serve subscriptions: counters, limits, streams and WebSockets. */
import type { Metrics } from '../telemetry/metrics/index.ts'
import type { SubscriptionSettings } from './config.ts'
import { type ServedGraph, Subscriptions } from './index.ts'
import { EventStreams } from './single-connection.ts'
import { type WebSocketOptions, WebSockets } from './websocket.ts'

type ServerParts = Pick<WebSocketOptions, 'maxMessageBytes' | 'parse' | 'log'> & { readonly metrics: Metrics }

export class SubscriptionServer {
  readonly subscriptions: Subscriptions
  readonly #settings: SubscriptionSettings
  readonly #parts: ServerParts
  #sockets: WebSockets | undefined
  #streams: EventStreams | undefined

  constructor(settings: SubscriptionSettings, parts: ServerParts) {
    const { metrics, log } = parts
    const subscriptions = new Subscriptions({ metrics, log, limits: settings })
    this.subscriptions = subscriptions
    this.#settings = settings
    this.#parts = parts
    const count = (name: string, help: string, value: () => number): void =>
      metrics.gauge(name, help, () => [{ labels: {}, value: value() }])
    count('tessera_subscriptions', 'Subscriptions of clients.', () => subscriptions.counts().subscribers)
    count(
      'tessera_subscription_sources',
      'Subscriptions of subgraphs, which those of clients share.',
      () => subscriptions.counts().channels,
    )
    count('tessera_websockets', 'WebSockets of clients.', () => this.#sockets?.count ?? 0)
  }

  /** The streams of clients that use one stream for all operations, at most this many. */
  streams(mostStreams: number): EventStreams {
    this.#streams = new EventStreams(this.#settings, mostStreams)
    return this.#streams
  }

  webSockets(
    from: Pick<
      WebSocketOptions,
      'startOperation' | 'gate' | 'authenticator' | 'admit' | 'payloadHeaders' | 'clientAddress'
    >,
  ): WebSockets {
    const { maxMessageBytes, parse, log } = this.#parts
    this.#sockets = new WebSockets({ ...from, settings: this.#settings, maxMessageBytes, parse, log })
    return this.#sockets
  }

  /** Another generation takes the subscriptions over. */
  takeOver(graph: ServedGraph): void {
    this.subscriptions
      .takeOver(graph)
      .catch((error: unknown) =>
        this.#parts.log.error({ err: error }, 'subscriptions could not be taken over'),
      )
  }

  /** Asks all clients to reconnect. Resolves when the results of their other operations are sent, or after `mostMs`. */
  async drain(mostMs: number): Promise<void> {
    this.subscriptions.drain()
    this.#streams?.drain()
    await this.#sockets?.drain(mostMs)
  }

  close(): void {
    this.subscriptions.close()
    this.#sockets?.close()
  }
}
