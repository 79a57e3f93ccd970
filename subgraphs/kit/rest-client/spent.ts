/**
 * Buckets of which a service said that nothing is left until a time: no call that takes from one is made before that.
 * A bucket belongs to a credential; it is that of one operation, unless several operations share one.
 */
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'
import type { UpstreamCall } from '../../../shared/upstream.ts'
import type { Failure } from './options.ts'

interface Spent {
  readonly failure: Failure
  readonly until: number
}

/** How many are remembered; beyond that, those that were asked for least recently are asked for at the service again. */
const mostBuckets = 10_000
/** After a day the service is asked again, whatever it said. */
const longestSeconds = 26 * 3600

export class SpentBuckets {
  readonly #spent = createGrowingCache<Spent>(mostBuckets)
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Notes a failure that says so. */
  note(credentialKey: string, call: UpstreamCall, failure: Failure): void {
    const { retryAfter = 0, untilReset } = failure
    if (untilReset !== true || retryAfter <= 0) return
    const until = this.#now() + Math.min(retryAfter, longestSeconds) * 1000
    this.#spent.set(keyOf(credentialKey, call), { failure, until })
  }

  /** The failure that a call would meet again. */
  refusal(credentialKey: string, call: UpstreamCall): Failure | undefined {
    if (this.#spent.size === 0) return undefined
    const key = keyOf(credentialKey, call)
    const spent = this.#spent.get(key)
    if (spent === undefined) return undefined
    const left = spent.until - this.#now()
    if (left > 0) return { ...spent.failure, retryAfter: Math.ceil(left / 1000) }
    this.#spent.delete(key)
    return undefined
  }
}

const keyOf = (credentialKey: string, { bucket, operation }: UpstreamCall): string =>
  `${bucket ?? operation} ${credentialKey}`
