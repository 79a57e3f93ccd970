/**
 * Joins response headers that came on several lines (RFC 9110, section 5.3): lines of a list become one list, and a
 * header with a single value has it once. Afterwards each is one string, except `set-cookie`, and none ends with blanks,
 * which belong to the line and not to the value (section 5.5) and which undici leaves there.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { itemsOf } from './headers.ts'

/**
 * They have a single value that decides how the response is read or used. If two lines differ, the response is
 * rejected.
 */
const decisive: ReadonlySet<string> = new Set([
  ...['content-type', 'content-length', 'content-range', 'content-location', 'location'],
  ...['etag', 'last-modified', 'retry-after'],
])

/** They have a single value, and the first one counts (for `age` and `expires` see RFC 9111). */
const firstCounts: ReadonlySet<string> = new Set(['age', 'date', 'expires', 'server'])

/** Modifies `headers`. Returns false if a header with a single value has two. */
export function joinHeaderLines(headers: Record<string, string | string[] | undefined>): boolean {
  for (const name in headers) {
    const given = headers[name]
    if (typeof given === 'string') headers[name] = withoutBlanks(given)
    if (!Array.isArray(given)) continue
    const lines = given.map(withoutBlanks)
    const [first = ''] = lines
    if (name === 'set-cookie') headers[name] = lines
    else if (firstCounts.has(name)) headers[name] = first
    else if (!decisive.has(name)) headers[name] = lines.join(', ')
    else if (lines.every((line) => line === first)) headers[name] = first
    else return false
  }
  return true
}

/** Only spaces and tabs: `trimEnd` would cut letters of UTF-8, whose bytes are characters here. */
function withoutBlanks(value: string): string {
  let end = value.length
  while (value[end - 1] === ' ' || value[end - 1] === '\t') end -= 1
  return value.slice(0, end)
}

/** The most interim responses (1xx) before a response. */
export const mostInterim = 16

/** The content codings in the order in which they were applied, in lower case and without `identity`. */
export function codingsIn(headers: IncomingHttpHeaders): readonly string[] {
  const header = headers['content-encoding']
  if (header === undefined) return noCodings
  return itemsOf(header.toLowerCase()).filter((coding) => coding !== 'identity')
}

const noCodings: readonly string[] = []
