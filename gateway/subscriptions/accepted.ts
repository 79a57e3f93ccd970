/** The formats of event streams that a client accepts, by its `Accept` header. */
import { LRUCache } from 'lru-cache'

/** Server-sent events, or the parts of Apollo's multipart protocol. */
export type EventType = 'sse' | 'multipart'

/** Usual clients have few. */
const known = new LRUCache<string, { readonly type: EventType | undefined }>({ max: 500 })

export function eventTypeOf(accept: string | undefined): EventType | undefined {
  if (accept === undefined || !/event-stream|subscriptionspec/i.test(accept)) return undefined
  let entry = known.get(accept)
  if (entry === undefined) {
    entry = { type: read(accept) }
    known.set(accept, entry)
  }
  return entry.type
}

function read(accept: string): EventType | undefined {
  let best: { readonly type: EventType; readonly quality: number } | undefined
  for (const range of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim())
    const parameter = (key: string): string | undefined =>
      parameters
        .find((each) => each.startsWith(`${key}=`))
        ?.slice(key.length + 1)
        .replaceAll('"', '')
    const isMultipart = name === 'multipart/mixed' && parameter('subscriptionspec') === '1.0'
    const type = name === 'text/event-stream' ? 'sse' : isMultipart ? 'multipart' : undefined
    const quality = Number(parameter('q') ?? 1)
    if (type === undefined || !(quality > 0)) continue
    if (best === undefined || quality > best.quality) best = { type, quality }
  }
  return best?.type
}
