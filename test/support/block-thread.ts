/** Holds this thread up for so many milliseconds: nothing else runs in it meanwhile. */
export function blockThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
