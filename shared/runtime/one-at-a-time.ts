/**
 * Runs work that reads what is current, one run at a time. A call during a run begins another one after it, because the
 * run may have missed what changed since. That one serves all callers that wait.
 */
export function oneAtATime<Made>(work: () => Promise<Made>): () => Promise<Made> {
  let running: Promise<Made> | undefined
  let next: Promise<Made> | undefined
  const begin = (): Promise<Made> => {
    running = work().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (running === undefined) return begin()
    next ??= running.then(() => {
      next = undefined
      return begin()
    })
    return next
  }
}
