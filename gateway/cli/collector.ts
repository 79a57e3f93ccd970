/** V8's garbage collector, for commands, which own their process. A library must not use it. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Makes the collector a global, as `node --expose-gc` does. */
export function exposeCollector(): NonNullable<typeof globalThis.gc> {
  if (globalThis.gc === undefined) {
    setFlagsFromString('--expose-gc')
    globalThis.gc = runInNewContext('gc') as NonNullable<typeof globalThis.gc>
  }
  return globalThis.gc
}

/** Collects everything, compacts the heap, and returns memory to the machine. It takes some ten milliseconds. */
export function collectAll(): void {
  exposeCollector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
