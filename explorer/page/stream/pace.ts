/** Reports changes immediately, but combines many that come together. */
export interface Pace {
  /** Reports now if nothing was reported for a while, otherwise when that time is over. */
  soon(): void
  now(): void
  stop(): void
}

export function createPace(tell: () => void, milliseconds: number): Pace {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = Number.NEGATIVE_INFINITY
  const pace: Pace = {
    soon() {
      const wait = last + milliseconds - performance.now()
      if (wait <= 0) pace.now()
      else timer ??= setTimeout(pace.now, wait)
    },
    now() {
      pace.stop()
      last = performance.now()
      tell()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
  return pace
}
