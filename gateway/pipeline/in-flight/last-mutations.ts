/**
 * The last mutation of each caller, so that none of its queries joins an answer that began before. A caller is
 * forgotten when everything that still runs began after its last change. If there are too many callers, the oldest are
 * forgotten, and the last change of these counts as a change of every caller.
 */
import { noteChange } from '../../../engine/change-count.ts'
import type { GatewayRequest } from '../../../engine/request.ts'
import { callerKeyOf } from '../caller-key.ts'

/** The most callers that are remembered. */
const mostCallers = 10_000

/** `keptMs`: how long anything runs that others may join. */
export function createLastMutations(keptMs: number) {
  /** In the order of their times. */
  const changes = new Map<string, { readonly number: number; readonly time: number }>()
  let floor = 0

  const forgetOld = (now: number): void => {
    for (const [caller, { number, time }] of changes) {
      const isOld = time < now - keptMs
      if (!isOld && changes.size <= mostCallers) return
      if (!isOld) floor = number
      changes.delete(caller)
    }
  }

  return {
    /** The number of the caller's last change (`engine/change-count.ts`); 0 if there is none. */
    lastOf(request: GatewayRequest): number {
      if (changes.size === 0) return floor
      return Math.max(floor, changes.get(callerKeyOf(request))?.number ?? 0)
    },
    /** The caller has changed something, by now. */
    wrote(request: GatewayRequest): void {
      const time = performance.now()
      const name = callerKeyOf(request)
      changes.delete(name)
      changes.set(name, { number: noteChange(), time })
      forgetOld(time)
    },
  }
}
