/** JSON of the user and of the gateway, which may be anything. */
import { isObject } from '../../shared/json/is-object.ts'

export type Json = Readonly<Record<string, unknown>>
export { isObject }

/** Undefined if the text is no JSON. */
export function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Indents JSON. Returns the text unchanged if it is none. */
export function formatJson(text: string): string {
  const parsed = jsonFrom(text)
  return parsed === undefined ? text : JSON.stringify(parsed, null, 2)
}

/** Parses a JSON object. An empty text is an empty object. Anything else that is no object is undefined. */
export function objectFrom(text: string): Record<string, unknown> | undefined {
  const parsed = text.trim() === '' ? {} : jsonFrom(text)
  return isObject(parsed) ? parsed : undefined
}
