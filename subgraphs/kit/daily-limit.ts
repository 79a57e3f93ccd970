/** Daily limits: how to recognise that one is used up, and when it is reset. */
import { dayOf } from '../../shared/runtime/day.ts'

/**
 * A text is about a daily limit if it matches both expressions: `Quota exceeded for … limit 'Queries per day'`,
 * `RequestsPerDayPerProject`.
 */
const day = /\bper[ _-]?day\b|per_?day|\bdaily|\b1\/d\b/i
const limit = /quota|limit|exceed|allowance/i
const mostLength = 2000

/** Whether one of these texts says that a daily limit is used up. */
export function saysPerDay(...texts: readonly unknown[]): boolean {
  const text = texts
    .filter((each): each is string => typeof each === 'string')
    .map((each) => each.slice(0, mostLength))
    .join('\n')
  return day.test(text) && limit.test(text)
}

export function secondsToMidnight(timeZone: string, now: number = Date.now()): number {
  return Math.max(1, Math.ceil((dayOf(now, timeZone).endsAt - now) / 1000))
}
