/** The outcome of a topic's last polls, as far as it decides when the next poll is due and when polling ends. */
import { codeOf, type ErrorCode } from '../../../shared/errors.ts'
import { boundedMs } from './interval-headers.ts'

/** Failures that end a subscription. After others, polling continues until the service works again. */
const finalCodes: ReadonlySet<unknown> = new Set([
  'BAD_USER_INPUT',
  'FORBIDDEN',
  'NOT_FOUND',
  'QUOTA_EXCEEDED',
  'COST_ESTIMATED_TOO_EXPENSIVE',
  'UNAUTHENTICATED',
] satisfies ErrorCode[])

/** How often the first poll may fail before the subscribers get an error. They have received nothing until then. */
const mostFirstFailures = 3

export class PollHistory {
  /** Polls of everything since the last news. */
  unchanged = 0
  /** Polls since the last success. */
  failures = 0
  /** The interval that the service asks for, in milliseconds. */
  hintMs = 0
  #hasAnswered = false

  succeeded(hintMs = 0): void {
    this.answered()
    this.hintMs = hintMs
  }

  /** Call it when this process or another one got an answer. */
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
    if (typeof retryAfter === 'number') this.hintMs = Math.max(this.hintMs, boundedMs(retryAfter))
    return finalCodes.has(codeOf(error)) || (!this.#hasAnswered && this.failures >= mostFirstFailures)
  }
}
