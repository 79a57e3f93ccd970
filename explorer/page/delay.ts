/** Resolves after the time, or at once if the signal ends the wait. */
export async function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise: over, resolve: end } = Promise.withResolvers<unknown>()
  const timer = setTimeout(end, milliseconds)
  signal.addEventListener('abort', end)
  if (!signal.aborted) await over
  clearTimeout(timer)
  signal.removeEventListener('abort', end)
}
