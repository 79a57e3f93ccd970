/**
 * Waits for conditions. The longest wait is minutes, because a busy machine may need that long for what usually takes
 * a moment. Tests do not measure how long things take; `bench/` does.
 */
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export const longestWaitMs = 180_000

/** Retries until the condition holds; the error names a condition that never held. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string | (() => string),
  everyMs = 10,
): Promise<void> {
  const end = Date.now() + longestWaitMs
  while (!(await holds())) {
    if (Date.now() > end)
      throw new Error(
        `not within ${longestWaitMs / 1000} seconds: ${typeof what === 'string' ? what : what()}`,
      )
    await delay(everyMs)
  }
}

/** Resolves when a connection is over, in order or by a reset, for which `once` of `node:events` would reject. */
export function endOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.on('error', () => {})
    socket.once('close', () => resolve())
  })
}
