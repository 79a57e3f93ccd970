/** Bodies of HTTP requests and responses: read whole within limits, written with their length. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { GatheredBytes } from '../../../contract/http/gathered-bytes.ts'
import type { JsonText } from '../../../contract/json/raw.ts'
import type { Connections } from './connections.ts'

/** The content type of plain JSON. */
export const jsonType = 'application/json; charset=utf-8'

/** Bodies up to this size do not count among those that are arriving: they are small whatever their number. */
const smallBytes = 16 * 1024

/** Why there is no body: longer than `maxBytes`, not here in time, or too much of others is arriving. */
export type NoBody = 'too-large' | 'late' | 'busy'

/**
 * Passes the body to `done`, or why there is none as soon as that is known: nothing is kept of what comes then. For
 * a body that breaks off, `done` is never called.
 */
export function collectBody(
  request: IncomingMessage,
  maxBytes: number,
  connections: Connections,
  done: (body: Buffer | NoBody) => void,
): void {
  const gathered = new GatheredBytes(maxBytes)
  let reserved = 0
  let over = false
  const release = (): void => {
    connections.release(reserved)
    reserved = 0
  }
  const giveUp = (why: NoBody): void => {
    if (over) return
    over = true
    gathered.clear()
    connections.bodyEnded(arriving)
    release()
    done(why)
  }
  const arriving = connections.awaitBody(request, () => giveUp('late'))
  request.on('data', (chunk: Buffer) => {
    if (over) return
    if (!gathered.add(chunk)) {
      giveUp('too-large')
      return
    }
    if (gathered.length <= smallBytes) return
    // What is held counts, and not what has come.
    if (!connections.reserve(gathered.held - reserved)) {
      giveUp('busy')
      return
    }
    if (reserved === 0) request.once('close', release)
    reserved = gathered.held
  })
  request.on('end', () => {
    if (over) return
    over = true
    connections.bodyEnded(arriving)
    if (reserved > 0) release()
    done(gathered.take())
  })
}

export const bytesIn = (body: JsonText): number =>
  typeof body === 'string' ? body.length : body.reduce((sum, { length }) => sum + length, 0)

/** Sends the whole response. `head` are alternating names and values, to which the length is added. */
export function sendBody(response: ServerResponse, status: number, head: string[], body: JsonText): void {
  // That of a 304 would be of the response that it stands for.
  if (status !== 304) head.push('content-length', String(bytesIn(body)))
  response.writeHead(status, head)
  if (typeof body === 'string') {
    response.end(body, 'latin1')
    return
  }
  response.cork()
  for (const piece of body) response.write(piece, 'latin1')
  response.end()
}

/** `Vary` with the header that chose the encoding, after what it says already. */
export const varying = (before: number | string | readonly string[] | undefined): string =>
  before === undefined ? 'accept-encoding' : `${String(before)}, accept-encoding`

/** How long the rest of a refused body is read and dropped, so that its client can read the response. */
const lingerMs = 500

/**
 * Responds to a request whose body is not wanted, and closes the connection. Closing it while the client still sends
 * would reset it, and the client would lose the response.
 */
export function refuseBody(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  head: string[],
  body: string,
): void {
  head.push('content-length', String(Buffer.byteLength(body, 'latin1')), 'connection', 'close')
  response.writeHead(status, head)
  response.write(body, 'latin1')
  request.resume()
  if (request.complete) {
    response.end()
    return
  }
  const end = (): void => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, lingerMs)
  request.once('end', end)
  request.once('close', end)
}
