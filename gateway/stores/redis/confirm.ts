/**
 * Waits until replicas have a write (`WAIT`), so that it survives when one of them replaces the primary. One wait
 * serves all writes that were answered before it begins, because it blocks everything else on the connection.
 */
import type { Redis } from 'ioredis'

/** Replicas that have not confirmed after this long do not have it. */
const mostMs = 200

/** Resolves to whether that many replicas have everything that was answered on this connection so far. */
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
