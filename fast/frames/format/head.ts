/**
 * The headers of a request or a response as one Latin-1 string with a line for each. Headers are looked up in that
 * string, because a service reads few of them and most requests have few.
 */
import type { IncomingHttpHeaders } from 'node:http'

/** Values have the same characters as in HTTP, because a line break would begin another header. */
const unsendable = /[^\t\x20-\x7e\x80-\xff]/

/** Undefined if a value cannot be sent. Names are in lower case. */
export function headText(headers: Readonly<Record<string, string>>): string | undefined {
  let text = ''
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? ''
    if (unsendable.test(value)) return undefined
    text += `${name}:${value}\n`
  }
  return text
}

/** The value of a header. `name` is in lower case. */
export function headerIn(head: string, name: string): string | undefined {
  const line = `${name}:`
  let at = 0
  while (at < head.length) {
    if (head.startsWith(line, at)) return head.slice(at + line.length, head.indexOf('\n', at))
    const end = head.indexOf('\n', at)
    if (end === -1) return undefined
    at = end + 1
  }
  return undefined
}

/** The headers of the last string, because nearly all responses of a service have the same. */
let last: { readonly head: string; readonly headers: Readonly<IncomingHttpHeaders> } | undefined

/** All headers. Equal strings get the same object. */
export function headersIn(head: string): Readonly<IncomingHttpHeaders> {
  if (last?.head !== head) last = { head, headers: Object.freeze(parsed(head)) }
  return last.headers
}

function parsed(head: string): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = {}
  for (const line of head.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers[line.slice(0, colon)] = line.slice(colon + 1)
  }
  return headers
}
