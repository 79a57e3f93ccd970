/** Which pages of other sites may read responses, and what shared caches must know about that (Fetch, section 3.2). */
import type { CorsOptions } from 'cors'

/** Headers of responses that a page of another site may read. */
const exposedHeaders = [
  ...['server-timing', 'x-request-id', 'retry-after', 'location', 'range'],
  ...['www-authenticate', 'dpop-nonce'],
  'tessera-global-id',
  'etag',
  ...['tessera-cost', 'ratelimit', 'ratelimit-policy'],
  'idempotency-replayed',
]

export function corsOf(origins: readonly string[]): CorsOptions {
  return {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
    exposedHeaders,
    maxAge: 86_400,
  }
}

/**
 * Names and values in turn for a cacheable response to a request without an origin: without them a shared cache would
 * give it to a page whose browser refuses it.
 */
export function corsOfKept(origins: readonly string[]): readonly string[] {
  if (origins.length === 0) return []
  if (!origins.includes('*')) return ['vary', 'Origin']
  return ['access-control-allow-origin', '*', 'access-control-expose-headers', exposedHeaders.join(',')]
}
