/**
 * Requests that a server has accepted and not delivered yet. A response counts until its last byte has left, or its
 * connection is gone: only then may the process end without cutting anything.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Ending, whenDelivered } from './delivery.ts'

export type Traffic = ReturnType<typeof createTraffic>

export function createTraffic() {
  let underWay = 0
  let whenSettled: (() => void) | undefined
  const exit = (): void => {
    underWay -= 1
    if (underWay === 0) whenSettled?.()
  }
  // One for all, because every request passes here.
  const delivered: Ending = { ended: exit }
  return {
    /**
     * Counts a request that will be answered. `ending` is also called when its response has left or its connection is
     * gone.
     */
    take(request: IncomingMessage, response: ServerResponse, ending?: Ending): void {
      underWay += 1
      whenDelivered(request, response, delivered, ending)
    },
    /** Counts an operation without an HTTP request of its own, until `exit`. */
    enter(): void {
      underWay += 1
    },
    exit,
    /** Resolves as soon as nothing is under way, or after `mostMs`. */
    settled(mostMs: number): Promise<void> {
      if (underWay === 0) return Promise.resolve()
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
