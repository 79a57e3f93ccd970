/**
 * V8's flags and its garbage collector, for the process of a command. The command line sets them for its own process,
 * and a library leaves those of its host alone. The section Memory of docs/architecture.md has the reasons.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * It must be called before anything else runs. Until the command is ready the old space may grow 25-fold before a full
 * collection, which would find little to free: nearly everything that a start makes is kept. Code is optimized after nearly four
 * times as many calls as usual, because most of what a start runs is not run again.
 */
export function setStartFlags(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
  setFlagsFromString('--heap-growing-percent=2500')
  setFlagsFromString('--invocation-count-for-maglev=1500')
  setFlagsFromString('--memory-reducer-gc-count=0')
  exposeCollector()
}

/** It is called when a command that serves is ready. */
export function setServingFlags(): void {
  setFlagsFromString('--heap-growing-percent=100')
  setFlagsFromString('--invocation-count-for-maglev=400')
}

/**
 * For a reload, nearly all of whose objects are kept: each collection of the young space copies all that is in it, and
 * V8 would let it grow, because so much survives. A space that stays small makes short pauses.
 */
export async function withYoungSpaceAsItIs<T>(run: () => Promise<T>): Promise<T> {
  setFlagsFromString('--semi-space-growth-factor=1')
  try {
    return await run()
  } finally {
    setFlagsFromString('--semi-space-growth-factor=2')
  }
}

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
