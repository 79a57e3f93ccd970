/**
 * Buckets that are empty until a time that the service has named. No call that takes from one is made before that
 * time. A bucket belongs to one credential, and to one operation unless several operations share it.
 */
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'
import type { UpstreamCall } from '../../../shared/upstream.ts'
import type { Failure } from './client-options.ts'

/** Beyond that, the least recently used are forgotten, and the service is called again. */
const mostBuckets = 10_000
/** After about a day the service is called again, whatever it said. */
const longestSeconds = 26 * 3600

export class ExhaustedBuckets {
  readonly #exhausted = createGrowingCache<{ readonly failure: Failure; readonly until: number }>(mostBuckets)

  /** Remembers a failure that names such a time. */
  note(credentialKey: string, call: UpstreamCall, failure: Failure): void {
    const { retryAfter = 0, untilReset } = failure
    if (untilReset !== true || retryAfter <= 0) return
    const until = performance.now() + Math.min(retryAfter, longestSeconds) * 1000
    this.#exhausted.set(keyOf(credentialKey, call), { failure, until })
  }

  /** The failure that a call would get again. */
  refusal(credentialKey: string, call: UpstreamCall): Failure | undefined {
    if (this.#exhausted.size === 0) return undefined
    const key = keyOf(credentialKey, call)
    const exhausted = this.#exhausted.get(key)
    if (exhausted === undefined) return undefined
    const left = exhausted.until - performance.now()
    if (left > 0) return { ...exhausted.failure, retryAfter: Math.ceil(left / 1000) }
    this.#exhausted.delete(key)
    return undefined
  }
}

const keyOf = (credentialKey: string, { bucket, operation }: UpstreamCall): string =>
  `${bucket ?? operation} ${credentialKey}`
