/** Reads Node's headers. */
import type { IncomingHttpHeaders } from 'node:http'

/** A header with a single value, by its lower-case name. A list of values counts as absent. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** The items of a header that is a list, in one field or in several. */
export const itemsOf = (value: string | readonly string[] | undefined): string[] =>
  String(value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
