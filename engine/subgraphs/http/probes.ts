/** Calls `ask` at an interval, one call at a time, and ignores failures. Returns the function that stops it. */
export function startProbes(everyMs: number, ask: () => Promise<void>): () => void {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const next = (): void => {
    if (stopped) return
    timer = setTimeout(() => {
      ask().then(next, next)
    }, everyMs)
    timer.unref()
  }
  ask().then(next, next)
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
