/**
 * The headers of a response as HTTP reads them if one came on several lines (RFC 9110, section 5.3): lines of a list
 * are one list, and a header that has one value has it once. Afterwards each is one string, as the types say, except for
 * `set-cookie`.
 */
import type { IncomingHttpHeaders } from 'node:http'

/**
 * They have one value, and it decides how the answer is read or what is done with it: if two lines differ, nobody can
 * know which of them is meant.
 */
const decisive: ReadonlySet<string> = new Set([
  ...['content-type', 'content-length', 'content-range', 'content-location', 'location'],
  ...['etag', 'last-modified', 'retry-after'],
])

/** They have one value too, and of several the first one counts (for `age` and `expires` see RFC 9111). */
const firstCounts: ReadonlySet<string> = new Set(['age', 'date', 'expires', 'server'])

/** Changes `headers`. False if a header that has one value came with two. */
export function joinHeaderLines(headers: Record<string, string | string[] | undefined>): boolean {
  for (const name in headers) {
    const lines = headers[name]
    if (!Array.isArray(lines) || name === 'set-cookie') continue
    const [first = ''] = lines
    if (firstCounts.has(name)) headers[name] = first
    else if (!decisive.has(name)) headers[name] = lines.join(', ')
    else if (lines.every((line) => line === first)) headers[name] = first
    else return false
  }
  return true
}

/** How many interim responses (1xx) may come before an answer. */
export const mostInterim = 16

/**
 * The codings of a body in the order in which they were applied, in lower case. `identity` is none, though some servers
 * write it.
 */
export function codingsIn(headers: IncomingHttpHeaders): readonly string[] {
  const header = headers['content-encoding']
  if (header === undefined) return noCodings
  return header
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
}

const noCodings: readonly string[] = []
