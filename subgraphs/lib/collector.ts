/**
 * V8's garbage collector, for the two places that know better than it when to run: bytes in passing, whose
 * buffers it hardly sees (they lie outside of its heap), and a server with nothing to do.
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
