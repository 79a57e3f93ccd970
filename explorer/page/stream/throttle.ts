/** Reports changes immediately, but combines many that come together. */
export function createThrottle(tell: () => void, milliseconds: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = Number.NEGATIVE_INFINITY
  const stop = (): void => {
    clearTimeout(timer)
    timer = undefined
  }
  const now = (): void => {
    stop()
    last = performance.now()
    tell()
  }
  /** Reports now if nothing was reported for a while, otherwise when that time is over. */
  const soon = (): void => {
    const wait = last + milliseconds - performance.now()
    if (wait <= 0) now()
    else timer ??= setTimeout(now, wait)
  }
  return { soon, now, stop }
}
