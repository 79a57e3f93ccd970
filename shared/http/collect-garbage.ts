/**
 * Collects the young generation whenever a number of bytes has passed through. Long responses and uploads leave buffers
 * outside of V8's heap, which V8 hardly considers: it would let many accumulate and then collect its whole heap.
 *
 * It has an effect only if the process exposes the collector, as the command line and `node --expose-gc` do. A
 * library sets no flags of its host.
 */

/** Returns a function that counts bytes, and collects for about a millisecond whenever `everyBytes` have passed. */
export function collectGarbageEvery(everyBytes: number): (bytes: number) => void {
  let since = 0
  return (bytes) => {
    since += bytes
    if (since < everyBytes) return
    since = 0
    globalThis.gc?.({ type: 'minor', execution: 'sync' })
  }
}
