/**
 * Flags of V8 for a process that serves, set once at its start and for all of its life. The command line sets them for
 * its own process; a library sets none of its host. docs/architecture.md, Memory, says what they are for.
 *
 * Every object begins in the young space. V8 would otherwise watch which places make objects that live long, and have
 * their code make them in the old space from then on. The first requests after a pause look like that, as the young space
 * is still small: what all later requests make there would wait for a collection of everything.
 *
 * The old space may double before everything is collected. Left alone, V8 lets it grow to four times its size in the midst
 * of traffic, and after a pause by a few megabytes only: bytes in passing count for it, and a few long answers would have
 * it look over everything again and again.
 *
 * Memory is not given back within traffic. V8 would do so after each eight seconds of little work, and the thousand
 * requests after it cost twice the CPU; `idle-memory.ts` does it after a longer quiet.
 */
import { setFlagsFromString } from 'node:v8'
import { exposeCollector } from './collector.ts'

/** Call it before anything else runs. */
export function setServingFlags(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
  setFlagsFromString('--heap-growing-percent=100')
  setFlagsFromString('--memory-reducer-gc-count=0')
  exposeCollector()
}
