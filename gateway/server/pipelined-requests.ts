/**
 * A bound for the requests that a client sends on one connection without waiting for the responses. A chunk may have
 * thousands of them, Node hands over all of it at once, and everybody else would wait until all are answered.
 */
import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from '../telemetry/log.ts'

/** Browsers and proxies send one. */
const mostWaiting = 64

/** How many responses of each connection have not left. */
const waiting = new WeakMap<Socket, number>()

/** Its connection. A response loses its own before it is closed, and `undici` takes that of a request that it sends on. */
const connection = Symbol('connection')

type CountedResponse = ServerResponse & { [connection]?: Socket }

/** A connection beyond the bound is closed: its client may send again what was not answered (RFC 9112, section 9.3.2). */
export function withBoundedPipeline(listener: RequestListener, log: Logger | undefined): RequestListener {
  return (request, response: CountedResponse) => {
    const { socket } = request
    const count = waiting.get(socket) ?? 0
    // The rest of the chunk is parsed all the same, and comes here, too.
    if (count >= mostWaiting) {
      if (!socket.destroyed)
        log?.info({ mostWaiting }, 'a connection with too many unanswered requests is closed')
      socket.destroy()
      return
    }
    waiting.set(socket, count + 1)
    response[connection] = socket
    response.on('close', left)
    listener(request, response)
  }
}

/** One function for all responses, because each that is a stream would keep one of its own. */
function left(this: CountedResponse): void {
  const { [connection]: socket } = this
  if (socket !== undefined) waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
}
