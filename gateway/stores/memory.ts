/** The backend without a shared server: steps run in the memory of this process. */
import type { Stores } from './store.ts'

/** Milliseconds since 1970, by the monotonic clock: changing the clock of the machine has no effect on it. */
export const processClock = (): number => Math.round(performance.timeOrigin + performance.now())

/** For a process that serves alone. */
export const memoryStores: Stores = {
  isShared: false,
  isApart: false,
  open(kind) {
    const here = kind.memory()
    return {
      isShared: false,
      here,
      run: (step, input) => step.memory(here, input),
      share: async () => undefined,
      confirm: () => true,
      now: processClock,
      reached() {},
      close() {},
    }
  },
}

/** For one of several processes without a shared backend: it does not see the data of the others. */
export const apartStores: Stores = { ...memoryStores, isApart: true }
