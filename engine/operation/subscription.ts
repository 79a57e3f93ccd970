/**
 * Subscriptions: the root fetch of a plan yields events. Each event is executed like a query with its own request, so
 * that no loader remembers anything from one event to the next.
 */
import type { EventFetch } from '../executor/index.ts'
import type { GatewayRequest } from '../request.ts'
import type { SourceEvent } from '../subgraphs/index.ts'
import type { Variables } from './variables.ts'

/** The event source of one subscription, with its variables. */
export interface EventSource {
  /** Equal for subscriptions with the same events. Undefined if nothing is subscribed to. */
  readonly key: string | undefined
  /** What the subgraph is asked for. It may leave out events that change nothing of it. */
  readonly text?: string | undefined
  /** The subgraph of the events. */
  readonly service: string | undefined
  /** Whether the events continue after the engine's transports are closed. */
  readonly outlivesEngine: boolean
  /** Starts the events. Rejects if that fails. */
  open(request: GatewayRequest): Promise<AsyncIterator<SourceEvent, unknown, undefined>>
}

export function eventSource(fetch: EventFetch | undefined, variables: Variables): EventSource {
  // A subscription that is refused completely has one result and no events.
  if (fetch === undefined)
    return { key: undefined, service: undefined, outlivesEngine: true, open: async () => noEvents() }
  const { service, text, pick, events } = fetch
  const picked = pick(variables)
  return {
    key: `${service} ${events.source} ${JSON.stringify(events.sourceVariables.map((name) => picked[name] ?? null))}`,
    text,
    service,
    outlivesEngine: events.outlivesTransport,
    open: (request) => events.open(picked, request),
  }
}

async function* noEvents(): AsyncGenerator<SourceEvent, undefined, undefined> {
  yield { payload: undefined }
}
