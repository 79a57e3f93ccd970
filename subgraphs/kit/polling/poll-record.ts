/** What the last polls of a topic brought, as far as it decides when the next one is due and when polling is given up. */
import { isLasting } from './lasting.ts'

/** How often the first poll may fail before the subscribers, who have received nothing, get an error. */
const mostFirstFailures = 3

export class PollRecord {
  /** Polls of everything since something was new. */
  unchanged = 0
  /** Polls since one went well. */
  failures = 0
  /** The interval that the service asks for, in milliseconds. */
  hintMs = 0
  #hasAnswered = false

  succeeded(hintMs = 0): void {
    this.answered()
    this.hintMs = hintMs
  }

  /** An answer is known, of this process or of another one. */
  answered(): void {
    this.#hasAnswered = true
    this.failures = 0
  }

  /** Returns whether polling must end. */
  failed(error: Error): boolean {
    this.failures += 1
    this.unchanged += 1
    const extensions = 'extensions' in error ? (error.extensions as { retryAfter?: unknown }) : {}
    const { retryAfter } = extensions ?? {}
    if (typeof retryAfter === 'number') this.hintMs = Math.max(this.hintMs, retryAfter * 1000)
    return isLasting(error) || (!this.#hasAnswered && this.failures >= mostFirstFailures)
  }
}
