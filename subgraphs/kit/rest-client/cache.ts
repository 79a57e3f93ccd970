/**
 * Responses that are kept for a while. Keys begin with the credential, so nothing passes from one credential to
 * another.
 *
 * A response is fresh for a configured time, but not after a write with the same credential, so that callers read
 * their own writes. A stale response with an ETag is kept for revalidation.
 */
import { LRUCache } from 'lru-cache'
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'
import { unsharedBytes, unsharedLength } from '../../../shared/runtime/unshared-bytes.ts'
import type { UpstreamCall } from '../../../shared/upstream.ts'
import type { UpstreamResponse } from './client-options.ts'

/** For how many credentials the last write is remembered. */
const rememberedWriters = 10_000

/** The bytes of a cached response in addition to its text. */
const entryOverheadBytes = 512

export interface CachedResponse {
  readonly response: UpstreamResponse<unknown>
  readonly etag: string | undefined
  /** When the call that brought or confirmed it began. */
  readonly since: number
  readonly bytes: number
}

export type Cache = ReturnType<typeof createCache>

/** Equal keys mean the same credential and the same request. */
export function cacheKey(credentialKey: string, call: UpstreamCall): string {
  const own = call.headers === undefined ? '' : JSON.stringify(call.headers)
  return [credentialKey, call.as ?? 'json', call.path, own].join('\n')
}

/** What to keep of a response whose call began at `since`; undefined if it must not be kept. */
export function heldFrom(
  response: UpstreamResponse<unknown>,
  bytes: number,
  since: number,
): CachedResponse | undefined {
  const { status, headers } = response
  if (status !== 200 || /no-store/i.test(headers['cache-control'] ?? '') || headers.vary === '*') {
    return undefined
  }
  const held = { response, etag: headers.etag, since, bytes }
  const { body } = response
  if (!Buffer.isBuffer(body)) return held
  return {
    ...held,
    response: { ...response, body: unsharedBytes(body) },
    bytes: Math.max(bytes, unsharedLength(body)),
  }
}

export function createCache(options: { freshMs: number; maxBytes: number }) {
  const held = new LRUCache<string, CachedResponse>({
    maxSize: options.maxBytes,
    // One huge response must not push all others out.
    maxEntrySize: Math.max(1, Math.floor(options.maxBytes / 4)),
    sizeCalculation: (entry, key) => entry.bytes + key.length + entryOverheadBytes,
  })
  const lastWrites = createGrowingCache<number>(rememberedWriters)
  /** Whether a call that began at `since` reads the credential's last write. */
  const knowsLastWrite = (since: number, credentialKey: string): boolean =>
    since > (lastWrites.get(credentialKey) ?? Number.NEGATIVE_INFINITY)

  return {
    /** The result may be stale, which `fresh` tells. */
    find: (key: string) => held.get(key),
    fresh: (entry: CachedResponse, credentialKey: string) =>
      performance.now() - entry.since < options.freshMs && knowsLastWrite(entry.since, credentialKey),
    keep(key: string, entry: CachedResponse): void {
      if (entry.etag === undefined && options.freshMs <= 0) return
      held.set(key, entry)
    },
    /** Call it when a write with this credential was sent, and when it returned. */
    wrote: (credentialKey: string) => {
      lastWrites.set(credentialKey, performance.now())
    },
    knowsLastWrite,
    clear: () => held.clear(),
  }
}
