/** How a request whose body has arrived is answered. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bytesOfJson, type JsonText } from '../../shared/json/raw.ts'
import { busyResponse } from '../overload/index.ts'
import { jsonType, sendBody, varying } from './body.ts'
import { compress, type Encoding } from './compression.ts'
import { whenDelivered } from './delivery.ts'

const none: string[] = []

export class Reply {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request
    this.#response = response
  }

  /** The status of the response; 0 before it is sent. */
  get status(): number {
    return this.#response.headersSent ? this.#response.statusCode : 0
  }

  /** The value of `Vary` that was set before, for CORS. */
  get vary(): string | undefined {
    return this.#response.getHeader('vary')?.toString()
  }

  /** Whether CORS has been decided: the request names an origin. */
  get hasCors(): boolean {
    return this.#request.headers.origin !== undefined
  }

  /** Sends the whole response, as `sendBody` does. Nothing is sent to a client that has gone. */
  send(status: number, head: string[], body: JsonText): void {
    if (!this.#response.destroyed) sendBody(this.#response, status, head, body)
  }

  /** Starts a streamed response: nothing of its request is kept. */
  inPieces(): ServerResponse {
    this.#request.removeAllListeners('data').removeAllListeners('end')
    this.#request.rawHeaders = none
    return this.#response
  }

  /** Closes the connection. */
  destroy(): void {
    this.#response.destroy()
  }

  /** Calls it once if the connection is closed before the response has left. */
  whenGone(call: () => void): void {
    whenDelivered(this.#request, this.#response, {
      ended(whole) {
        if (!whole) call()
      },
    })
  }
}

/**
 * Refuses a request that would wait too long. Its connection stays open, because a new one costs more than a refusal.
 */
export function sendBusy(reply: Reply, head: readonly string[]): void {
  const { status, head: own, body } = busyResponse()
  reply.send(status, [...head, 'content-type', jsonType, ...own], body)
}

/** Sends the whole response, compressed. */
export async function sendCompressed(
  reply: Reply,
  status: number,
  head: string[],
  body: JsonText,
  encoding: Encoding,
): Promise<void> {
  const compressed = await compress(bytesOfJson(body), encoding)
  head.push('content-encoding', encoding, 'vary', varying(reply.vary))
  reply.send(status, head, [compressed])
}
