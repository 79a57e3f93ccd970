/** Limits by the day: how services say that one is reached, and when it begins anew. */
import { dayOf } from '../../shared/runtime/day.ts'

/** The day's words, and those of a limit beside them: `Quota exceeded for … limit 'Queries per day'`, `RequestsPerDayPerProject`. */
const day = /\bper[ _-]?day\b|per_?day|\bdaily|\b1\/d\b/i
const limit = /quota|limit|exceed|allowance/i
/** How much of each text is looked at. */
const mostLength = 2000

/** Whether one of these texts says that what the day allows is used up. */
export function saysPerDay(...texts: readonly unknown[]): boolean {
  const text = texts
    .filter((each): each is string => typeof each === 'string')
    .map((each) => each.slice(0, mostLength))
    .join('\n')
  return day.test(text) && limit.test(text)
}

/** Seconds until the next midnight of a time zone. */
export function secondsToMidnight(timeZone: string, now: number = Date.now()): number {
  return Math.max(1, Math.ceil((dayOf(now, timeZone).endsAt - now) / 1000))
}
