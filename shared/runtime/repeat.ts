/**
 * Does work again and again, each time so long after the last, until the signal aborts. It keeps no process alive. The
 * work must not reject.
 */
import { setTimeout as delay } from 'node:timers/promises'

export async function repeat(everyMs: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const isDue = (): Promise<boolean> => delay(everyMs, true, { ref: false, signal }).catch(() => false)
  while (await isDue()) await work()
}
