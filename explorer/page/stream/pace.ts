/** Tells of changes as soon as they come, and of many that come together once. */
export interface Pace {
  /** Now, if nothing was shown for a while; else when that while is over. */
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
