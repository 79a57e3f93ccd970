/** The format of event streams that a client prefers, by its `Accept` header. */
import { type MediaRange, preferredIn, readOnce } from '../graphql-http/media-ranges.ts'

/** Server-sent events, or the parts of Apollo's multipart protocol. */
export type EventType = 'sse' | 'multipart'

export function acceptedEventType(accept: string | undefined): EventType | undefined {
  if (accept === undefined || !/event-stream|subscriptionspec/i.test(accept)) return undefined
  return preferred(accept)
}

const preferred = readOnce((accept) => preferredIn(accept, eventTypeOf)?.found)

function eventTypeOf({ name, parameters }: MediaRange): EventType | undefined {
  if (name === 'text/event-stream') return 'sse'
  return name === 'multipart/mixed' && parameters.get('subscriptionspec') === '1.0' ? 'multipart' : undefined
}
