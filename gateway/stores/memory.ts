/** The backend of a process that shares nothing: steps run in its own memory. */
import type { Kind, Step, Store, Stores } from './store.ts'

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

  // Of this process alone, and setting the machine's clock changes nothing.
  now(): number {
    return Math.round(performance.timeOrigin + performance.now())
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

/** For one of several processes that have no backend together: what another one has kept is not known here. */
export const apartStores: Stores = { ...memoryStores, isApart: true }
