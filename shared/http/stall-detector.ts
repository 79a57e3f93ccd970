/**
 * Finds connections whose peer stopped reading. The owner of the connections checks each of them by a timer. The time
 * starts when waiting bytes are first seen. It is the time for everything that was written at once, so what is long is
 * written in pieces.
 */
import type { Socket } from 'node:net'

/** The bytes that count as progress: a byte now and then would keep a connection forever. */
export const progressBytes = 16 * 1024

/** The delivered bytes at the time `since`. */
interface Progress {
  readonly delivered: number
  readonly since: number
}

export class StallDetector {
  readonly #timeoutMs: number
  readonly #progressOf = new WeakMap<Socket, Progress>()

  /** `timeoutMs` is the most time for the peer to read what was written to it at once, or 16 KiB of it. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** How often to check, so that a connection is closed soon after its time. */
  get everyMs(): number {
    return Math.max(20, Math.min(1000, this.#timeoutMs / 4))
  }

  /** Whether bytes have waited for longer than the time without enough progress. */
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

/** The bytes of the writes that the system has accepted as a whole. */
function deliveredTo(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength
}
