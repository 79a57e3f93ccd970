/**
 * The interval between two polls: the larger of what clients wish and what the service hints, slower while nothing
 * changes, back at once when something does. What the budget allows is decided in budget.ts.
 */

export interface Pace {
  /** If no client wishes otherwise, in milliseconds. */
  readonly usualMs: number
  /** The shortest that a wish may make it. */
  readonly leastMs: number
  /** How slow it may become while nothing changes; `usualMs` if it never does. */
  readonly idleMs: number
}

/** Each poll that brings nothing new makes the interval longer by this factor. */
const slowing = 1.25
/** After failures it doubles, up to this. */
const mostAfterFailuresMs = 300_000

/**
 * `wishMs`: the smallest wish of a client, `hintMs`: the service's own; `unchanged` and `failures` count the polls since
 * something was new, and since one went well.
 */
export function intervalMs(
  pace: Pace,
  {
    wishMs,
    hintMs,
    unchanged,
    failures,
  }: {
    readonly wishMs: number | undefined
    readonly hintMs: number
    readonly unchanged: number
    readonly failures: number
  },
): number {
  const wanted = Math.max(wishMs ?? pace.usualMs, pace.leastMs, hintMs)
  // Who names an interval gets it: only the usual one grows.
  const idle =
    wishMs === undefined
      ? Math.min(wanted * slowing ** Math.min(unchanged, 64), Math.max(wanted, pace.idleMs))
      : wanted
  if (failures === 0) return idle
  return Math.max(idle, Math.min(wanted * 2 ** Math.min(failures, 32), mostAfterFailuresMs))
}
