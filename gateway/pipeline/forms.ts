/** The two forms in which data are made: JSON for servers, objects for programs that call the graph. */
import { byteString } from '../../shared/json/byte-string.ts'
import { parseExactly } from '../../shared/json/exact-number.ts'
import { bytesOfJson, type JsonText } from '../../shared/json/raw.ts'
import type { Form } from './sent.ts'

export const jsonForm: Form<JsonText> = {
  kind: 'json',
  execute: ({ compiled }, variables, request) => compiled.executeToJson(variables, request),
  toJson: (data) => bytesOfJson(data).toString('utf8'),
  fromJson: (json) => byteString(json),
}

export const objectForm: Form<Record<string, unknown>> = {
  kind: 'objects',
  execute: ({ compiled }, variables, request) => compiled.execute(variables, request),
  toJson: (data) => JSON.stringify(data),
  fromJson: (json) => JSON.parse(json) as Record<string, unknown>,
}

/** The data of a result as objects, whatever the executor made: objects, or JSON in one piece or several. */
export function dataOf(data: unknown): Readonly<Record<string, unknown>> | null {
  if (data === undefined || data === null) return null
  if (typeof data !== 'string' && !Array.isArray(data)) return data as Readonly<Record<string, unknown>>
  const json = jsonForm.toJson(data as JsonText)
  return parseExactly(json) as Readonly<Record<string, unknown>> | null
}
