/** Rate limits by credential and endpoint, in fixed windows that begin with their first call. */
export interface Limit {
  readonly calls: number
  readonly windowMs: number
}
interface Taken {
  readonly allowed: boolean
  /** The headers of the response, including a refusal. */
  readonly headers: Readonly<Record<string, string>>
}
interface Window {
  readonly endsAt: number
  used: number
}

export class RateLimiter {
  readonly #now: () => number
  readonly #windows = new Map<string, Window>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Counts a call. `daily` is a second, longer window for it. */
  take(credential: string, endpoint: string, limit: Limit, daily?: Limit): Taken {
    const limits = [{ limit, kind: 'window', prefix: 'x-rate-limit-' }]
    if (daily !== undefined) limits.push({ limit: daily, kind: 'day', prefix: 'x-user-limit-24hour-' })
    const windows = limits.map(({ limit: { calls, windowMs }, kind, prefix }) => ({
      ...{ calls, prefix },
      window: this.#windowOf(JSON.stringify([credential, endpoint, kind]), windowMs),
    }))
    const allowed = windows.every(({ window, calls }) => window.used < calls)
    const headers: Record<string, string> = {}
    for (const { window, calls, prefix } of windows) {
      if (allowed) window.used++
      headers[`${prefix}limit`] = String(calls)
      headers[`${prefix}remaining`] = String(Math.max(0, calls - window.used))
      headers[`${prefix}reset`] = String(window.endsAt / 1000)
    }
    return { allowed, headers }
  }

  #windowOf(key: string, windowMs: number): Window {
    const known = this.#windows.get(key)
    if (known !== undefined && known.endsAt > this.#now()) return known
    // The reset time in the headers has whole seconds, so windows end at a whole second.
    const window = { endsAt: Math.ceil((this.#now() + windowMs) / 1000) * 1000, used: 0 }
    this.#windows.set(key, window)
    return window
  }
}
