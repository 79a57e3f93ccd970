/**
 * Begins an operation for a client that accepts events. It runs the usual pipeline, and adds the beginning of a
 * subscription, which may resume after an event. Queries and mutations are executed as always.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { GatewayRequest } from '../../engine/request.ts'
import { tesseraError } from '../../shared/errors.ts'
import type { JsonText } from '../../shared/json/raw.ts'
import { isEventId, longestEventId } from '../graphql-http/streaming/index.ts'
import {
  type DataForm,
  jsonForm,
  OperationContext,
  type OperationResponse,
  type Pipeline,
} from '../pipeline/index.ts'
import type { OperationRequest } from '../pipeline/operation-request.ts'
import type { Caller } from './caller.ts'
import { type Connection, type ServedGraph, Subscriber, type Subscriptions } from './index.ts'

export interface StartInput
  extends Pick<
    OperationRequest<JsonText>,
    'id' | 'method' | 'url' | 'body' | 'params' | 'mediaType' | 'queriesOnly'
  > {
  readonly caller: Caller
  /** Whether the caller has proven before that its token is its own: over a connection that it holds. */
  readonly isProven?: boolean | undefined
  readonly connection: Connection | undefined
  /** The id of the last event that the client has, if a header says it. `extensions` of the operation may say it, too. */
  readonly lastEventId?: string | undefined
  /** Gets the request, so that it can be cancelled when the client goes away. */
  started?: ((running: GatewayRequest) => void) | undefined
}

/** Either a result or, as data, a subscription that has begun. Never rejects. */
export type StartOperation = (input: StartInput) => Promise<OperationResponse<JsonText | Subscriber>>

interface StartOptions {
  readonly pipeline: Pipeline
  readonly subscriptions: Subscriptions
  readonly graph: ServedGraph
}

export function createStartOperation({ pipeline, subscriptions, graph }: StartOptions): StartOperation {
  return (input) => {
    const { caller, isProven, connection, lastEventId, started, ...sent } = input
    const context = new OperationContext<JsonText | Subscriber>({
      ...sent,
      ...caller.shown(sent, caller.header('dpop')),
      header: (name) => caller.header(name),
      // Hooks see all of them.
      ...(graph.events.hooks === undefined
        ? { names: () => caller.names() }
        : { headers: headersOf(caller) }),
      ...(isProven === true ? { identity: () => caller.identity() } : {}),
      form: beginForm,
      async subscribe(granted, variables, request) {
        const hooked = graph.events.hooks?.hookedOf(request)
        if (hooked !== undefined && isProven !== true) caller.replace(request.header('authorization'))
        const begun = await subscriptions.subscribe({
          granted,
          variables,
          request,
          caller,
          hooked,
          connection,
          graph,
          resumeAfter: resumeFrom(lastEventId || context.params.extensions?.lastEventId),
        })
        return begun instanceof Subscriber ? { data: begun } : { errors: begun }
      },
    })
    started?.(context)
    return pipeline(context)
  }
}

// A subscription that has begun is returned as data.
const beginForm = jsonForm as DataForm<JsonText | Subscriber>

const headersOf = (caller: Caller): Readonly<Record<string, unknown>> =>
  Object.fromEntries(caller.names().map((name) => [name, caller.header(name)]))

/** The id of the last event in a header. Browsers send it as UTF-8, which Node reads as Latin-1. */
export function lastEventIdIn(headers: IncomingHttpHeaders): string | undefined {
  const id = headers['last-event-id']
  return typeof id === 'string' ? Buffer.from(id, 'latin1').toString('utf8') : undefined
}

/**
 * The event after which a client resumes. Throws if this gateway cannot have made the id, because a subscription that
 * ignored it would skip events.
 */
function resumeFrom(lastEventId: unknown): string | undefined {
  if (lastEventId === undefined || lastEventId === null || lastEventId === '') return undefined
  if (typeof lastEventId === 'string' && isEventId(lastEventId)) return lastEventId
  throw tesseraError(
    'BAD_REQUEST',
    `The id of the last event must be text of one line and of ${longestEventId} characters at most, as that event had it.`,
  )
}
