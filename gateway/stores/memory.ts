/** The backend without a shared server: steps run in the memory of this process. */
import type { Kind, Step, Store, Stores } from './store.ts'

/** Milliseconds since 1970, by the monotonic clock: changing the clock of the machine has no effect on it. */
export const processClock = (): number => Math.round(performance.timeOrigin + performance.now())

class MemoryStore<Kept> implements Store<Kept> {
  readonly isShared = false
  readonly here: Kept

  constructor(kind: Kind<Kept>) {
    this.here = kind.memory()
  }

  run<Input, Output>(step: Step<Kept, Input, Output>, input: Input): Output {
    return step.memory(this.here, input)
  }

  async share(): Promise<undefined> {}

  confirm(): true {
    return true
  }

  now(): number {
    return processClock()
  }

  reached(): void {}

  close(): void {}
}

/** For a process that serves alone. */
export const memoryStores: Stores = {
  isShared: false,
  isApart: false,
  open: (kind) => new MemoryStore(kind),
}

/** For one of several processes without a shared backend: it does not see the data of the others. */
export const apartStores: Stores = { ...memoryStores, isApart: true }
