/** Reads Node's headers. A list of values counts as absent. */
import type { IncomingHttpHeaders } from 'node:http'

/** A header with a single value, by its lower-case name. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
