/**
 * V8's garbage collector, for the places that know better than it: bytes in passing, whose buffers it hardly sees
 * (they lie outside of its heap), a server with nothing to do, and a server's start.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { keepTickShape } from './tick-shape.ts'

interface Collection {
  readonly type: 'major' | 'minor'
  readonly execution: 'sync'
  readonly flavor?: 'last-resort'
}

let run: ((collection: Collection) => void) | undefined

/** Node hands it out on the command line only, or like this. */
function collect(collection: Collection): void {
  if (run === undefined) {
    setFlagsFromString('--expose-gc')
    run = runInNewContext('gc') as (collection: Collection) => void
  }
  run(collection)
}

/**
 * Told of bytes in passing, collects what was used a moment ago and is not any more, about a millisecond's work,
 * whenever `everyBytes` have passed. Left alone, V8 would look over its whole heap for them, and let many more
 * gather before it does.
 */
export function collectPassing(everyBytes: number): (bytes: number) => void {
  let since = 0
  return (bytes) => {
    since += bytes
    if (since < everyBytes) return
    since = 0
    collect({ type: 'minor', execution: 'sync' })
  }
}

/** Everything, compacted, and the memory back to the machine; some ten milliseconds. */
export function collectAll(): void {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
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
 * thousand requests after it cost twice the CPU; who serves does it by themselves, after a longer quiet.
 */
export function collectForServing(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
  setFlagsFromString('--heap-growing-percent=100')
  setFlagsFromString('--memory-reducer-gc-count=0')
  keepTickShape()
}
