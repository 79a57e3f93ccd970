/** Bodies of HTTP requests and responses: read whole within limits, written with their length. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { GatheredBytes } from '../../shared/http/gathered-bytes.ts'
import { type JsonText, lengthOfJson } from '../../shared/json/raw.ts'
import type { Connections } from './connections.ts'

export const jsonType = 'application/json; charset=utf-8'

/** Bodies up to this size do not count among those that are arriving: they are small whatever their number. */
const smallBytes = 16 * 1024

/** Why there is no body: it is longer than `maxBytes`, late, or too many bytes of other bodies are arriving. */
export type NoBody = 'too-large' | 'late' | 'busy'

/** The bytes that one request holds, out of what all bodies may hold together. */
export class HeldBody {
  readonly #connections: Connections
  #bytes = 0

  constructor(connections: Connections) {
    this.#connections = connections
  }

  /** Sets the number of held bytes. False if that is too much: nothing changes then. */
  hold(bytes: number): boolean {
    if (!this.#connections.reserve(bytes - this.#bytes)) return false
    this.#bytes = bytes
    return true
  }

  release(): void {
    this.#connections.release(this.#bytes)
    this.#bytes = 0
  }
}

/**
 * Resolves with the body, or with the reason why there is none as soon as it is known: later data are not kept. It never
 * settles for a body that breaks off. The user of the body releases its bytes, or at the latest the end of the response
 * or the connection does.
 */
export function collectBody(
  request: IncomingMessage,
  maxBytes: number,
  connections: Connections,
  held: HeldBody,
): Promise<Buffer | NoBody> {
  return new Promise((resolve) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      resolve('too-large')
      return
    }
    const gathered = new GatheredBytes(maxBytes)
    let over = false
    const giveUp = (why: NoBody): void => {
      if (over) return
      over = true
      gathered.clear()
      connections.bodyEnded(arriving)
      held.release()
      resolve(why)
    }
    const arriving = connections.awaitBody(request, () => giveUp('late'))
    request.on('data', (chunk: Buffer) => {
      if (over) return
      if (!gathered.add(chunk)) giveUp('too-large')
      else if (gathered.length > smallBytes && !held.hold(gathered.held)) giveUp('busy')
    })
    request.on('end', () => {
      if (over) return
      over = true
      connections.bodyEnded(arriving)
      const body = gathered.take()
      if (body.length > smallBytes) held.hold(body.length)
      resolve(body)
    })
  })
}

/** So many bytes of a response are written at once. Whether its client reads is seen when they have left (`StallDetector`). */
const pieceBytes = 256 * 1024

/** Sends the whole response. `head` are alternating names and values, to which the length is added. */
export function sendBody(response: ServerResponse, status: number, head: string[], body: JsonText): void {
  const length = lengthOfJson(body)
  // The length of a 304 would be that of the response that it represents.
  if (status !== 304) head.push('content-length', String(length))
  response.writeHead(status, head)
  if (length > pieceBytes) {
    sendPieces(response, piecesOf(body))
    return
  }
  if (typeof body === 'string') {
    response.end(body, 'latin1')
    return
  }
  response.cork()
  for (const piece of body) response.write(piece, 'latin1')
  response.end()
}

/** Writes a piece when the one before it has left. */
function sendPieces(response: ServerResponse, pieces: Iterator<string | Buffer>): void {
  for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
    if (response.write(next.value, 'latin1')) continue
    response.once('drain', () => sendPieces(response, pieces))
    return
  }
  response.end()
}

function* piecesOf(body: JsonText): Generator<string | Buffer> {
  for (const part of typeof body === 'string' ? [body] : body) {
    for (let at = 0; at < part.length; at += pieceBytes)
      yield typeof part === 'string' ? part.slice(at, at + pieceBytes) : part.subarray(at, at + pieceBytes)
  }
}
