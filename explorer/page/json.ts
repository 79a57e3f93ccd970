/** JSON of the user and of the gateway, which may be anything. */
import { parseExactly } from '../../shared/json/exact-number.ts'
import { isObject, isPlain, objectOf } from '../../shared/json/is-object.ts'
import { parsedJson } from '../../shared/json/parse-json.ts'

export type Json = Readonly<Record<string, unknown>>

export { objectOf }

/** The objects of a list; none if the value is not a list. */
export const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Undefined for anything else. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export const errorsIn = (answer: unknown): Json[] => objectsIn(objectOf(answer).errors)

export const codeOf = ({ extensions }: Json): string | undefined => textOf(objectOf(extensions).code)

/** Older browsers round a number that a double cannot hold. */
const parse = Object.hasOwn(JSON, 'rawJSON') ? parseExactly : JSON.parse

/** Undefined if the text is not JSON. */
export const jsonFrom = (text: string): unknown => parsedJson(text, parse)

/** Indents JSON. Returns the text unchanged if it is none. */
export function formatJson(text: string): string {
  const parsed = jsonFrom(text)
  return parsed === undefined ? text : JSON.stringify(parsed, null, 2)
}

/** Parses a JSON object. An empty text is an empty object. Anything else that is not an object is undefined. */
export function objectFrom(text: string): Record<string, unknown> | undefined {
  const parsed = text.trim() === '' ? {} : jsonFrom(text)
  // A number of many digits is an instance, too.
  return isObject(parsed) && isPlain(parsed) ? parsed : undefined
}
