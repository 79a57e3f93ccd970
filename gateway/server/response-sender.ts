/** Sends the response to one request. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bytesOfJson, type JsonText, lengthOfJson } from '../../shared/json/raw.ts'
import { joinedVary } from '../headers/index.ts'
import { busyRefusal } from '../overload/index.ts'
import { whenDelivered } from './active-requests.ts'
import { jsonType, sendBody } from './body.ts'
import { type ChooseEncoding, compress } from './compression.ts'

const none: string[] = []
/** How long the rest of a refused body is read and dropped, so that its client can read the response. */
const lingerMs = 500

export class ResponseSender {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request
    this.#response = response
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
    joinVary(head)
    if (!this.#response.destroyed) sendBody(this.#response, status, head, body)
  }

  /** The same, in the coding that is chosen for it. */
  async sendEncoded(status: number, head: string[], body: JsonText, choose: ChooseEncoding): Promise<void> {
    const encoding = choose(this.#request, lengthOfJson(body))
    if (encoding === undefined) {
      this.send(status, head, body)
      return
    }
    const compressed = await compress(bytesOfJson(body), encoding)
    head.push('content-encoding', encoding, 'vary', joinedVary([this.vary, 'accept-encoding']))
    this.send(status, head, [compressed])
  }

  /**
   * Refuses a request that would wait too long. Its connection stays open, because a new one costs more than a refusal.
   */
  sendBusy(head: readonly string[]): void {
    const { status, head: own, body } = busyRefusal()
    this.send(status, [...head, 'content-type', jsonType, ...own], body)
  }

  /**
   * Responds to a request whose body is not wanted, and closes the connection. Closing it while the client still sends
   * would reset it, and the client would lose the response.
   */
  sendAndClose(status: number, head: readonly string[], body: string): void {
    const request = this.#request
    const response = this.#response
    request.resume()
    // The body itself was malformed (`malformed-requests.ts`). That response may wait for an earlier one of the connection.
    if (response.headersSent) return
    const length = String(Buffer.byteLength(body, 'latin1'))
    response.writeHead(status, [...head, 'content-length', length, 'connection', 'close'])
    response.write(body, 'latin1')
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

  /** Starts a streamed response: nothing of its request is kept. */
  startStream(): ServerResponse {
    this.#request.removeAllListeners('data').removeAllListeners('end')
    this.#request.rawHeaders = none
    return this.#response
  }

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

/** Makes one line of several of `Vary`. `head` has names and values in turn. */
function joinVary(head: string[]): void {
  let next = -1
  for (let at = head.length - 2; at >= 0; at -= 2) {
    if (head[at] !== 'vary') continue
    if (next >= 0) {
      head[at + 1] = joinedVary([head[at + 1], head[next + 1]])
      head.splice(next, 2)
    }
    next = at
  }
}
