/**
 * The beginning of an operation for a client that takes events: the one pipeline, with an executor that subscribes. What
 * is no subscription is executed as always.
 */

import type { GatewayRequest } from '../../engine/request.ts'
import type { JsonText } from '../../shared/json/raw.ts'
import type { Executor, OperationResponse, Pipeline } from '../pipeline/index.ts'
import type { MediaType, OperationParams } from '../pipeline/operation-params.ts'
import type { Caller } from './caller.ts'
import { type Connection, type ServedGraph, Subscriber, type Subscriptions } from './index.ts'
import { resumeFrom } from './resume.ts'

export interface BeginInput {
  /** For the log. */
  readonly id: string
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly caller: Caller
  /** Of the HTTP request, if there is one. */
  readonly body?: (() => Buffer) | undefined
  params(): OperationParams
  readonly mediaType: MediaType
  /** Whether mutations are refused, as for GET. */
  readonly queriesOnly: boolean
  /** Whether the caller has proven before that its token is its own: over a connection that it holds. */
  readonly isProven?: boolean | undefined
  readonly connection: Connection | undefined
  /** The id of the last event that the client has, as it says it. */
  readonly lastEventId: unknown
  /** Gets the request, so that it can be cancelled when the client goes away. */
  started?: ((running: GatewayRequest) => void) | undefined
}

/** Either a result or, as data, a subscription that has begun. Never rejects. */
export type Begin = (input: BeginInput) => Promise<OperationResponse<JsonText | Subscriber>>

export interface BeginOptions {
  readonly pipeline: Pipeline
  readonly execute: Executor<JsonText>
  readonly subscriptions: Subscriptions
  readonly graph: ServedGraph
}

export function createBegin({ pipeline, execute, subscriptions, graph }: BeginOptions): Begin {
  return (input) => {
    const { id, method, url, caller, params, queriesOnly, mediaType, started, isProven } = input
    const { body, connection, lastEventId } = input
    return pipeline<JsonText | Subscriber>(
      {
        id,
        method,
        url,
        peer: () => caller.peer(),
        certificate: () => caller.certificate(),
        body,
        header: (name) => caller.header(name),
        // Hooks see all of them.
        ...(graph.events.hooks === undefined
          ? { names: () => caller.names() }
          : { headers: headersOf(caller) }),
        params,
        queriesOnly,
        mediaType,
        ...(started === undefined ? {} : { started }),
        ...(isProven === true ? { identity: () => caller.identity() } : {}),
        takesEvents: true,
      },
      async (granted, variables, request) => {
        // Where nothing is left to subscribe to, the result says why.
        if (granted.operation.definition.operation !== 'subscription' || granted.allowed === null)
          return execute(granted, variables, request)
        const hooked = graph.events.hooks?.stateOf(request)
        if (hooked !== undefined && isProven !== true) caller.replace(request.header('authorization'))
        const begun = await subscriptions.subscribe({
          granted,
          variables,
          request,
          caller,
          hooked,
          connection,
          graph,
          resumeAfter: resumeFrom(lastEventId),
        })
        return begun instanceof Subscriber ? { data: begun } : { errors: begun }
      },
    )
  }
}

const headersOf = (caller: Caller): Readonly<Record<string, unknown>> =>
  Object.fromEntries(caller.names().map((name) => [name, caller.header(name)]))
