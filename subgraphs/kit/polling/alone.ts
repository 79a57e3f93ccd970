/** The store of a process that shares its pollers with no other one, and therefore leads every topic. */
import type { LiveStore } from '../../../shared/polling.ts'

export function createLoneStore(): LiveStore {
  return {
    join(_, member) {
      let left = false
      queueMicrotask(() => {
        if (!left) member.lead(true)
      })
      return {
        want: () => {},
        mark: { asked: 0, heard: undefined },
        tell: () => {},
        pace: () => {},
        leave() {
          left = true
        },
      }
    },
    close: async () => {},
  }
}
