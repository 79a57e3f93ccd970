/** Rate limits by credential and endpoint, in fixed windows that begin with their first call. */
export interface Limit {
  readonly calls: number
  readonly windowMs: number
}
export interface Taken {
  readonly allowed: boolean
  /** The headers of the response, including a refusal. */
  readonly headers: Readonly<Record<string, string>>
}
export interface RateLimiter {
  /** Counts a call. `daily` is a second, longer window for it. */
  take(credential: string, endpoint: string, limit: Limit, daily?: Limit): Taken
  reset(): void
}

interface Window {
  readonly endsAt: number
  used: number
}

export function createRateLimiter(now: () => number): RateLimiter {
  const windows = new Map<string, Window>()

  function windowOf(key: string, { windowMs }: Limit): Window {
    const known = windows.get(key)
    if (known !== undefined && known.endsAt > now()) return known
    // The reset time in the headers has whole seconds, so windows end at a whole second.
    const endsAt = Math.ceil((now() + windowMs) / 1000) * 1000
    const window: Window = { endsAt, used: 0 }
    windows.set(key, window)
    return window
  }

  function headersOf(prefix: string, limit: Limit, window: Window): Record<string, string> {
    return {
      [`${prefix}limit`]: String(limit.calls),
      [`${prefix}remaining`]: String(Math.max(0, limit.calls - window.used)),
      [`${prefix}reset`]: String(window.endsAt / 1000),
    }
  }

  return {
    take(credential, endpoint, limit, daily) {
      const window = windowOf(JSON.stringify([credential, endpoint]), limit)
      const day =
        daily === undefined ? undefined : windowOf(JSON.stringify([credential, endpoint, 'day']), daily)
      const allowed =
        window.used < limit.calls && (daily === undefined || day === undefined || day.used < daily.calls)
      if (allowed) {
        window.used++
        if (day !== undefined) day.used++
      }
      const headers = headersOf('x-rate-limit-', limit, window)
      if (daily !== undefined && day !== undefined) {
        Object.assign(headers, headersOf('x-user-limit-24hour-', daily, day))
      }
      return { allowed, headers }
    },
    reset() {
      windows.clear()
    },
  }
}
