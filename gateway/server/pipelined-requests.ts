/**
 * A bound for the requests that a client sends on one connection without waiting for the responses. A chunk may have
 * thousands of them, Node hands over all of it at once, and everybody else would wait until all are answered.
 */
import type { RequestListener } from 'node:http'
import { countUnderWay, type Ending, whenDelivered } from './active-requests.ts'

/** Browsers and proxies send one. */
const mostWaiting = 64

const uncounted: Ending = { ended() {} }

/** A connection beyond the bound is closed: its client may send again what was not answered (RFC 9112, section 9.3.2). */
export function withBoundedPipeline(listener: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request
    // What else the chunk has is parsed all the same.
    if (socket.destroyed) return
    const waiting = countUnderWay(socket)
    if (waiting >= mostWaiting) {
      socket.destroy()
      return
    }
    listener(request, response)
    // Such as a preflight request, for which nobody waits.
    if (countUnderWay(socket) === waiting) whenDelivered(request, response, uncounted)
  }
}
