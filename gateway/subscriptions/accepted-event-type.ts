/** The formats of event streams that a client accepts, by its `Accept` header. */
import { mediaRangesIn, readOnce } from '../graphql-http/media-ranges.ts'

/** Server-sent events, or the parts of Apollo's multipart protocol. */
export type EventType = 'sse' | 'multipart'

export function acceptedEventType(accept: string | undefined): EventType | undefined {
  if (accept === undefined || !/event-stream|subscriptionspec/i.test(accept)) return undefined
  return preferred(accept)
}

const preferred = readOnce((accept): EventType | undefined => {
  let best: { readonly type: EventType; readonly quality: number } | undefined
  for (const { name, parameters, quality } of mediaRangesIn(accept)) {
    const isMultipart = name === 'multipart/mixed' && parameters.get('subscriptionspec') === '1.0'
    const type = name === 'text/event-stream' ? 'sse' : isMultipart ? 'multipart' : undefined
    if (type !== undefined && (best === undefined || quality > best.quality)) best = { type, quality }
  }
  return best?.type
})
