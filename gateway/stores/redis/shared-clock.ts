/**
 * The clock of a server that several processes share: its last known time, continued by the monotonic clock of this
 * process. Setting the wall clock of a machine changes nothing.
 */
export interface SharedClock {
  /** The time of the server at this moment, in milliseconds since 1970. */
  hear(milliseconds: number): void
  /** Undefined before a time is known. */
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

/** The time in the reply to `TIME`: seconds and microseconds. */
export const timeFrom = ([seconds, micros]: readonly (number | string)[]): number =>
  Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
