/** Responses of a subgraph service. */
import type { ServerResponse } from 'node:http'
import { jsonText } from '../../contract/hot/byte-string.ts'
import type { JsonText } from '../../contract/json/raw.ts'
import { jsonType, sendBody } from '../http/serve/body.ts'

export function send(
  response: ServerResponse,
  status: number,
  contentType: string,
  body: JsonText,
  head: readonly string[] = [],
): void {
  if (response.headersSent || response.destroyed) return
  sendBody(response, status, ['content-type', contentType, ...head], body)
}

export function sendJson(response: ServerResponse, status: number, value: object): void {
  send(response, status, jsonType, jsonText(value))
}
