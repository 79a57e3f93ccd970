/**
 * Finds connections whose other side stopped reading. A timer of whoever owns the connections asks about each of them; the
 * time begins to count when bytes are first seen waiting.
 */
import type { Socket } from 'node:net'

/** Progress is this much within the time: a byte now and then would hold a connection forever. */
export const progressBytes = 16 * 1024

/** How much had been delivered at `since`. */
interface Progress {
  readonly delivered: number
  readonly since: number
}

export class WriteWatch {
  readonly #timeoutMs: number
  readonly #progressOf = new WeakMap<Socket, Progress>()

  /** `timeoutMs`: how long the other side may take to read the next 16 KiB. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** How often to look, so that a connection is cut soon after its time is up. */
  get everyMs(): number {
    return Math.max(20, Math.min(1000, this.#timeoutMs / 4))
  }

  /** Whether bytes have waited for longer than the time without enough of them being read. */
  isStalled(socket: Socket, now: number): boolean {
    if (socket.writableLength === 0) {
      this.#progressOf.delete(socket)
      return false
    }
    const delivered = deliveredTo(socket)
    const known = this.#progressOf.get(socket)
    if (known === undefined || delivered - known.delivered >= progressBytes) {
      this.#progressOf.set(socket, { delivered, since: now })
      return false
    }
    return now - known.since > this.#timeoutMs
  }
}

/** Bytes that have left this process. What the system has not taken yet is known only to the socket's handle. */
function deliveredTo(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null }
  return socket.bytesWritten - (handle?.writeQueueSize ?? socket.writableLength)
}
