/**
 * A bound for the requests that a client sends on one connection without waiting for the responses. A chunk may have
 * thousands of them, Node hands over all of it at once, and everybody else would wait until all are answered.
 */
import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Browsers and proxies send one. */
const mostWaiting = 64

/** A connection beyond the bound is closed: its client may send again what was not answered (RFC 9112, section 9.3.2). */
export function withBoundedPipeline(listener: RequestListener): RequestListener {
  /** The responses that are not finished, the oldest first. */
  const unfinished = new WeakMap<Socket, ServerResponse[]>()
  return (request, response) => {
    const { socket } = request
    // What else the chunk has is parsed all the same.
    if (socket.destroyed) return
    const waiting = unfinished.get(socket)
    if (waiting === undefined) unfinished.set(socket, [response])
    else {
      while (waiting[0]?.writableFinished === true) waiting.shift()
      if (waiting.length >= mostWaiting) {
        socket.destroy()
        return
      }
      waiting.push(response)
    }
    listener(request, response)
  }
}
