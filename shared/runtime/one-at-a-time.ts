/**
 * Runs work that reads what is current, one run at a time. A call during a run begins another one after it, because the
 * run may have missed what changed since. That one serves all callers that wait.
 */
export function oneAtATime<Made>(work: () => Promise<Made>): () => Promise<Made> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<Made> | undefined
  return () => {
    next ??= last.then(() => {
      next = undefined
      const made = work()
      last = made.catch(() => {})
      return made
    })
    return next
  }
}
