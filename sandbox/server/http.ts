/** Reads bodies and writes answers over `node:http`. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { StandInAnswer } from '../stand-in.ts'

/** An `import` of it would load Node's own `fetch` and `WebSocket` too, which takes a twentieth of a start. */
export const { createServer } = process.getBuiltinModule('node:http')

/** Shorter bodies are not compressed. */
const gzipFrom = 1024
/** Uploads are read as streams and have a bound of their own. */
const maxBodyBytes = 16 * 1024 * 1024

export class BodyTooLarge extends Error {}

export async function readBody(request: IncomingMessage): Promise<string> {
  const { method } = request
  if (method === 'GET' || method === 'HEAD') return ''
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) throw new BodyTooLarge(`the body has more than ${maxBodyBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export interface PrintedAnswer {
  readonly headers: Record<string, string>
  readonly body: string | Buffer
}

export function printAnswer({ body, headers = {} }: StandInAnswer): PrintedAnswer {
  if (body === undefined) return { headers: { ...headers }, body: '' }
  const isText = typeof body === 'string' || Buffer.isBuffer(body)
  return {
    headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
    body: isText ? body : JSON.stringify(body),
  }
}

export function respond(request: IncomingMessage, response: ServerResponse, answer: StandInAnswer): void {
  const { headers, body } = printAnswer(answer)
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  if (length >= gzipFrom && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) {
    const packed = gzipSync(body, { level: 1 })
    response.writeHead(answer.status, {
      ...headers,
      'content-encoding': 'gzip',
      'content-length': packed.length,
    })
    response.end(packed)
    return
  }
  if (answer.status === 204 || answer.status === 304) response.writeHead(answer.status, headers)
  else response.writeHead(answer.status, { ...headers, 'content-length': length })
  response.end(length === 0 ? undefined : body)
}

export function textAnswer(status: number, text: string): StandInAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text }
}

export function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
