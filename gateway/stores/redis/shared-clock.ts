/**
 * The clock of a server that several processes share, as last heard, and carried on by the monotonic clock of this one:
 * setting the wall clock of a machine changes nothing.
 */
export interface SharedClock {
  /** The time of the server at this moment, in milliseconds since 1970. */
  hear(milliseconds: number): void
  /** Undefined before anything was heard. */
  now(): number | undefined
}

export function createSharedClock(): SharedClock {
  let ahead: number | undefined
  return {
    hear(milliseconds) {
      ahead = milliseconds - performance.now()
    },
    now: () => (ahead === undefined ? undefined : Math.round(performance.now() + ahead)),
  }
}

/** The time in the answer of `TIME`: seconds and microseconds. */
export const timeFrom = ([seconds, micros]: readonly (number | string)[]): number =>
  Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
