/**
 * The arguments that GraphQL's types cannot check: times, durations, expressions, bounds. Each is checked before
 * any call, and the error says what was expected.
 *
 * The checks are here instead of in the scalars, so that a wrong argument fails its own field and not the
 * operation.
 */
import type { GraphQLError } from 'graphql'
import { badInput } from '../../shared/errors.ts'
import { isDateTime } from '../kit/scalars.ts'

/** The error of an argument. `words` follow its name in the message. */
export const wrong = (name: string, words: string): GraphQLError =>
  badInput(`${name}: ${words}`, { argument: name })

/** A time as it is sent, and in seconds for comparisons. */
export interface Time {
  readonly text: string
  readonly seconds: number
}

export interface Duration {
  readonly text: string
  readonly seconds: number
}

/** The most characters of a time or a duration, which is far more than any useful one has. */
const longestText = 100

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const rfc3339 =
  /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
const units = /^(?:(\d+)y)?(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/
const unitSeconds = [365 * 86_400, 7 * 86_400, 86_400, 3600, 60, 1, 0.001]

/** 2^63 nanoseconds, about 292 years. Servers count in nanoseconds, and misread times that are further from 1970. */
const longest = 9_223_372_036

const timeForm =
  'an RFC 3339 time with an offset, such as "2026-11-20T20:21:07Z", or Unix seconds, such as 1795206067.5'
const durationForm =
  'a number of seconds, such as 30 or 0.5, or whole numbers with units, such as "15s" or "1h30m"'

export function timeFrom(value: unknown, name: string): Time {
  const seconds = numberFrom(value)
  if (seconds !== undefined) {
    refuseFar(seconds, value, name)
    return { text: plainNumber(seconds), seconds }
  }
  if (isShort(value)) {
    const milliseconds = rfc3339.test(value) && isDateTime(value) ? Date.parse(value) : Number.NaN
    if (!Number.isNaN(milliseconds)) {
      refuseFar(milliseconds / 1000, value, name)
      return { text: value, seconds: milliseconds / 1000 }
    }
  }
  throw wrong(name, `expected ${timeForm}; got ${shown(value)}.`)
}

function refuseFar(seconds: number, value: unknown, name: string): void {
  if (Math.abs(seconds) <= longest) return
  const hint = Math.abs(seconds) >= 1e11 && Math.abs(seconds) < 1e15 ? ' It looks like milliseconds.' : ''
  throw wrong(name, `expected ${timeForm}; ${shown(value)} is not between the years 1678 and 2262.${hint}`)
}

export function durationFrom(value: unknown, name: string): Duration {
  const seconds = numberFrom(value) ?? unitsFrom(value)
  if (seconds === undefined) throw wrong(name, `expected ${durationForm}; got ${shown(value)}.`)
  if (seconds < 0) throw wrong(name, `expected a duration of at least 0; got ${shown(value)}.`)
  if (seconds > longest) throw wrong(name, `expected at most 292 years; got ${shown(value)}.`)
  return { text: typeof value === 'string' ? value : plainNumber(seconds), seconds }
}

/** A duration in whole milliseconds, because servers drop smaller parts and would evaluate something else. */
export function millisecondsFrom(value: unknown, name: string): Duration {
  const duration = durationFrom(value, name)
  const milliseconds = duration.seconds * 1000
  const whole = Math.round(milliseconds)
  const isWhole = Math.abs(milliseconds - whole) <= 1e-6 * Math.max(1, milliseconds * 1e-6)
  if (!isWhole || (whole === 0 && milliseconds > 0))
    throw wrong(name, `expected whole milliseconds; got ${shown(value)}.`)
  return duration
}

export function stepFrom(value: unknown): Duration {
  const step = millisecondsFrom(value, 'step')
  if (step.seconds === 0) throw wrong('step', `expected a duration greater than 0; got ${shown(value)}.`)
  return step
}

export function rangeFrom(start: unknown, end: unknown): { readonly start: Time; readonly end: Time } {
  const range = { start: timeFrom(start, 'start'), end: timeFrom(end, 'end') }
  if (range.end.seconds < range.start.seconds) {
    throw wrong('end', `expected a time not before start (${shown(start)}); got ${shown(end)}.`)
  }
  return range
}

export function expressionFrom(query: string): string {
  if (query.trim() === '')
    throw wrong('query', 'expected a PromQL expression, such as "up"; got an empty string.')
  return query
}

export function limitFrom(limit: number | null | undefined): number {
  if (limit == null) return 0
  if (limit < 0) throw wrong('limit', `expected 0 (no bound) or more; got ${limit}.`)
  return limit
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestText
}

function numberFrom(value: unknown): number | undefined {
  const number = isShort(value) && decimal.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function unitsFrom(value: unknown): number | undefined {
  const parts = isShort(value) && value !== '' ? units.exec(value) : null
  if (parts === null) return undefined
  return unitSeconds.reduce((sum, seconds, i) => sum + Number(parts[i + 1] ?? 0) * seconds, 0)
}

/** The number without an exponent if JavaScript allows that, because every service reads that form. */
function plainNumber(value: number): string {
  const text = String(value)
  return text.includes('e-') ? value.toFixed(12).replace(/(?<!0)0+$/, '') : text
}

function shown(value: unknown): string {
  const text =
    JSON.stringify(typeof value === 'string' ? value.slice(0, longestText) : value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
