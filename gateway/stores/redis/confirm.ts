/**
 * Waits until replicas have what was written (`WAIT`), so that it is still there when one of them takes the primary's
 * place. One wait serves all writes that were answered before it begins: it holds up what else the connection sends.
 */
import type { Redis } from 'ioredis'

/** Replicas that have not said so after this long have not got it. */
const mostMs = 200

/** Resolves to whether so many replicas have all that was answered on this connection so far. */
export type Confirm = () => Promise<boolean> | true

export function createConfirm(redis: Redis, replicas: number): Confirm {
  if (replicas === 0) return () => true
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<boolean> | undefined
  return () => {
    next ??= running.then(async () => {
      const own = next
      next = undefined
      running = own?.catch(() => {}) ?? running
      return (await redis.wait(replicas, mostMs)) >= replicas
    })
    return next
  }
}
