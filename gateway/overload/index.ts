/**
 * Overload control: one bounded queue in front of the pipeline, which refuses at once what it cannot hold
 * (docs/overload.md).
 */
import type { Gate } from './gate.ts'

export type { Gate, GatedRequest } from './gate.ts'
export { busyError, busyResponse } from './refusal.ts'
export { createWatchedGate } from './watched.ts'

/**
 * Whether an operation that came in a message may begin, as soon as it is known. If so, the gate must be told of its
 * end.
 */
export function passed(gate: Gate, isGone: () => boolean): Promise<boolean> {
  return new Promise((resolve) =>
    gate.enter({ isGone, begin: () => resolve(true), refuse: () => resolve(false) }),
  )
}
