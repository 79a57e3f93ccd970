/** The two forms in which data are made: JSON for servers, objects for programs that call the graph. */
import { byteString } from '../../shared/json/byte-string.ts'
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
