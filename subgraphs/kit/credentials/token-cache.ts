/**
 * Tokens by a key that names whom they are for, kept until shortly before they expire. Each is fetched once for all
 * that wait for it, renewed while the old one is still valid, and not fetched again right after a failure.
 */
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'
import type { Awaitable } from '../../../shared/runtime/is-promise.ts'
import { SingleFlight } from '../../../shared/runtime/single-flight.ts'
import type { FetchedToken } from './token-endpoint.ts'

interface Kept {
  readonly headers: readonly string[]
  readonly since: number
  /** The token is renewed at the first use after this time. */
  readonly renewAt: number
  /** The token is not used after this time. */
  readonly until: number
}

/** A token is not used in its last minute, because the call must still arrive before it expires. */
const marginMs = 60_000
/** How long before that a token is renewed, while calls go on with the old one. */
const renewalMs = 30_000
/** A token that is longer counts as several. */
const defaultCharacters = 4096
const mostFailures = 1000
/** The most fetches at the same time. Further callers are refused. */
const mostFetches = 200
/** The pause after a failure, so that a wrong file does not flood the token server with requests. */
const failurePauseMs = 1000
const renewPauseMs = 30_000

export function createTokenCache({ now, most = 10_000 }: { now: () => number; most?: number }) {
  const kept = createGrowingCache<Kept>(most, {
    weightOf: ({ headers: [, header = ''] }) => Math.ceil(header.length / defaultCharacters),
  })
  const failures = createGrowingCache<{ readonly error: Error; readonly at: number }>(mostFailures)
  const fetching = new SingleFlight<readonly string[]>()
  const keys = new WeakMap<readonly string[], string>()

  /** A pause does not last as long as the clock is set back. */
  const isWithin = (pauseMs: number, since: number): boolean => Math.abs(now() - since) < pauseMs

  async function keep(key: string, fetch: () => Promise<FetchedToken>): Promise<readonly string[]> {
    try {
      const { headers, since, lifeMs } = await fetch()
      const until = since + Math.max(lifeMs - marginMs, lifeMs / 2)
      keys.set(headers, key)
      kept.set(key, { headers, since, until, renewAt: until - Math.min(renewalMs, lifeMs / 4) })
      return headers
    } catch (reason) {
      const error = reason instanceof Error ? reason : new Error('no token')
      // Reading the stack turns it into text. Before that, an error keeps alive whatever the functions held that it
      // passed through.
      error.stack = `${error.name}: ${error.message}`
      failures.set(key, { error, at: now() })
      throw error
    }
  }

  function begin(key: string, fetch: () => Promise<FetchedToken>): Promise<readonly string[]> {
    const known = fetching.find(key)
    if (known !== undefined) return known.result
    const failure = failures.get(key)
    if (failure !== undefined && isWithin(failurePauseMs, failure.at)) return Promise.reject(failure.error)
    if (fetching.size >= mostFetches) return Promise.reject(new Error('too many tokens are being fetched'))
    return fetching.begin(key, undefined, () => keep(key, fetch)).result
  }

  return {
    /** Returned without a promise if a token is at hand. Rejects with an Error that may be logged. */
    headers(key: string, fetch: () => Promise<FetchedToken>): Awaitable<readonly string[]> {
      const known = kept.get(key)
      // Before its own time, the clock was set back: the life of the token is unknown.
      if (known === undefined || now() < known.since || now() >= known.until) return begin(key, fetch)
      // The old token is still valid, so nobody waits for the new one.
      if (now() >= known.renewAt) begin(key, fetch).catch(() => {})
      return known.headers
    },
    /**
     * Call it after a token was refused. Returns whether another one can be fetched. A new token is not dropped,
     * because the next one would be refused as well.
     */
    renew(shown: readonly string[]): boolean {
      const key = keys.get(shown)
      const known = key === undefined ? undefined : kept.get(key)
      if (key === undefined || known?.headers !== shown) return true
      if (isWithin(renewPauseMs, known.since)) return false
      kept.delete(key)
      return true
    },
  }
}
