/**
 * V8's garbage collector and its flags, which the command line sets for its own process and no library does: for a
 * server's start, for a server with nothing to do, and for bytes in passing (`contract/hot/passing-bytes.ts`).
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { keepTickShape } from './tick-shape.ts'

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

/**
 * For a process that serves, once at its start and for all of its life.
 *
 * Every object begins in the young space. V8 else watches which places make objects that live long, and has their
 * code make them in the old space from then on. The first requests after a pause look like that, as the young
 * space is still small: what all later requests make there would wait for a collection of everything.
 *
 * The old space may double before everything is collected. Left alone, V8 lets it grow to four times its size
 * in the midst of traffic, and after a pause by a few megabytes only: bytes in passing count for it, and a few
 * long answers would have it look over everything again and again.
 *
 * Memory is not given back within traffic. V8 would do so after each eight seconds of little work, and the
 * thousand requests after it cost twice the CPU; `idle-memory.ts` does it after a longer quiet.
 */
export function collectForServing(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
  setFlagsFromString('--heap-growing-percent=100')
  setFlagsFromString('--memory-reducer-gc-count=0')
  exposeCollector()
  keepTickShape()
}
