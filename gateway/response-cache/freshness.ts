/**
 * Reads the caching headers of an HTTP response, by RFC 9111 for a shared cache, with `stale-while-revalidate` and
 * `stale-if-error` of RFC 5861. There is no heuristic freshness.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { itemsOf } from '../../shared/http/headers.ts'
import { append } from '../../shared/runtime/maps.ts'

export interface Freshness {
  /** Undefined if the headers do not say. */
  readonly freshMs: number | undefined
  /** The age of the response when it arrived. */
  readonly ageMs: number
  readonly revalidateMs: number | undefined
  readonly errorMs: number | undefined
  /** Whether it may be used when it is no longer fresh. */
  readonly mayBeStale: boolean
  /** Whether it may be used for callers whose headers to the subgraph differ. */
  readonly scope: 'public' | 'unsaid' | 'private'
  /** Names of headers, in lower case. */
  readonly vary: readonly string[]
  readonly etag: string | undefined
  readonly lastModified: string | undefined
}

/** Longer times count as infinite (RFC 9111, section 1.2.2, requires at least 2^31 - 1 seconds to be distinguished). */
const mostSeconds = 2 ** 31 - 1

/** Headers that say nothing about a caller, and are the same in each request to a subgraph. */
const sameForAll: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'content-type', 'content-length', 'user-agent', 'origin', 'host'],
  ...['access-control-request-headers', 'access-control-request-method'],
])

/** `undefined` if it must not be stored. `now`: milliseconds since 1970. */
export function freshnessOf(headers: IncomingHttpHeaders, now: number): Freshness | undefined {
  const directives = directivesOf(headers['cache-control'])
  if (directives.has('no-store')) return undefined
  const vary = namesIn(headers.vary)
  if (vary.includes('*')) return undefined
  const mustAsk = directives.has('no-cache')
  const shared = secondsOf(directives, 's-maxage')
  const seconds = mustAsk
    ? 0
    : (shared ?? secondsOf(directives, 'max-age') ?? expiresIn(headers.expires, headers.date, now))
  return {
    freshMs: seconds === undefined ? undefined : seconds * 1000,
    ageMs: ageOf(headers, now),
    revalidateMs: millisecondsOf(directives, 'stale-while-revalidate'),
    errorMs: millisecondsOf(directives, 'stale-if-error'),
    mayBeStale:
      !mustAsk &&
      shared === undefined &&
      !directives.has('must-revalidate') &&
      !directives.has('proxy-revalidate'),
    scope: directives.has('private')
      ? 'private'
      : directives.has('public') || shared !== undefined
        ? 'public'
        : 'unsaid',
    vary: vary.filter((name) => !sameForAll.has(name)),
    etag: textOf(headers.etag),
    lastModified: textOf(headers['last-modified']),
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length > 0 && value.length <= 500 ? value : undefined

const namesIn = (value: string | readonly string[] | undefined): string[] => [
  ...new Set(itemsOf(value).map((name) => name.toLowerCase())),
]

/** Directives with lower-case names; a repeated directive has all values. */
type Directives = ReadonlyMap<string, readonly string[]>

const directive = /([!#$%&'*+\-.^_`|~0-9a-z]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?/giy

/** They hold in any spelling: storing less than allowed is no fault. */
const forbidding: ReadonlySet<string> = new Set([
  ...['no-store', 'no-cache', 'private', 'must-revalidate', 'proxy-revalidate'],
])

/** The rest of a field after an unreadable place is ignored, except that the response must not be stored. */
function directivesOf(value: string | readonly string[] | undefined): Directives {
  const found = new Map<string, string[]>()
  if (value === undefined) return found
  const text = typeof value === 'string' ? value : value.join(',')
  if (text.length > longestField) return new Map([['no-store', ['']]])
  let at = 0
  while (at < text.length) {
    if (' \t,'.includes(text[at] ?? '')) {
      at += 1
      continue
    }
    directive.lastIndex = at
    const match = directive.exec(text)
    const end = match === null ? at : directive.lastIndex
    const next = text.slice(end).search(/[^ \t]/)
    const isWhole = match !== null && (next === -1 || text[end + next] === ',')
    if (!isWhole) {
      // An invalid directive is skipped up to the next comma, unless it forbids something.
      const name = (match?.[1] ?? '').toLowerCase()
      if (forbidding.has(name)) found.set(name, [''])
      const comma = text.indexOf(',', at)
      at = comma === -1 ? text.length : comma + 1
      continue
    }
    const name = (match[1] ?? '').toLowerCase()
    append(found, name, match[2] === undefined ? (match[3] ?? '') : match[2].replace(/\\(.)/g, '$1'))
    at = end
  }
  return found
}

const longestField = 4_000

/** A time that cannot be read counts as 0: the response is stale. Of several times the shortest counts. */
function secondsOf(directives: Directives, name: string): number | undefined {
  const values = directives.get(name)
  if (values === undefined) return undefined
  const times = values.map((value) => (/^[0-9]+$/.test(value) ? Math.min(Number(value), mostSeconds) : 0))
  return Math.min(...times)
}

const millisecondsOf = (directives: Directives, name: string): number | undefined => {
  const seconds = secondsOf(directives, name)
  return seconds === undefined ? undefined : seconds * 1000
}

/** Seconds from `Date` to `Expires`; an unreadable `Expires` is in the past. */
function expiresIn(expires: unknown, date: unknown, now: number): number | undefined {
  if (expires === undefined) return undefined
  const end = httpDate(expires, now)
  if (end === undefined) return 0
  const from = httpDate(date, now) ?? now
  return Math.min(Math.max(0, (end - from) / 1000), mostSeconds)
}

/** The three formats of RFC 9110, section 5.6.7, all in GMT; caches accept them in any case (RFC 9111, section 4.2). */
const dateForms = [
  /^(?:mon|tue|wed|thu|fri|sat|sun), (?<day>\d{2}) (?<month>[a-z]{3}) (?<year>\d{4}) (?<clock>\d{2}:\d{2}:\d{2}) gmt$/i,
  /^(?:mon|tue|wed|thu|fri|sat|sun) (?<month>[a-z]{3}) (?<day>[ \d]\d) (?<clock>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/i,
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)day, (?<day>\d{2})-(?<month>[a-z]{3})-(?<year>\d{2}) (?<clock>\d{2}:\d{2}:\d{2}) gmt$/i,
]

/** `now`: milliseconds since 1970, for years of two digits. */
function httpDate(value: unknown, now: number): number | undefined {
  if (typeof value !== 'string') return undefined
  const match = dateForms.map((form) => form.exec(value)).find((found) => found !== null)
  if (match?.groups === undefined) return undefined
  const { day = '', month, year = '', clock } = match.groups
  const whole = year.length === 2 ? yearOf(Number(year), now) : year
  const time = Date.parse(`${day.trim()} ${month} ${whole} ${clock} GMT`)
  return Number.isNaN(time) ? undefined : time
}

/** The year of this century, or that of the last one if it would be more than 50 years ahead. */
function yearOf(lastTwo: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear()
  const year = thisYear - (thisYear % 100) + lastTwo
  return year > thisYear + 50 ? year - 100 : year
}

/** The higher of `Age` and the time since `Date` (RFC 9111, section 4.2.3). */
function ageOf({ age, date }: IncomingHttpHeaders, now: number): number {
  const [first = ''] = String(age ?? '').split(',')
  const told = /^\s*[0-9]+\s*$/.test(first) ? Math.min(Number(first), mostSeconds) * 1000 : 0
  const made = httpDate(date, now)
  // `Date` has whole seconds, and clocks differ slightly.
  const apparent = made === undefined || now - made < 2000 ? 0 : now - made
  return Math.max(told, apparent)
}
