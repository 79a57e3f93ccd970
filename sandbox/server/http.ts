/** Reads bodies and writes responses over `node:http`. */
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { SerializedJson } from '../serialized-json.ts'
import type { StandInAnswer } from '../stand-in.ts'

/** An `import` would also load Node's own `fetch` and `WebSocket`, which takes a twentieth of the start. */
export const { createServer } = process.getBuiltinModule('node:http')

/** Shorter bodies are not compressed. */
const gzipFrom = 1024
/** Uploads are read as streams, and have their own bound. */
const maxBodyBytes = 16 * 1024 * 1024

export class BodyTooLarge extends Error {}

export async function readBody(request: IncomingMessage): Promise<string> {
  return request.method === 'GET' || request.method === 'HEAD' ? '' : readText(request)
}

/** Chunks are copied into one growing buffer, because each chunk takes hundreds of bytes, however short it is. */
export async function readText(request: IncomingMessage): Promise<string> {
  let gathered = Buffer.alloc(0)
  let length = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    const end = length + piece.length
    if (end > maxBodyBytes) throw new BodyTooLarge(`the body has more than ${maxBodyBytes} bytes`)
    if (end > gathered.length) {
      const longer = Buffer.allocUnsafeSlow(Math.max(end, 2 * gathered.length))
      longer.set(gathered.subarray(0, length))
      gathered = longer
    }
    gathered.set(piece, length)
    length = end
  }
  return gathered.toString('utf8', 0, length)
}

interface PrintedAnswer {
  readonly headers: Record<string, string>
  readonly body: string | Buffer
  /** The encoding of a body that is a string. */
  readonly encoding: 'utf8' | 'latin1'
}

export function printAnswer({ body, headers = {} }: StandInAnswer): PrintedAnswer {
  if (body === undefined) return { headers: { ...headers }, body: '', encoding: 'utf8' }
  const typed = { 'content-type': 'application/json; charset=UTF-8', ...headers }
  if (body instanceof SerializedJson) return { headers: typed, body: body.text, encoding: 'latin1' }
  const isText = typeof body === 'string' || Buffer.isBuffer(body)
  return { headers: typed, body: isText ? body : JSON.stringify(body), encoding: 'utf8' }
}

export function bytesOf({ body, encoding }: PrintedAnswer): Buffer {
  return typeof body === 'string' ? Buffer.from(body, encoding) : body
}

export function respond(request: IncomingMessage, response: ServerResponse, answer: StandInAnswer): void {
  const sent = printAnswer(answer)
  const { headers, body, encoding } = sent
  const length = typeof body === 'string' ? Buffer.byteLength(body, encoding) : body.length
  if (length >= gzipFrom && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) {
    const packed = gzipSync(bytesOf(sent), { level: 1 })
    const packedHeaders = { ...headers, 'content-encoding': 'gzip', 'content-length': packed.length }
    response.writeHead(answer.status, packedHeaders)
    response.end(packed)
    return
  }
  if (answer.status === 204 || answer.status === 304) response.writeHead(answer.status, headers)
  else response.writeHead(answer.status, { ...headers, 'content-length': length })
  response.end(body, encoding)
}

export function textAnswer(status: number, text: string): StandInAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text }
}

/** Starts the server. Port 0 is a free one. The URL is that by which this machine reaches it. */
export async function listen(
  server: Server,
  host: string,
  port: number,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  server.listen(port, host)
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${hostInUrl(host)}:${taken}`,
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
