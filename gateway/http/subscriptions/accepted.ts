/** Which ways of getting events a client says that it takes, by its `Accept` header. */

/** Server-sent events, or the parts of Apollo's multipart protocol. */
export type EventType = 'sse' | 'multipart'

const cache = new Map<string, EventType | undefined>()
const mostKnown = 500

export function eventTypeOf(accept: string | undefined): EventType | undefined {
  if (accept === undefined || !/event-stream|subscriptionspec/i.test(accept)) return undefined
  if (!cache.has(accept)) {
    const [oldest] = cache.keys()
    if (cache.size >= mostKnown && oldest !== undefined) cache.delete(oldest)
    cache.set(accept, read(accept))
  }
  return cache.get(accept)
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
