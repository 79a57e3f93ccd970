/**
 * Whether a response reached its client, or the client went away before. Each connection has one listener for all of
 * its requests (`connections.ts`), because adding and removing one for each request costs time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Called once when a response has left, or its connection is closed; `whole`: all of it was written. */
export interface Ending {
  ended(whole: boolean): void
}

/** The responses of one connection that have not left. Usually there is one at a time, which needs no list. */
class UnderWay {
  #one: (() => void) | undefined
  #others: (() => void)[] | undefined

  add(over: () => void): void {
    if (this.#one === undefined) this.#one = over
    else if (this.#others === undefined) this.#others = [over]
    else this.#others.push(over)
  }

  /** Whether it was there. */
  delete(over: () => void): boolean {
    if (this.#one === over) {
      this.#one = undefined
      return true
    }
    const others = this.#others
    const at = others?.lastIndexOf(over) ?? -1
    if (others === undefined || at < 0) return false
    const last = others.pop()
    if (last !== undefined && last !== over) others[at] = last
    return true
  }

  end(): void {
    const all = this.#others === undefined ? [] : [...this.#others]
    this.#one?.()
    for (const over of all) over()
  }
}

const underWay = new WeakMap<Socket, UnderWay>()

/**
 * Calls `first`, and then `second`, as soon as the response has left or its connection is closed. The request must be
 * of a server whose connections are watched.
 */
export function whenDelivered(
  { socket }: IncomingMessage,
  response: ServerResponse,
  first: Ending,
  second?: Ending,
): void {
  let those = underWay.get(socket)
  if (those === undefined) {
    those = new UnderWay()
    underWay.set(socket, those)
  }
  const over = (): void => {
    if (!those.delete(over)) return
    const whole = response.writableEnded
    first.ended(whole)
    second?.ended(whole)
  }
  those.add(over)
  // The connection's own end as well: a response that waits behind another one does not get that event in every version
  // of Node.
  response.on('close', over)
}

/** Whether the client has gone. */
export const isGone = ({ destroyed, writable }: Socket): boolean => destroyed || !writable

/** The connection is closed: nothing more of its responses will leave. */
export function connectionClosed(socket: Socket): void {
  underWay.get(socket)?.end()
}
