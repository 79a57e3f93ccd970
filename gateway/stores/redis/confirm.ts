/**
 * Waits until replicas have a write (`WAIT`), so that it survives when one of them replaces the primary. One wait
 * serves all writes that were answered before it begins, because it blocks everything else on the connection.
 */
import type { Redis } from 'ioredis'
import { NotReplicated } from './cause.ts'

/** Replicas that have not confirmed after this long do not have it. */
const mostMs = 200

/** Resolves when that many replicas have everything that was answered on this connection so far; rejects if they do not. */
export type Confirm = () => Promise<true>

export function createConfirm(redis: Redis, replicas: number): Confirm {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<true> | undefined
  return () => {
    next ??= running.then(async (): Promise<true> => {
      const own = next
      next = undefined
      running = own?.catch(() => {}) ?? running
      if ((await redis.wait(replicas, mostMs)) < replicas) throw new NotReplicated('too few replicas have it')
      return true
    })
    return next
  }
}
