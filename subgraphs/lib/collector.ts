/**
 * V8's garbage collector, for the places that know better than it: bytes in passing, whose buffers it hardly sees
 * (they lie outside of its heap), a server with nothing to do, and a server's start.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

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

/** What was used a moment ago and is not any more; about a millisecond. */
export function collectYoung(): void {
  collect({ type: 'minor', execution: 'sync' })
}

/** Everything, compacted, and the memory back to the machine; some ten milliseconds. */
export function collectAll(): void {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/**
 * From now on every object begins in the young space, for the life of the process. V8 else watches which places
 * make objects that live long, and lets their code make them in the old space from then on. The first requests
 * after a pause look like that, as the young space is still small: what all later requests make there would wait
 * for a full collection. With pauses of nine seconds between loads that cost 50 videos at once a quarter of their
 * requests a second.
 */
export function keepObjectsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}
