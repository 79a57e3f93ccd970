/** Headers as Node gives them, if a list of values is no value. */
import type { IncomingHttpHeaders } from 'node:http'

/** A header that came once, by its lower-case name. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
