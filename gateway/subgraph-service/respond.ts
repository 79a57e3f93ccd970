/** Responses of a subgraph service. */
import type { ServerResponse } from 'node:http'
import { jsonText } from '../../contract/json/byte-string.ts'
import type { JsonText } from '../../contract/json/raw.ts'
import { jsonType, sendBody } from '../http/serve/body.ts'
import type { Reply } from '../http/serve/reply.ts'

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

/** What a request of GraphQL is answered with. */
export interface Answer {
  readonly status: number
  readonly contentType: string
  readonly body: JsonText
}

export function sendAnswer(reply: Reply, { status, contentType, body }: Answer): void {
  if (reply.status === 0) reply.send(status, ['content-type', contentType], body)
}

export function sendJson(response: ServerResponse, status: number, value: object): void {
  send(response, status, jsonType, jsonText(value))
}
