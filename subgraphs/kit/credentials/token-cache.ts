/**
 * Tokens that are kept until shortly before they end, by a key that says for whom they are. Each is fetched once for
 * all who wait, renewed while the old one is still good, and not asked for again at once after a failure.
 */
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'
import { SingleFlight } from '../../../shared/runtime/single-flight.ts'
import type { FetchedToken } from './token-endpoint.ts'

export interface TokenCacheOptions {
  readonly now: () => number
  /** The most tokens that are kept; usually 10,000. */
  readonly most?: number | undefined
  /** The most that are fetched at a time; further callers are refused. */
  readonly concurrency?: number | undefined
}

export interface TokenCache {
  /** The header of the key's token, at once if one is at hand. Rejects with an Error that may be logged. */
  headers(key: string, fetch: () => Promise<FetchedToken>): readonly string[] | Promise<readonly string[]>
  /**
   * After a token was refused: whether another can be had. One that is new is not dropped, for the next would be
   * refused as well.
   */
  forget(shown: readonly string[]): boolean
}

interface Kept {
  readonly headers: readonly string[]
  readonly since: number
  /** From then on it is renewed as soon as somebody needs it. */
  readonly renewAt: number
  /** From then on it is not used. */
  readonly until: number
}

/** A token is not used in its last minute: a call that leaves with it must still arrive. */
const marginMs = 60_000
/** How long before that it is renewed, while calls go on with the old one. */
const renewalMs = 30_000
/** A token that is longer counts as several. */
const usualCharacters = 4096
const mostFailures = 1000
/** After a failure it is not asked again for so long: a wrong file must not hammer the token server. */
const failurePauseMs = 1000
const renewPauseMs = 30_000

export function createTokenCache({ now, most = 10_000, concurrency = 200 }: TokenCacheOptions): TokenCache {
  const kept = createGrowingCache<Kept>(most, {
    weightOf: ({ headers: [, header = ''] }) => Math.ceil(header.length / usualCharacters),
  })
  const failures = createGrowingCache<{ readonly error: Error; readonly until: number }>(mostFailures)
  const fetching = new SingleFlight<readonly string[]>()
  const keys = new WeakMap<readonly string[], string>()

  async function keep(key: string, fetch: () => Promise<FetchedToken>): Promise<readonly string[]> {
    try {
      const { headers, since, lifeMs } = await fetch()
      const until = since + Math.max(lifeMs - marginMs, lifeMs / 2)
      keys.set(headers, key)
      kept.set(key, { headers, since, until, renewAt: until - Math.min(renewalMs, lifeMs / 4) })
      return headers
    } catch (reason) {
      const error = reason instanceof Error ? reason : new Error('no token')
      // Until its stack is a text, an error holds what the functions held that it passed through.
      error.stack = `${error.name}: ${error.message}`
      failures.set(key, { error, until: now() + failurePauseMs })
      throw error
    }
  }

  function begin(key: string, fetch: () => Promise<FetchedToken>): Promise<readonly string[]> {
    const known = fetching.find(key)
    if (known !== undefined) return known.result
    const failure = failures.get(key)
    if (failure !== undefined && now() < failure.until) return Promise.reject(failure.error)
    if (fetching.size >= concurrency) return Promise.reject(new Error('too many tokens are fetched at once'))
    return fetching.begin(key, undefined, () => keep(key, fetch)).result
  }

  return {
    headers(key, fetch) {
      const known = kept.get(key)
      if (known === undefined || now() >= known.until) return begin(key, fetch)
      // It is not waited for yet.
      if (now() >= known.renewAt) begin(key, fetch).catch(() => {})
      return known.headers
    },
    forget(shown) {
      const key = keys.get(shown)
      const known = key === undefined ? undefined : kept.get(key)
      if (key === undefined || known?.headers !== shown) return true
      if (now() - known.since < renewPauseMs) return false
      kept.delete(key)
      return true
    },
  }
}
