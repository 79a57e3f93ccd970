/**
 * The interval between two polls: the larger one of the client's requested interval and the service's hint. It grows
 * while nothing changes, and is reset when something does. budget.ts decides what the budget allows.
 */

export interface Pace {
  /** The interval if no client requests another one, in milliseconds. */
  readonly defaultMs: number
  /** The shortest interval that a client can request. */
  readonly leastMs: number
  /** The longest interval while nothing changes; `defaultMs` if it never grows. */
  readonly idleMs: number
}

/** Each poll without news multiplies the interval by this factor. */
const slowing = 1.25
/** After failures the interval doubles, up to this bound. */
const mostAfterFailuresMs = 300_000

/**
 * `requestedMs` is the shortest requested interval, and `hintMs` the service's own interval. `unchanged` and `failures`
 * count the polls since the last news and since the last success.
 */
export function intervalMs(
  pace: Pace,
  {
    requestedMs,
    hintMs,
    unchanged,
    failures,
  }: {
    readonly requestedMs: number | undefined
    readonly hintMs: number
    readonly unchanged: number
    readonly failures: number
  },
): number {
  const wanted = Math.max(requestedMs ?? pace.defaultMs, pace.leastMs, hintMs)
  // A client that names an interval gets it. Only the usual interval grows.
  const idle =
    requestedMs === undefined
      ? Math.min(wanted * slowing ** Math.min(unchanged, 64), Math.max(wanted, pace.idleMs))
      : wanted
  if (failures === 0) return idle
  return Math.max(idle, Math.min(wanted * 2 ** Math.min(failures, 32), mostAfterFailuresMs))
}
