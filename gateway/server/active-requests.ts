/**
 * Requests that a server has accepted and not delivered yet. A response counts until its last byte has left, or its
 * connection is gone: only then may the process end without cutting anything. Each connection has one listener for all
 * of its requests (`connections.ts`), because adding and removing one for each request costs time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getOrInsert } from '../../shared/runtime/maps.ts'

export type ActiveRequests = ReturnType<typeof createActiveRequests>

export function createActiveRequests() {
  let count = 0
  let whenSettled: (() => void) | undefined
  const exit = (): void => {
    count -= 1
    if (count === 0) whenSettled?.()
  }
  // One for all, because every request passes here.
  const delivered: Ending = { ended: exit }
  return {
    /**
     * Counts a request that will be answered. `ending` is also called when its response has left or its connection is
     * gone.
     */
    take(request: IncomingMessage, response: ServerResponse, ending?: Ending): void {
      count += 1
      whenDelivered(request, response, delivered, ending)
    },
    /** Counts an operation without an HTTP request of its own, until `exit`. */
    enter(): void {
      count += 1
    },
    exit,
    /** Resolves as soon as nothing is under way, or after `mostMs`. */
    settled(mostMs: number): Promise<void> {
      if (count === 0) return Promise.resolve()
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, mostMs)
        whenSettled = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
  }
}

/** Called once when a response has left, or its connection is closed; `whole`: all of it was written. */
export interface Ending {
  ended(whole: boolean): void
}

/** What is to be called for the responses of each connection that have not left. Usually there is one at a time. */
const underWay = new WeakMap<Socket, (() => void)[]>()

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
  const those = getOrInsert(underWay, socket, () => [])
  const over = (): void => {
    const at = those.lastIndexOf(over)
    if (at < 0) return
    if (at === those.length - 1) those.pop()
    else those.splice(at, 1)
    const whole = response.writableEnded
    first.ended(whole)
    second?.ended(whole)
  }
  those.push(over)
  // The connection's own end as well: a response that waits behind another one does not get that event in every version
  // of Node.
  response.on('close', over)
}

export const isGone = ({ destroyed, writable }: Socket): boolean => destroyed || !writable

/** The connection is closed: nothing more of its responses will leave. */
export function connectionClosed(socket: Socket): void {
  for (const over of [...(underWay.get(socket) ?? [])]) over()
}
