/**
 * Requests that a server has accepted and not delivered yet. A response counts until its last byte has left, or its
 * connection is gone: only then may the process end without cutting anything.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Ending, whenDelivered } from './delivery.ts'

export interface Traffic {
  /**
   * Counts a request that will be answered. `ending` is also called when its response has left or its connection is
   * gone.
   */
  take(request: IncomingMessage, response: ServerResponse, ending?: Ending): void
  /** Counts an operation without an HTTP request of its own, until `exit`. */
  enter(): void
  exit(): void
  /** Resolves as soon as nothing is under way, or after `mostMs`. */
  settled(mostMs: number): Promise<void>
}

export function createTraffic(): Traffic {
  let underWay = 0
  let whenSettled: (() => void) | undefined
  const exit = (): void => {
    underWay -= 1
    if (underWay === 0) whenSettled?.()
  }
  // One for all, because every request passes here.
  const delivered: Ending = { ended: exit }
  return {
    take(request, response, ending) {
      underWay += 1
      whenDelivered(request, response, delivered, ending)
    },
    enter() {
      underWay += 1
    },
    exit,
    settled(mostMs) {
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
