/**
 * What the headers of an HTTP answer say of keeping it, as RFC 9111 has it for a cache that many callers share, with
 * `stale-while-revalidate` and `stale-if-error` of RFC 5861. There is no heuristic freshness: an answer whose headers
 * say nothing says nothing.
 */
import type { IncomingHttpHeaders } from 'node:http'

export interface Freshness {
  /** Undefined where the headers do not say. */
  readonly freshMs: number | undefined
  /** How old the answer was when it came. */
  readonly ageMs: number
  readonly revalidateMs: number | undefined
  readonly errorMs: number | undefined
  /** Whether it may be used at all when it is not fresh any more. */
  readonly mayBeStale: boolean
  /** Whether it may be used for callers other than those whose headers are equal in all that the subgraph gets. */
  readonly scope: 'public' | 'unsaid' | 'private'
  /** Names of headers, in lower case. */
  readonly vary: readonly string[]
  readonly etag: string | undefined
  readonly lastModified: string | undefined
}

/** Longer times are as good as for ever (RFC 9111, section 1.2.2, wants at least 2^31 - 1 seconds to be kept apart). */
const mostSeconds = 2 ** 31 - 1

/** What says nothing of a caller, and is the same in each request to a subgraph. */
const sameForAll: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'content-type', 'content-length', 'user-agent', 'origin', 'host'],
  ...['access-control-request-headers', 'access-control-request-method'],
])

/** `undefined` where it must not be kept. `now`: milliseconds since 1970. */
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

function namesIn(value: string | readonly string[] | undefined): string[] {
  if (value === undefined) return []
  const text = typeof value === 'string' ? value : value.join(',')
  return [
    ...new Set(
      text
        .split(',')
        .map((name) => name.trim().toLowerCase())
        .filter((name) => name !== ''),
    ),
  ]
}

/** Directives by their names in lower case; of one that comes twice all values. */
type Directives = ReadonlyMap<string, readonly string[]>

const directive = /([!#$%&'*+\-.^_`|~0-9a-z]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?/giy

/** A field that cannot be read from some place on says nothing from there on, except that it must not be kept. */
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
      // What is no directive is passed over, up to the next comma.
      const comma = text.indexOf(',', at)
      at = comma === -1 ? text.length : comma + 1
      continue
    }
    const name = (match[1] ?? '').toLowerCase()
    const given = match[2] === undefined ? (match[3] ?? '') : match[2].replace(/\\(.)/g, '$1')
    const values = found.get(name)
    if (values === undefined) found.set(name, [given])
    else values.push(given)
    at = end
  }
  return found
}

const longestField = 4_000

/** A time that cannot be read, or two that differ, count as none left: the answer is stale. */
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

/** Seconds from `Date` to `Expires`; one that cannot be read is over. */
function expiresIn(expires: unknown, date: unknown, now: number): number | undefined {
  if (expires === undefined) return undefined
  const end = httpDate(expires)
  if (end === undefined) return 0
  const from = httpDate(date) ?? now
  return Math.min(Math.max(0, (end - from) / 1000), mostSeconds)
}

/** The three forms of RFC 9110, section 5.6.7, all in GMT. */
const dateForms = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
]
const asctime = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}:\d{2}:\d{2}) (\d{4})$/

function httpDate(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  const old = asctime.exec(value)
  const text = old === null ? value : `${old[2]} ${old[1]} ${old[4]} ${old[3]} GMT`
  if (old === null && !dateForms.some((form) => form.test(value))) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

/** The higher of what `Age` says and of the time since `Date` (RFC 9111, section 4.2.3). */
function ageOf({ age, date }: IncomingHttpHeaders, now: number): number {
  const [first = ''] = String(age ?? '').split(',')
  const told = /^\s*[0-9]+\s*$/.test(first) ? Math.min(Number(first), mostSeconds) * 1000 : 0
  const made = httpDate(date)
  // `Date` has whole seconds, and clocks differ by a little.
  const apparent = made === undefined || now - made < 2000 ? 0 : now - made
  return Math.max(told, apparent)
}
