/** How a request whose body is here is answered, whether `node:http` has read it or not (`hot/whole-requests/`). */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bytesOfJson, type JsonText } from '../../../contract/json/raw.ts'
import { busyResponse } from '../shedding/index.ts'
import { bytesIn, jsonType, sendBody, varying } from './body.ts'
import { compress, type Encoding } from './compression.ts'
import { whenDelivered } from './delivery.ts'

/** What is known of a request beside its body. */
export type Received = Pick<IncomingMessage, 'headers' | 'method' | 'url' | 'socket'>

export interface Reply {
  /** Of the response that was sent; 0 before. */
  readonly status: number
  /** The value of `Vary` that was set before, for CORS. */
  readonly vary: string | undefined
  /** Sends the whole response, as `sendBody` does: `atOnce`, or when that says. Nothing is sent to a client that has gone. */
  send(status: number, head: string[], body: JsonText, atOnce?: boolean): void
  /**
   * The response, to be written as it comes, perhaps for long: of its request nothing is kept. Throws where `node:http` has
   * not read the request; such a one does not ask for that.
   */
  inPieces(): ServerResponse
  /** Closes the connection. */
  destroy(): void
  /** Calls it once where the connection is closed before the response has left. */
  whenGone(call: () => void): void
}

const none: string[] = []

export class HttpReply implements Reply {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request
    this.#response = response
  }

  get status(): number {
    return this.#response.headersSent ? this.#response.statusCode : 0
  }

  get vary(): string | undefined {
    return this.#response.getHeader('vary')?.toString()
  }

  send(status: number, head: string[], body: JsonText, atOnce?: boolean): void {
    if (!this.#response.destroyed) sendBody(this.#response, status, head, body, bytesIn(body), atOnce)
  }

  inPieces(): ServerResponse {
    this.#request.removeAllListeners('data').removeAllListeners('end')
    this.#request.rawHeaders = none
    return this.#response
  }

  destroy(): void {
    this.#response.destroy()
  }

  whenGone(call: () => void): void {
    whenDelivered(this.#request, this.#response, {
      ended(whole) {
        if (!whole) call()
      },
    })
  }
}

/** Refuses a request that would have to wait too long. Its connection is kept: a new one costs more than a refusal. */
export function sendBusy(reply: Reply, head: readonly string[]): void {
  const { status, head: own, body } = busyResponse()
  // A refusal must not wait for the work that is under way.
  reply.send(status, [...head, 'content-type', jsonType, ...own], body, true)
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
