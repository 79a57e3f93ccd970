/** V8's garbage collector, called by the command line for its own process: a library leaves it alone. */
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

/** Everything, compacted, and the memory back to the machine; some ten milliseconds. */
export function collectAll(): void {
  exposeCollector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
