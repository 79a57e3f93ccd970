/**
 * JSON from outside. What comes back has no key `__proto__` at any depth: an own key of that name would
 * set the prototype of whatever it is assigned to.
 */

import { narrowJson } from './narrow-json.ts'

/** The key, with any of its letters escaped. */
const protoKey =
  /"(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}"\s*:/

/** Throws a SyntaxError where the text is no JSON. */
export function parseJson(text: string): unknown {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const json = start === 0 ? text : text.slice(start)
  // Two plain searches rule the key out for nearly every text. Short ones: the machine looks for their first
  // letter, which it does not do for longer ones.
  if ((json.includes('__p') || json.includes('\\u00')) && protoKey.test(json)) {
    return JSON.parse(json, (key, value: unknown) => (key === '__proto__' ? undefined : value))
  }
  return JSON.parse(json)
}

/** The same for the body of an answer. */
export function parseBody(body: Buffer): unknown {
  return parseJson(narrowJson(body))
}

/** Whether a `Content-Type` promises JSON. No type promises nothing and forbids nothing. */
export function mayBeJson(contentType: unknown): boolean {
  if (contentType === undefined) return true
  return (
    typeof contentType === 'string' &&
    /^\s*(?:application|text)\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType)
  )
}
