/**
 * Headers that are kept as long as a subscription lasts. Clients of one kind send the same values, and each request has
 * its own copy. Values that are neither secret nor specific to one client are replaced by one shared copy.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'

const usual: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'cache-control', 'connection', 'content-length'],
  ...[
    'content-type',
    'dnt',
    'host',
    'origin',
    'pragma',
    'priority',
    'referer',
    'te',
    'upgrade',
    'user-agent',
  ],
  ...[
    'sec-ch-ua',
    'sec-ch-ua-mobile',
    'sec-ch-ua-platform',
    'sec-fetch-dest',
    'sec-fetch-mode',
    'sec-fetch-site',
  ],
  ...['sec-websocket-extensions', 'sec-websocket-protocol', 'sec-websocket-version'],
  ...['apollographql-client-name', 'apollographql-client-version'],
  ...['via', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto'],
])

/** The most shared values, and the most characters of one. */
const shared = new LRUCache<string, string>({ max: 1000 })
const longest = 512

/** Replaces each common value by its shared copy. */
export function shareValues(headers: IncomingHttpHeaders): void {
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string' || value.length > longest || !usual.has(name)) continue
    const known = shared.get(value)
    if (known === undefined) shared.set(value, value)
    else headers[name] = known
  }
}
