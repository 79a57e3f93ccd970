/** The day of a quota. It begins and ends at midnight of a time zone, and has 23 to 25 hours. */

export interface Day {
  /** The date in the time zone, such as `2026-11-20`. */
  readonly name: string
  /** Its end, in milliseconds since 1970. */
  readonly endsAt: number
}

const hour = 3_600_000

export function dayOf(now: number, timeZone: string): Day {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const name = format.format(now)
  let after = now
  while (format.format(after) === name) after += hour
  let low = after - hour
  let high = after
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (format.format(middle) === name) low = middle
    else high = middle
  }
  return { name, endsAt: high }
}
