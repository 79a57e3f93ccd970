/**
 * Subscriptions of a subgraph service for gateways and routers: server-sent events in answer to a POST, which is signed
 * as that of a query, and `graphql-transport-ws`, where the request that opens the connection is signed.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { headerOf } from '../../../contract/headers.ts'
import { jsonText } from '../../../contract/json/byte-string.ts'
import { anonymous } from '../../../contract/identity.ts'
import { forwardedHeaders, routerHeader, signatureHeader } from '../../../contract/signature.ts'
import type { Subgraph } from '../../../contract/subgraph.ts'
import type { Authenticator } from '../../access/authenticate/index.ts'
import type { Gate } from '../../http/overload/index.ts'
import { type OperationParams, statusOf } from '../../http/negotiation.ts'
import type { Reply } from '../../http/serve/reply.ts'
import { Caller, HeldHeaders, lastEventIdIn, Subscriber } from '../../http/subscriptions/index.ts'
import { streamSubscription } from '../../http/subscriptions/streamed.ts'
import { createWebSockets } from '../../http/subscriptions/websocket.ts'
import type { Admission } from '../admission.ts'
import type { SubgraphServiceOptions } from '../options.ts'
import { sendAnswer } from '../respond.ts'
import { createSubscriptions } from './subscriptions.ts'

export interface ServiceEvents {
  /** Whether the operation is to be answered by events. */
  isFor(params: OperationParams): boolean
  /** Answers a request that was admitted, and whose caller is known, by events. */
  respond(raw: IncomingMessage, reply: Reply, id: string, params: OperationParams): Promise<void>
  /** Takes a connection over, where the client speaks `graphql-transport-ws`. */
  upgrade(raw: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Tells all to come back. */
  drain(): void
  close(): void
}

/** Where callers are not checked here, the gateway in front has checked them. */
const unchecked: Authenticator = { authenticate: () => anonymous, close: () => Promise.resolve() }

/** A client that is sent away comes back after this many milliseconds, and up to as many again. */
const comeBackMs = 1000

export function createServiceEvents(
  subgraph: Subgraph,
  { admission, gate }: { readonly admission: Admission; readonly gate: Gate },
  options: SubgraphServiceOptions,
): ServiceEvents {
  const { metrics, traces, log, timeoutMs, keptDocuments, authenticator = unchecked } = options
  const { heartbeatMs, most, mostOfConnection, waitingEvents, waitingBytes } = options.subscriptions
  const nesting = options.nesting
  const subscriptions = createSubscriptions({
    subgraph,
    limits: { waitingEvents, waitingBytes, most, mostOfConnection, nesting },
    keptDocuments,
    timeoutMs,
    metrics,
    traces,
    log,
  })
  const settings = {
    heartbeatMs,
    mostBytes: waitingBytes,
    retryMs: () => comeBackMs * (1 + Math.random()),
  }
  const sockets = createWebSockets({
    async begin({ id, params, caller, connection, lastEventId }) {
      const begun = await subscriptions.subscribe({ id, params: params(), caller, connection, lastEventId })
      return { result: begun instanceof Subscriber ? { data: begun } : { errors: begun } }
    },
    gate,
    authenticator,
    admit(raw, payload) {
      // The signer has signed the headers: none of them is taken from what follows.
      if (headerOf(raw.headers, signatureHeader) !== undefined)
        return admission.isProven(raw, '') ? { payload: false } : undefined
      const given = payload?.[routerHeader]
      const isProven = admission.isProven(raw, '') || (typeof given === 'string' && admission.isRouter(given))
      return isProven ? { payload: true } : undefined
    },
    payloadHeaders: () => [...forwardedHeaders(subgraph.name), 'x-request-id', 'traceparent', 'tracestate'],
    log,
    heartbeatMs,
    maxMessageBytes: options.maxBodyBytes,
    mostBytes: waitingBytes,
    mostOperations: mostOfConnection,
  })
  metrics.gauge('tessera_subscriptions', 'Subscriptions of clients.', [], () => [
    { labels: {}, value: subscriptions.size },
  ])
  metrics.gauge('tessera_websockets', 'WebSockets of clients.', [], () => [
    { labels: {}, value: sockets.count },
  ])

  const callerOf = ({ headers, socket }: IncomingMessage): Caller =>
    new Caller(authenticator, new HeldHeaders(headers, socket))

  return {
    isFor: subscriptions.isFor,
    async respond(raw, reply, id, params) {
      const begun = await subscriptions.subscribe({
        id,
        params,
        caller: callerOf(raw),
        connection: undefined,
        // What is signed comes first.
        lastEventId: params.extensions?.lastEventId ?? lastEventIdIn(raw.headers),
      })
      if (begun instanceof Subscriber) {
        const response = reply.inPieces()
        if (response.destroyed) begun.finish({ kind: 'left' })
        else streamSubscription('sse', begun, settings)(response, [])
        return
      }
      const type = 'application/graphql-response+json'
      sendAnswer(reply, {
        status: statusOf({ errors: begun }, type),
        contentType: `${type}; charset=utf-8`,
        body: jsonText({ errors: begun }),
      })
    },
    upgrade: sockets.upgrade,
    drain() {
      subscriptions.drain()
      sockets.drain()
    },
    close() {
      subscriptions.close()
      sockets.close()
    },
  }
}
