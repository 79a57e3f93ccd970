/** Bodies of HTTP requests and answers: read whole within a bound, written with their length. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonText } from '../../subgraphs/lib/raw-json.ts'

/** The content type of plain JSON. */
export const jsonType = 'application/json; charset=utf-8'

const noBytes = Buffer.alloc(0)

/**
 * Hands the body to `done`; undefined as soon as it is longer than `maxBytes`: what comes then is not kept. A body
 * that breaks off is never handed on.
 */
export function collectBody(
  request: IncomingMessage,
  maxBytes: number,
  done: (body: Buffer | undefined) => void,
): void {
  let first: Buffer | undefined
  let more: Buffer[] | undefined
  let length = 0
  let over = false
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (over) return
    if (length > maxBytes) {
      over = true
      first = undefined
      more = undefined
      done(undefined)
    } else if (first === undefined) first = chunk
    else if (more === undefined) more = [first, chunk]
    else more.push(chunk)
  })
  request.on('end', () => {
    if (!over) done(more === undefined ? (first ?? noBytes) : Buffer.concat(more, length))
  })
}

/** Sends the whole answer. `head` are alternating names and values, to which the length is added. */
export function sendBody(response: ServerResponse, status: number, head: string[], body: JsonText): void {
  const isOne = typeof body === 'string'
  head.push('content-length', String(isOne ? body.length : body.reduce((sum, { length }) => sum + length, 0)))
  response.writeHead(status, head)
  if (isOne) {
    response.end(body, 'latin1')
    return
  }
  response.cork()
  for (const piece of body) response.write(piece, 'latin1')
  response.end()
}
