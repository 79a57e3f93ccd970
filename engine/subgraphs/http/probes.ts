/** Asks at an interval, one at a time; a failure is the asker's to note. Returns what stops it. */
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
