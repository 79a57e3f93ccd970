/**
 * Headers of a request or a response as one text in Latin-1, a line for each. They are looked up in it: a service asks
 * for few of them, and most requests have few.
 */
import type { IncomingHttpHeaders } from 'node:http'

export const noHead = ''

/** What may stand in a value, as in HTTP; a line break would begin another header. */
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

/** A header by its name in lower case. */
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

/** Those of the last text: nearly all answers of a service have the same. */
let last: { readonly head: string; readonly headers: Readonly<IncomingHttpHeaders> } | undefined

/** All of them; the same object for the same text. */
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
