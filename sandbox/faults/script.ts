/** The scripted faults that are not applied yet. Without any, every call succeeds. */
import type { Fault } from './fault.ts'

export interface Faults {
  add(fault: Fault): void
  /** The fault for this call; undefined if there is none. Its count is lowered. */
  take(service: string, operation: string): Fault | undefined
  clear(): void
}

export function createFaults(): Faults {
  const scripted: { fault: Fault; left: number; until: number }[] = []
  return {
    add(fault) {
      const left = fault.times ?? 1
      const until = performance.now() + (fault.withinMs ?? Number.POSITIVE_INFINITY)
      if (left > 0) scripted.push({ fault, left, until })
    },
    take(service, operation) {
      if (scripted.length === 0) return undefined
      const now = performance.now()
      // Expired faults are removed, because a run of hours has many.
      for (let i = scripted.length - 1; i >= 0; i--) {
        if ((scripted[i]?.until ?? now) < now) scripted.splice(i, 1)
      }
      const at = scripted.findIndex(
        ({ fault }) =>
          (fault.service === undefined || fault.service === service) &&
          (fault.operation === undefined || fault.operation === operation),
      )
      const found = scripted[at]
      if (found === undefined) return undefined
      found.left -= 1
      if (found.left <= 0) scripted.splice(at, 1)
      return found.fault
    },
    clear() {
      scripted.length = 0
    },
  }
}
