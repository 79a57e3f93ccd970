/**
 * How long tests wait for what must happen. It is passed only if that never happens: a machine that does a dozen
 * other things may need minutes for what else takes a moment, and how long things take is for bench/ to say.
 */
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export const patienceMs = 180_000

/** Retries until the condition holds; the error names a condition that never held. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string | (() => string),
  everyMs = 10,
): Promise<void> {
  const end = Date.now() + patienceMs
  while (!(await holds())) {
    if (Date.now() > end)
      throw new Error(`not within ${patienceMs / 1000} seconds: ${typeof what === 'string' ? what : what()}`)
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
