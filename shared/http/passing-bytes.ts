/**
 * Collects young garbage as bytes pass through: long responses and uploads leave buffers behind that lie outside of
 * V8's heap, which it hardly sees. Left alone it would let many gather, and then look over its whole heap for them.
 *
 * It does so only if the process exposes the collector, as the command line and `node --expose-gc` do: a library sets no
 * flags of its host.
 */

/** To be called with the bytes that passed; collects, about a millisecond's work, whenever `everyBytes` have. */
export function collectPassing(everyBytes: number): (bytes: number) => void {
  let since = 0
  return (bytes) => {
    since += bytes
    if (since < everyBytes) return
    since = 0
    globalThis.gc?.({ type: 'minor', execution: 'sync' })
  }
}
